// CUB's scans that begin anew with each key, against plain loops.
#include <cstdio>
#include <cub/cub.cuh>

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

int main() {
  const int n = 1000;
  int *keys, *values, *out[4], wrong = 0;
  cudaMallocManaged(&keys, n * sizeof(int));
  cudaMallocManaged(&values, n * sizeof(int));
  for (int *&one : out) cudaMallocManaged(&one, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    keys[i] = i / 7 % 3;  // comes again later, as a run of its own
    values[i] = i * 37 % 11;
  }
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceScan::InclusiveSumByKey(memory, bytes, keys, values, out[0], n);
  cudaMalloc(&memory, bytes);
  cub::DeviceScan::InclusiveSumByKey(memory, bytes, keys, values, out[0], n);
  cub::DeviceScan::ExclusiveSumByKey(memory, bytes, keys, values, out[1], n);
  cub::DeviceScan::InclusiveScanByKey(memory, bytes, keys, values, out[2], Larger(), n);
  cub::DeviceScan::ExclusiveScanByKey(memory, bytes, keys, values, out[3], Larger(), -1, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int sum = 0, most = -1;
  for (int i = 0; i < n; i++) {
    if (i % 7 == 0) sum = 0, most = -1;
    wrong += out[1][i] != sum || out[3][i] != most;
    sum += values[i];
    most = most < values[i] ? values[i] : most;
    wrong += out[0][i] != sum || out[2][i] != most;
  }
  // In place.
  cub::DeviceScan::ExclusiveSumByKey(memory, bytes, keys, values, values, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; i++) wrong += values[i] != out[1][i];
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
