// Verdict: given hidden checked: uninitialized read
// REGION 1
  for (int first = 0; first < depth; first += kSide) {
    const int from_a = first + threadIdx.x, from_b = first + threadIdx.y;
    if (y < rows && from_a < depth) tile_a[threadIdx.y][threadIdx.x] = a[y * depth + from_a];
    if (from_b < depth && x < columns) tile_b[threadIdx.y][threadIdx.x] = b[from_b * columns + x];
    __syncthreads();
    for (int k = 0; k < kSide; k++) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
