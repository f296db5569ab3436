// Verdict: checked: race
// REGION 1
  for (int i = 0; i < 3 && atomicCAS(mutex, 0, 1) != 0; i++) {
  }
  __threadfence();
