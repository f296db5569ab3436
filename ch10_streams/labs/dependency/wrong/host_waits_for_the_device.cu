// Verdict: counts: calls that make the host wait
// REGION 1
  HANDLE_ERROR(cudaDeviceSynchronize());
// REGION 2
  HANDLE_ERROR(cudaDeviceSynchronize());
