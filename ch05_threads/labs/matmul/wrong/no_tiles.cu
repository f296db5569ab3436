// Verdict: counts: elements read from global memory
// REGION 1
  tile_a[threadIdx.y][threadIdx.x] = tile_b[threadIdx.y][threadIdx.x] = 0;
  if (x < columns && y < rows)
    for (int k = 0; k < depth; k++) sum += a[y * depth + k] * b[k * columns + x];
