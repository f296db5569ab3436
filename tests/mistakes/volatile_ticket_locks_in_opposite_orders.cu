// Two ticket locks, called by volatile writes of their owners, in two orders. The threads of a block meet between the
// two blocks' turns in the right program only.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
struct Lock {
  unsigned next;
  volatile unsigned serving;

  __device__ unsigned take() {
    const unsigned ticket = atomicAdd(&next, 1u);
    while (serving != ticket) {}  // finds lock-order
    __threadfence();
    return ticket;
  }
  __device__ void leave(unsigned ticket) {
    __threadfence();
    serving = ticket + 1;
  }
};
__device__ Lock input, output;
__device__ int moved;

__device__ void move(Lock& first, Lock& second) {
  const unsigned one = first.take();
  const unsigned other = second.take();
  moved++;
  second.leave(other);
  first.leave(one);
}

__global__ void both_ways() {
  if (threadIdx.x == 0) move(input, output);
#ifdef RIGHT
  __syncthreads();
#endif
  if (threadIdx.x == 32) move(output, input);
}

int main() {
  both_ways<<<1, 64>>>();
  cudaDeviceSynchronize();
}
