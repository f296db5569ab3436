// Verdict: everything: the picture, row
// REGION 1
  const float u = x * x_ratio, v = y * y_ratio;
