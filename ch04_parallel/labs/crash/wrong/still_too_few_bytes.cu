// Verdict: everything: bytes: it has only the
// REGION 2
  HANDLE_ERROR(cudaMalloc(&dev_in, n));
