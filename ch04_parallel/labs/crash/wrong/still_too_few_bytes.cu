// Verdict: everything: destination of the copy is too small
// REGION 2
  HANDLE_ERROR(cudaMalloc(&dev_in, n));
