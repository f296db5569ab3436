// Verdict: everything: no kernel wrote it
// REGION 2
  result = a * x * x + b * x + c;
