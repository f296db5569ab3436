// Verdict: everything: value is 0
// REGION 2
  int* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(int)));
  polynomial<<<1, 1>>>(a, b, c, x, dev_result);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaFree(dev_result));
