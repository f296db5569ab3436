// Verdict: given hidden checked: the largest is 0
// REGION 2
  float largest = 0;
