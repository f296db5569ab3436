// Verdict: checked: lost
// REGION 1
  const int seen = atomicAdd(first, 0);
  next[entry] = seen;
  atomicCAS(first, seen, entry);
