// A class with operators of its own for volatile objects, summed up in the manner of older books: the last
// warp through a volatile pointer (here with __syncwarp() between the steps).
#include <cstdio>

struct Moments {
  int sum;
  long long squares;
  __host__ __device__ Moments();
  Moments& operator+=(int value);
  volatile Moments& operator+=(int value) volatile;
  Moments& operator+=(const Moments& other);
  volatile Moments& operator+=(volatile Moments& other) volatile;
};

inline __device__ __host__ Moments::Moments() : sum(0), squares(0) {}
inline __device__ __host__ Moments& Moments::operator+=(int value) {
  sum += value;
  squares += static_cast<long long>(value) * value;
  return *this;
}
inline __device__ __host__ volatile Moments& Moments::operator+=(int value) volatile {
  sum += value;
  squares += static_cast<long long>(value) * value;
  return *this;
}
inline __device__ __host__ Moments& Moments::operator+=(const Moments& other) {
  sum += other.sum;
  squares += other.squares;
  return *this;
}
inline __device__ __host__ volatile Moments& Moments::operator+=(volatile Moments& other) volatile {
  sum += other.sum;
  squares += other.squares;
  return *this;
}

template <typename T>
struct Scratch {
  __device__ operator T*() {
    extern __shared__ Moments moments_of_the_block[];
    return moments_of_the_block;
  }
};

template <typename Result, typename T>
__global__ void reduce(Result* out, const T* in, int n) {
  Scratch<Result> scratch;
  Result sum;
  const int tid = threadIdx.x;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  scratch[tid] = sum;
  __syncthreads();
  for (int active = blockDim.x >> 1; active > 32; active >>= 1) {
    if (tid < active) scratch[tid] += scratch[tid + active];
    __syncthreads();
  }
  if (tid < 32) {
    volatile Result* warp = scratch;
    for (int step = 32; step > 0; step >>= 1) {
      if (tid < step) warp[tid] += warp[tid + step];
      __syncwarp();
    }
    if (tid == 0) {
      warp[0] += 0;
      out[blockIdx.x] = scratch[0];
    }
  }
}

// The same steps one after the other, as in older books, which count on lanes in lockstep. (A barrier in between makes them right.)
// The class has a `+=` for volatile objects, and no `+`.
__global__ void unrolled(Moments* out, const int* in) {
  Scratch<Moments> scratch;
  Moments sum;
  const int tid = threadIdx.x;
  sum += in[tid];
  scratch[tid] = sum;
  __syncwarp();
  volatile Moments* warp = scratch;
  if (tid < 16) {
    if (blockDim.x > 16) warp[tid] += warp[tid + 16];
    warp[tid] += warp[tid + 8];
  }
  if (tid == 0) *out = scratch[0];
}

int main() {
  const int n = 5000, blocks = 7, threads = 128;
  int* in;
  Moments *partial, *answer;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&partial, blocks * sizeof *partial);
  cudaMallocManaged(&answer, sizeof *answer);
  long long squares = 0;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    in[i] = i % 23 - 7;
    sum += in[i];
    squares += in[i] * in[i];
  }
  reduce<Moments, int><<<blocks, threads, threads * sizeof(Moments)>>>(partial, in, n);
  reduce<Moments, Moments><<<1, threads, threads * sizeof(Moments)>>>(answer, partial, blocks);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  Moments* few = partial;
  unrolled<<<1, 32, 64 * sizeof(Moments)>>>(few, in);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  // Of lane 0, which no other lane disturbs: whatever the order, it has at least its own and that of lanes 16 and 8.
  int least = in[0] + in[16] + in[8];
  if (few->sum != least && few->sum != least + in[24]) return 1;
  printf("%d %lld, expected %d %lld\n", answer->sum, answer->squares, sum, squares);
  return answer->sum != sum || answer->squares != squares;
}
