// Verdict: everything: uninitialized read
// REGION 1
  tile[row][column] = cell(in, x, y, width, height);
  __syncthreads();
