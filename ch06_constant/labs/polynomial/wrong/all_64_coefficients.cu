// Verdict: everything: y[0] is
// REGION 1
  float value = 0;
  for (int k = kMostCoefficients - 1; k >= 0; k--) value = value * x[i] + coefficients[k];
  y[i] = value + 0 * count;
