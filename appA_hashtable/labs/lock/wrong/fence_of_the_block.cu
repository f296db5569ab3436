// Verdict: checked: fence
// REGION 1
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence_block();
// REGION 2
  __threadfence_block();
  atomicExch(mutex, 0);
