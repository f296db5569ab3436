// Verdict: counts: devices on which kernels ran: 1, but
// REGION 1
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  for (int d = 0; d < count; d++) {
    const int first = static_cast<int>(static_cast<long>(n) * d / count);
    const int end = static_cast<int>(static_cast<long>(n) * (d + 1) / count);
    sum += dot_on_this_device(a + first, b + first, end - first);
    shares[d] = end - first;
  }
