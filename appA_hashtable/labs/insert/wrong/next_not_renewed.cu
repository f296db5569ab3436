// Verdict: everything: entries are lost
// REGION 1
  int seen = -1;
  next[entry] = seen;
  while (true) {
    const int before = atomicCAS(first, seen, entry);
    if (before == seen) break;
    seen = before;
  }
