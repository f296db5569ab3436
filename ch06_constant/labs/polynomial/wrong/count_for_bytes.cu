// Verdict: given hidden fresh checked: y[
// REGION 2
  HANDLE_ERROR(cudaMemcpyToSymbol(coefficients, c, count));
