// A lock with a queue (MCS) lets the blocks in one after the other. Before or after it, they take two other locks in
// opposite orders. The queue does not order that: which block comes first is chance.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
struct Node {
  int next, waits;  // the number of the next block in the queue; 0: none
};
__device__ Node nodes[5];
__device__ int tail, locks[2], entered, accounts[2] = {100, 100};

__device__ void enter_queue(int me) {
  atomicExch(&nodes[me].next, 0);
  atomicExch(&nodes[me].waits, 1);
  __threadfence();
  const int before = atomicExch(&tail, me);
  if (before != 0) {
    atomicExch(&nodes[before].next, me);
    while (atomicAdd(&nodes[me].waits, 0) != 0) __nanosleep(20);
  }
  __threadfence();
}
__device__ void leave_queue(int me) {
  __threadfence();
  if (atomicCAS(&tail, me, 0) == me) return;
  int next;
  while ((next = atomicAdd(&nodes[me].next, 0)) == 0) __nanosleep(20);
  atomicExch(&nodes[next].waits, 0);
}

__device__ void take(int i) {
  while (atomicCAS(&locks[i], 0, 1) != 0) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicExch(&locks[i], 0);
}
__device__ void transfer(int from, int to) {
#ifdef RIGHT
  take(0);
  take(1);
#else
  take(from);
  take(to);
#endif
  accounts[from]--;
  accounts[to]++;
  leave(0);
  leave(1);
}
__device__ void count_in() {
  enter_queue(blockIdx.x + 1);
  entered++;
  leave_queue(blockIdx.x + 1);
}

__global__ void work() {
  const bool first = blockIdx.x % 2 == 0;
  if (first) transfer(0, 1);
  count_in();
  if (!first) transfer(1, 0);
}

int main() {
  work<<<4, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
