// Verdict: checked: race
// REGION 1
  next[entry] = *first;
  *first = entry;
