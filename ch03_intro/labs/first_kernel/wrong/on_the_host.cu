// Verdict: checked: no kernel was launched
// REGION 2
  result = a * x * x + b * x + c;
