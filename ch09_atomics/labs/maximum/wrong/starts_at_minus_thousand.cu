// Verdict: hidden checked: hidden case 1
// REGION 2
  float largest = -1000;
