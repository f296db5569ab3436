// In the manner of programs about dynamic parallelism: a quicksort whose kernels launch themselves.
// Compile with -rdc=true on a GPU.
#include <cstdio>
#include <cstdlib>

__device__ void selection_sort(int *x, int left, int right) {
  for (int i = left; i <= right; i++) {
    int least = i;
    for (int j = i + 1; j <= right; j++)
      if (x[j] < x[least]) least = j;
    int swap = x[i];
    x[i] = x[least];
    x[least] = swap;
  }
}

__global__ void quicksort(int *x, int left, int right, int depth) {
  if (depth >= 12 || right - left <= 16) {
    selection_sort(x, left, right);
    return;
  }
  int low = left, high = right, pivot = x[(left + right) / 2];
  while (low <= high) {
    while (x[low] < pivot) low++;
    while (x[high] > pivot) high--;
    if (low <= high) {
      int swap = x[low];
      x[low++] = x[high];
      x[high--] = swap;
    }
  }
  if (left < high) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(x, left, high, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (low < right) quicksort<<<1, 1>>>(x, low, right, depth + 1);
}

__global__ void child(int *count) { atomicAdd(count, 1); }
__global__ void parent(int *count) {
  child<<<1, 32>>>(count);
  child<<<1, 32, 0, cudaStreamTailLaunch>>>(count);
  int *own;  // of the kernels' heap
  if (cudaMalloc(&own, sizeof *own) != cudaSuccess) *count = -1000;
  *own = 1;
  cudaFree(own);
  if (cudaGetLastError() != cudaSuccess) *count = -1000;
}

int main() {
  const int n = 2000;
  int *x, *count;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&count, sizeof(int));
  for (int i = 0; i < n; i++) x[i] = rand() % 10000;
  quicksort<<<1, 1>>>(x, 0, n - 1, 0);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 1; i < n; i++)
    if (x[i - 1] > x[i]) {
      printf("%d: %d > %d\n", i, x[i - 1], x[i]);
      return 1;
    }
  *count = 0;
  parent<<<3, 4>>>(count);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("sorted; %d threads of children\n", *count);
  return *count == 3 * 4 * 64 ? 0 : 1;
}
