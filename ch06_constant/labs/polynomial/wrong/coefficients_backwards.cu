// Verdict: everything: y[
// REGION 1
  float sum = 0;
  for (int k = 0; k < count; k++) sum = sum * x[i] + coefficients[k];
  y[i] = sum;
