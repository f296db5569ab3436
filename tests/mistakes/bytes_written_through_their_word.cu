// trap: bytes next to each other are no race; setting a byte by changing its whole word is one.
__device__ unsigned int words[8];

__global__ void set_bytes() {
  const int lane = threadIdx.x;
#ifdef RIGHT
  reinterpret_cast<unsigned char*>(words)[lane] = lane;
#else
  words[lane / 4] |= static_cast<unsigned int>(lane) << 8 * (lane % 4);  // finds race-warp
#endif
}

int main() {
  set_bytes<<<1, 32>>>();
  cudaDeviceSynchronize();
}
