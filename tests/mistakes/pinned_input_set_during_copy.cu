// memset() of pinned memory that an asynchronous copy still reads.
#include <cstring>
__global__ void use(const int* a, int* out) { atomicAdd(out, a[threadIdx.x]); }
int main() {
  int *h, *d, *out;
  cudaMallocHost(&h, 256);
  cudaMalloc(&d, 256);
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int k = 0; k < 4; k++) {
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    memset(h, k, 256);  // finds race-host
    cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, s);  // finds race-host
    use<<<1, 64, 0, s>>>(d, out);
  }
  cudaStreamSynchronize(s);
}
