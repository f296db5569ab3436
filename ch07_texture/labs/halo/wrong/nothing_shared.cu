// Verdict: counts: elements read from global memory
// REGION 1
  tile[row][column] = cell(in, x, y, width, height);
// REGION 2
  const float around = cell(in, x, y - 1, width, height) + cell(in, x, y + 1, width, height) +
                       cell(in, x - 1, y, width, height) + cell(in, x + 1, y, width, height);
