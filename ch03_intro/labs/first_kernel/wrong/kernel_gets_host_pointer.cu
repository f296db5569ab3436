// Verdict: everything: host pointer
// REGION 2
  polynomial<<<1, 1>>>(a, b, c, x, &result);
  HANDLE_ERROR(cudaDeviceSynchronize());
