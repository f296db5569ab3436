// Verdict: everything: uninitialized read
// REGION 1
  tile[row][column] = cell(in, x, y, width, height);
  if (threadIdx.x == 0) tile[row][0] = cell(in, x - 1, y, width, height);
  if (threadIdx.y == 0) tile[0][column] = cell(in, x, y - 1, width, height);
  __syncthreads();
