// In the manner of samples about dynamic parallelism: a quicksort whose kernels launch kernels, in streams of their own, with
// a selection sort at the end of the recursion.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#define MAX_DEPTH 12
#define INSERTION_SORT 16

__device__ void selection_sort(unsigned int *data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    unsigned min_val = data[i];
    int min_idx = i;
    for (int j = i + 1; j <= right; ++j) {
      unsigned val_j = data[j];
      if (val_j < min_val) {
        min_idx = j;
        min_val = val_j;
      }
    }
    if (i != min_idx) {
      data[min_idx] = data[i];
      data[i] = min_val;
    }
  }
}

__global__ void simple_quicksort(unsigned int *data, int left, int right, int depth) {
  if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) {
    selection_sort(data, left, right);
    return;
  }
  unsigned int *lptr = data + left;
  unsigned int *rptr = data + right;
  unsigned int pivot = data[(left + right) / 2];
  while (lptr <= rptr) {
    unsigned int lval = *lptr;
    unsigned int rval = *rptr;
    while (lval < pivot) {
      lptr++;
      lval = *lptr;
    }
    while (rval > pivot) {
      rptr--;
      rval = *rptr;
    }
    if (lptr <= rptr) {
      *lptr++ = rval;
      *rptr-- = lval;
    }
  }
  int nright = rptr - data;
  int nleft = lptr - data;
  if (left < (rptr - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lptr - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}

__device__ int g_count;
__global__ void leaf(int *out, int parent) { out[parent * blockDim.x + threadIdx.x] = atomicAdd(&g_count, 1); }
__global__ void fan_out(int *out) {
  leaf<<<1, 8>>>(out, threadIdx.x);
  if (threadIdx.x == 0) {
    void *ignored = malloc(64);
    free(ignored);
  }
}

int main(int argc, char **argv) {
  int num_items = argc > 1 ? atoi(argv[1]) : 1000;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  if (!(properties.major > 3 || (properties.major == 3 && properties.minor >= 5))) return 77;
  unsigned int *h_data = (unsigned int *)malloc(num_items * sizeof(unsigned int)), *d_data = 0;
  srand(2047);
  for (int i = 0; i < num_items; i++) h_data[i] = rand() % num_items;
  cudaMalloc((void **)&d_data, num_items * sizeof(unsigned int));
  cudaMemcpy(d_data, h_data, num_items * sizeof(unsigned int), cudaMemcpyHostToDevice);
  simple_quicksort<<<1, 1>>>(d_data, 0, num_items - 1, 0);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned int *results = new unsigned[num_items];
  cudaMemcpy(results, d_data, num_items * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 1; i < num_items; i++)
    if (results[i - 1] > results[i]) {
      std::cout << "Invalid item[" << i - 1 << "]: " << results[i - 1] << " greater than " << results[i] << std::endl;
      return EXIT_FAILURE;
    }
  int *out, host[32], seen = 0;
  cudaMalloc(&out, sizeof host);
  fan_out<<<1, 4>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int x : host) seen |= x >= 0 && x < 32 ? 1 << x : 0;
  std::cout << (seen == -1 ? "OK" : "wrong") << std::endl;
  delete[] results;
  free(h_data);
  cudaFree(d_data);
  cudaFree(out);
  return seen == -1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
