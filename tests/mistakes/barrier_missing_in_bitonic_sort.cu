// A sort exchanges elements in steps, and no barrier parts them: one finding, whatever lines meet.
__global__ void sort(int* values) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = values[t];
  __syncthreads();
  for (int size = 2; size <= 128; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int other = t ^ stride;
      const bool up = (t & size) == 0;
      if (other > t) {
        const int mine = s[t], theirs = s[other];  // finds race-block
        const int low = min(mine, theirs), high = max(mine, theirs);
        s[t] = up ? low : high, s[other] = up ? high : low;  // finds race-block
      }
#ifdef RIGHT
      __syncthreads();
#endif
    }
  __syncthreads();
  values[t] = s[t];
}

int main() {
  int host[128], *values;
  for (int i = 0; i < 128; i++) host[i] = 128 - i;
  cudaMalloc(&values, sizeof(host));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  sort<<<1, 128>>>(values);
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(values);
}
