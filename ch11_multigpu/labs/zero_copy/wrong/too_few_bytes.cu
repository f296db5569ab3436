// Verdict: everything: ended with
// REGION 1
  HANDLE_ERROR(cudaHostAlloc(&memory, n, cudaHostAllocMapped));
