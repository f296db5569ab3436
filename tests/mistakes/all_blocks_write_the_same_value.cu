// Every block writes the same 1 to a flag: it happens to work, and is a race all the same.
__device__ int changed;

__global__ void note_change() {
#ifdef RIGHT
  if (threadIdx.x == 0) atomicExch(&changed, 1);
#else
  if (threadIdx.x == 0) changed = 1;  // finds race-same-value
#endif
}

int main() {
  note_change<<<4, 32>>>();
  cudaDeviceSynchronize();
}
