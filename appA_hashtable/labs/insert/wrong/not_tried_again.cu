// Verdict: everything: entries are lost
// REGION 1
  const int seen = -1;
  next[entry] = seen;
  atomicCAS(first, seen, entry);
