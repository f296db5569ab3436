// Verdict: everything: race
// REGION 1
  tile[row][column] = cell(in, x, y, width, height);
  if (threadIdx.x == 0) tile[row][0] = cell(in, x - 1, y, width, height);
  if (threadIdx.x == kSide - 1) tile[row][kSide + 1] = cell(in, x + 1, y, width, height);
  if (threadIdx.y == 0) tile[0][column] = cell(in, x, y - 1, width, height);
  if (threadIdx.y == kSide - 1) tile[kSide + 1][column] = cell(in, x, y + 1, width, height);
