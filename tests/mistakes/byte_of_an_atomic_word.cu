// One block stores a byte of a word that the other changes with atomicOr().
union Flags {
  unsigned int word;
  unsigned char bytes[4];
};

__device__ Flags flags[32], spare[32];

__global__ void set() {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) atomicOr(&flags[t].word, 1u);  // finds race-atomic
#ifdef RIGHT
  if (blockIdx.x == 1) spare[t].bytes[2] = 1;
#else
  if (blockIdx.x == 1) flags[t].bytes[2] = 1;  // finds race-atomic
#endif
}

int main() {
  set<<<2, 32>>>();
  cudaDeviceSynchronize();
}
