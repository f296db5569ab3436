// Verdict: checked: non-atomic write
// REGION 2
  __threadfence();
  *mutex = 0;
