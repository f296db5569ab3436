// Verdict: checked: host
// REGION 2
  HANDLE_ERROR(cudaMemcpyToSymbol(coefficients, c, kMostCoefficients * sizeof(float)));
