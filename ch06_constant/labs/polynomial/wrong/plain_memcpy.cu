// Verdict: everything: wrong copy direction
// REGION 2
  HANDLE_ERROR(cudaMemcpy(coefficients, c, count * sizeof(float), cudaMemcpyHostToDevice));
