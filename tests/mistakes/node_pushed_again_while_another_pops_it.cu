// The ABA problem: a block reads the top of a stack and its successor. Another one pops both, and pushes the first back.
__device__ unsigned long long top;  // node; with a count of changes in its upper half
__device__ unsigned below[5];
__device__ int owner[5];

__global__ void fill() {
  for (unsigned i = 1; i < 5; i++) below[i] = i - 1;
  top = 4;
}

#ifdef RIGHT
const unsigned long long kChange = 1ull << 32;
#else
const unsigned long long kChange = 0;
#endif

__device__ unsigned pop() {
  unsigned long long old = atomicAdd(&top, 0ull), assumed;
  do {
    assumed = old;
    const unsigned node = static_cast<unsigned>(assumed);
    if (node == 0) return 0;
    const unsigned next = atomicAdd(&below[node], 0u);
    old = atomicCAS(&top, assumed, ((assumed >> 32 << 32) + kChange) | next);
  } while (old != assumed);
  return static_cast<unsigned>(assumed);
}

__device__ void push(unsigned node) {
  unsigned long long old = atomicAdd(&top, 0ull), assumed;
  do {
    assumed = old;
    atomicExch(&below[node], static_cast<unsigned>(assumed));
    __threadfence();
    old = atomicCAS(&top, assumed, ((assumed >> 32 << 32) + kChange) | node);
  } while (old != assumed);
}

__global__ void use() {
  const unsigned first = pop(), second = pop();
  __threadfence();
  if (first != 0) push(first);
  if (second != 0) owner[second] += 1;  // finds race-exclusion
}

int main() {
  fill<<<1, 1>>>();
  use<<<2, 1>>>();
  cudaDeviceSynchronize();
}
