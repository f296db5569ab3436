// Verdict: given hidden fresh checked: divergent barrier
// REGION 1
  if (i >= n) return;
  for (int first = 0; first < n; first += kTile) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < kTile; k++) pull(here, tile[k], &sum);
    __syncthreads();
  }
