// A function that is declared and never defined. The first line says what is missing; nothing of ours is named.
// expect: function_never_defined.cu:7: 'weight(int)' is declared and used, but none of the linked files defines it.

__device__ int weight(int i);

__global__ void weigh(int* a) {
  a[threadIdx.x] = weight(threadIdx.x);
}

int main() {
  weigh<<<1, 32>>>(nullptr);
  return cudaDeviceSynchronize();
}
