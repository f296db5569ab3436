// A barrier orders one block: the phases of a sort over many need a kernel each.
__device__ void order(int* a, int i) {
  if (a[i] > a[i + 1]) {  // finds race-grid
    int t = a[i];
    a[i] = a[i + 1];  // finds race-grid
    a[i + 1] = t;  // finds race-grid
  }
}
#ifdef RIGHT
__global__ void phase(int* a, int n, int odd) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (i + 1 < n) order(a, i);
}
#else
__global__ void sort_all(int* a, int n) {
  for (int p = 0; p < n; p++) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (p & 1);
    if (i + 1 < n) order(a, i);
    __syncthreads();
  }
}
#endif
int main() {
  int h[256], *d;
  for (int i = 0; i < 256; i++) h[i] = 256 - i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef RIGHT
  for (int p = 0; p < 256; p++) phase<<<4, 32>>>(d, 256, p & 1);
#else
  sort_all<<<4, 32>>>(d, 256);
#endif
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
}
