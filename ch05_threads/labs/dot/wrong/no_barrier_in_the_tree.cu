// Verdict: given fresh checked: race
// REGION 2
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
