// Two bit-fields share a byte: writing one rewrites the other, which another warp is writing.
struct Cell {
#ifdef RIGHT
  unsigned char low, high;
#else
  unsigned char low : 4, high : 4;
#endif
};

__device__ Cell cells[32];

__global__ void set() {
  Cell& cell = cells[threadIdx.x % 32];
  const bool first = threadIdx.x < 32;
  // clang-format off
  if (first) cell.low = 5; else cell.high = 9;  // finds race-block
  // clang-format on
}

int main() {
  set<<<1, 64>>>();
  cudaDeviceSynchronize();
}
