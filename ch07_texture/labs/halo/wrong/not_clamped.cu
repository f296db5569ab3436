// Verdict: everything: out of bounds
// REGION 1
  const int place = y * width + x;
  tile[row][column] = in[place];
  if (threadIdx.x == 0) tile[row][0] = in[place - 1];
  if (threadIdx.x == kSide - 1) tile[row][kSide + 1] = in[place + 1];
  if (threadIdx.y == 0) tile[0][column] = in[place - width];
  if (threadIdx.y == kSide - 1) tile[kSide + 1][column] = in[place + width];
  __syncthreads();
