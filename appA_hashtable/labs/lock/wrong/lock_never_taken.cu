// Verdict: checked: race
// REGION 1
  while (atomicAdd(mutex, 0) != 0) {
  }
  __threadfence();
