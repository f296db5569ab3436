// Verdict: checked: plain
// REGION 2
  __threadfence();
  *mutex = 0;
