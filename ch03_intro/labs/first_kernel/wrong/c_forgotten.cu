// Verdict: everything: value
// REGION 1
  *result = a * x * x + b * x;
