// malloc() in a kernel takes bytes, as everywhere.
__global__ void scratch(int* out, int n) {
#ifdef RIGHT
  int* mine = (int*)malloc(n * sizeof(int));
#else
  int* mine = (int*)malloc(n);
#endif
  if (mine == nullptr) return;
  for (int i = 0; i < n; i++) mine[i] = i;  // finds out-of-bounds#1
  int sum = 0;
  for (int i = 0; i < n; i++) sum += mine[i];  // finds out-of-bounds#2
  out[threadIdx.x] = sum;
  free(mine);
}
int main() {
  int* d;
  cudaMalloc(&d, 128);
  scratch<<<1, 32>>>(d, 16);
  cudaDeviceSynchronize();
}
