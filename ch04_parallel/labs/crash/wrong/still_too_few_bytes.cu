// Verdict: everything: beyond the destination
// REGION 2
  HANDLE_ERROR(cudaMalloc(&dev_in, n));
