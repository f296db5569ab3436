// Verdict: given hidden fresh checked counts: expected
// REGION 1
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  for (int d = 0; d < count; d++) {
    HANDLE_ERROR(cudaSetDevice(d));
    sum += dot_on_this_device(a + n / count * d, b + n / count * d, n / count);
    shares[d] = n / count;
  }
