// Threads ask whether their block is the last one before its first thread has said so. The last one clears
// what the next kernel will add to.
__device__ unsigned count;
__global__ void total(const float* in, float* partial, float* next, int n) {
  __shared__ float s[64];
  __shared__ bool am_last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? in[i] : 0;
  if (t == 0) am_last = false;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    unsigned ticket = atomicInc(&count, gridDim.x);
    am_last = ticket == gridDim.x - 1;  // finds race-block
  }
#ifdef RIGHT
  __syncthreads();
#endif
  if (am_last) {  // finds race-block
    if (t == 0) count = 0;
    next[t] = 0;
  }
}
int main() {
  float *in, *partial, *next;
  cudaMalloc(&in, 4096);
  cudaMalloc(&partial, 64);
  cudaMalloc(&next, 64 * sizeof(float));
  cudaMemset(in, 0, 4096);
  total<<<16, 64>>>(in, partial, next, 1024);
  cudaDeviceSynchronize();
}
