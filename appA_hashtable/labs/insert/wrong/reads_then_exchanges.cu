// Verdict: checked: lost
// REGION 1
  next[entry] = atomicAdd(first, 0);
  atomicExch(first, entry);
