// Each thread reads its neighbours' elements, of its own warp and of the next, without a barrier.
__device__ float in[128], out[128];

__global__ void smooth() {
  __shared__ float values[128];
  const int t = threadIdx.x;
  values[t] = in[t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (t > 0 && t < 127) out[t] = (values[t - 1] + values[t + 1]) / 2;  // finds race-block
}

int main() {
  smooth<<<1, 128>>>();
  cudaDeviceSynchronize();
}
