// Rows of a sparse matrix, a warp for each: two lanes read where the row begins and ends, and tell the others.
// notes: CPU device: warp-synchronous code in kernel rowSums
#include <cstdio>

__global__ void rowSums(const int *starts, const float *values, float *sums, int rows) {
  __shared__ volatile int ends[4][2];
  __shared__ volatile float part[4 * 32 + 16];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int row = warp; row < rows; row += 4) {
    if (lane < 2) ends[warp][lane] = starts[row + lane];
    int from = ends[warp][0];
    int to = ends[warp][1];
    float sum = 0;
    for (int i = from + lane; i < to; i += 32) sum += values[i];
    part[threadIdx.x] = sum;
    part[threadIdx.x] = sum = sum + part[threadIdx.x + 16];
    part[threadIdx.x] = sum = sum + part[threadIdx.x + 8];
    part[threadIdx.x] = sum = sum + part[threadIdx.x + 4];
    part[threadIdx.x] = sum = sum + part[threadIdx.x + 2];
    part[threadIdx.x] = sum = sum + part[threadIdx.x + 1];
    if (lane == 0) sums[row] = sum;
  }
}
int main() {
  const int rows = 37;
  int *starts, bad = 0;
  float *values, *sums;
  cudaMallocManaged(&starts, (rows + 1) * sizeof(int));
  cudaMallocManaged(&sums, rows * sizeof(float));
  starts[0] = 0;
  for (int r = 0; r < rows; r++) starts[r + 1] = starts[r] + r % 7 * 11;
  cudaMallocManaged(&values, starts[rows] * sizeof(float));
  for (int i = 0; i < starts[rows]; i++) values[i] = 1;
  rowSums<<<1, 128>>>(starts, values, sums, rows);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; r++) bad += sums[r] != r % 7 * 11;
  printf("%d rows wrong\n", bad);
  return bad != 0;
}
