// Verdict: everything: __constant__
// REGION 2
  HANDLE_ERROR(cudaMemcpy(coefficients, c, count * sizeof(float), cudaMemcpyHostToDevice));
