// Verdict: everything: c[0] is
// REGION 2
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_c, c, 0));
  add<<<(n + 127) / 128, 128>>>(dev_a, dev_b, dev_c, n);
