// Verdict: given hidden fresh checked: bodies
// REGION 1
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kTile; k++) pull(here, tile[k], &sum);
    __syncthreads();
  }
