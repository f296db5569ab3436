// Verdict: checked: race
// REGION 2
  unlock(mutex);
  *done += 1;
