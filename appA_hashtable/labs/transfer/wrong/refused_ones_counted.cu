// Verdict: given hidden fresh checked: the number of transfers
// REGION 1
    *done += 1;
    unlock(mutex);
