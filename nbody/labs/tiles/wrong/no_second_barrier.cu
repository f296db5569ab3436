// Verdict: given fresh hidden checked counts: race
// REGION 1
  for (int first = 0; first < n; first += kTile) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < kTile; k++) pull(here, tile[k], &sum);
  }
