// Two blocks hold one lock each while they wait for the other one's. Right: a block that does not get the second
// lock releases the first one, and begins again.
__device__ int left, right, moved;

__global__ void move() {
  int* const first = blockIdx.x == 0 ? &left : &right;
  int* const second = blockIdx.x == 0 ? &right : &left;
  for (bool done = false; !done;) {
    while (atomicCAS(first, 0, 1) != 0) {}  // finds lock-order
#ifdef RIGHT
    done = atomicCAS(second, 0, 1) == 0;
#else
    while (atomicCAS(second, 0, 1) != 0) {}  // finds lock-order
    done = true;
#endif
    __threadfence();
    if (done) {
      moved++;
      __threadfence();
      atomicExch(second, 0);
    }
    atomicExch(first, 0);
  }
}

int main() {
  move<<<2, 1>>>();
  cudaDeviceSynchronize();
}
