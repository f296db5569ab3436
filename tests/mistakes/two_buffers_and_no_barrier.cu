// Two buffers save one barrier of a scan's step, not both.
__global__ void scan(const int* in, int* out, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x, pout = 0, pin = 1;
  temp[pout * n + t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset)
      temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];  // finds race-block
    else
      temp[pout * n + t] = temp[pin * n + t];  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
  out[t] = temp[pout * n + t];
}
int main() {
  int h[128], *in, *out;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  scan<<<1, 128, 2 * sizeof h>>>(in, out, 128);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
}
