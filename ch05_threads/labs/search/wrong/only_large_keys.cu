// Verdict: given hidden fresh checked: found[
// REGION 2
    if (table[middle] <= key)
