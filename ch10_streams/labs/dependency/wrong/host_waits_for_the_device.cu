// Verdict: counts: calls with which the host waits
// REGION 1
  HANDLE_ERROR(cudaDeviceSynchronize());
// REGION 2
  HANDLE_ERROR(cudaDeviceSynchronize());
