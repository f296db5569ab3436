// Threads ask whether their block is the last one before its first thread has said so.
__device__ unsigned count;
__global__ void total(const float* in, float* partial, float* out, int n) {
  __shared__ float s[64];
  __shared__ bool am_last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];  // finds race-grid#2
    __threadfence();
    unsigned ticket = atomicInc(&count, gridDim.x);
    am_last = ticket == gridDim.x - 1;  // finds race-block#1
  }
#ifdef RIGHT
  __syncthreads();
#endif
  if (am_last) {  // finds race-block#1
    __threadfence();
    float sum = 0;
    for (int b = t; b < gridDim.x; b += 64) sum += *(volatile float*)&partial[b];  // finds race-grid#2
    s[t] = sum;
    __syncthreads();
    if (t == 0) {
      float all = 0;
      for (int k = 0; k < 64; k++) all += s[k];
      *out = all;
      count = 0;
    }
  }
}
int main() {
  float *in, *partial, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&partial, 64);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 4096);
  total<<<16, 64>>>(in, partial, out, 1024);
  cudaDeviceSynchronize();
}
