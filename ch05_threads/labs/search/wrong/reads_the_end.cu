// Verdict: everything: out of bounds
// REGION 1
  int low = 0, high = count;
  if (table[high] < key) low = high;
