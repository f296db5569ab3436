// Verdict: everything: y[
// REGION 2
  HANDLE_ERROR(cudaMemcpyToSymbol(coefficients, c, count));
