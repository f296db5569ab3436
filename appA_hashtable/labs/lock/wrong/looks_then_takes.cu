// Verdict: checked: race
// REGION 1
  while (atomicAdd(mutex, 0) != 0) {
  }
  atomicExch(mutex, 1);
  __threadfence();
