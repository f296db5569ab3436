// Verdict: checked: lost update
// REGION 1
  int seen = atomicAdd(first, 0);
  next[entry] = seen;
  while (atomicCAS(first, seen, entry) != seen) seen = atomicAdd(first, 0);
