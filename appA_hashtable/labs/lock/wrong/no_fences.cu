// Verdict: checked: missing fence
// REGION 1
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
// REGION 2
  atomicExch(mutex, 0);
