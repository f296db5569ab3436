// Verdict: checked counts hidden: race
// REGION 1
  for (int first = 0; first < depth; first += kSide) {
    const int from_a = first + threadIdx.x, from_b = first + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = y < rows && from_a < depth ? a[y * depth + from_a] : 0;
    tile_b[threadIdx.y][threadIdx.x] = from_b < depth && x < columns ? b[from_b * columns + x] : 0;
    __syncthreads();
    for (int k = 0; k < kSide; k++) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
  }
