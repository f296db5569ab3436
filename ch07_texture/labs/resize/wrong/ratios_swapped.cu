// Verdict: everything: the picture, row
// REGION 1
  const float u = (x + 0.5f) * y_ratio, v = (y + 0.5f) * x_ratio;
