// Loops whose variable is the first lane's + lane, and atomics on shared memory: each kernel is compared with
// what its threads do one by one on the host, for sizes around those of blocks, grids and lanes.
#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong = 0;
static void check(const char* name, int n, const std::vector<long long>& got, const std::vector<long long>& want) {
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i]) {
      printf("%s, n = %d: element %zu is %lld instead of %lld\n", name, n, i, got[i], want[i]);
      wrong++;
      return;
    }
}

constexpr int kBlocks = 3;
#define BOTH __host__ __device__

// What one element counts for.
BOTH inline long long weight(long long i) { return i * i % 1009 + 3; }

__global__ void for_sums(long long* out, int n) {
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += weight(i);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void while_sums(long long* out, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  long long sum = 0;
  while (tid < n) {
    sum += weight(tid);
    tid += blockDim.x * gridDim.x;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + 1000000 * (long long)tid;
}
// Each thread takes all that come after its own: steps of one.
__global__ void tails(long long* out, int n) {
  long long sum = 0;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; n > 0 && i <= n - 1u; ++i) sum += weight(i);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// A variable that is not first + lane, an inner loop of different lengths, and a branch.
__global__ void branches(long long* out, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  int i = at * 2 % 7 + at, rounds = 0;
  long long sum = 0;
  while (i < n) {
    for (int k = 0; k < i % 5; k++) {
      if (k == 3) break;
      sum += k * i;
    }
    const long long own = weight(i);
    if (own % 2 == 0) sum -= own;
    for (int k = 1; k < 4; ++k) sum += k * own;
    rounds++;
    i += blockDim.x * gridDim.x;
  }
  out[at] = sum * 1000 + rounds;
}
// The variable passes the largest int of 32 bits, and what it begins with wraps around within a block.
__global__ void far_away(long long* out, unsigned long long from, unsigned long long to) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  long long sum = 0;
  for (unsigned long long i = from + at; i < to; i = i + blockDim.x * gridDim.x) sum += static_cast<long long>(i % 997);
  unsigned begin = 0u - 70u + at;
  int steps = 0;
  for (unsigned i = begin; i < 4000000000u; i += 0x10000000u) steps++;
  out[at] = sum * 100 + steps;
}
// The bound is reached from below zero; declared before, and used after.
__global__ void below_zero(long long* out, int n) {
  int i = int(threadIdx.x) - 40;
  long long sum = 0;
  for (; i < n; i += blockDim.x) sum += i * 3;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + i;
}
// A barrier between two strides over shared memory; what is summed lives across it.
__global__ void two_strides(long long* out, int n) {
  __shared__ long long tile[500];
  long long mine = threadIdx.x;
  for (int k = threadIdx.x; k < 500; k += blockDim.x) {
    tile[k] = weight(k + blockIdx.x);
    mine += k;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 500 && n > 3; k += blockDim.x) mine += tile[499 - k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
// Counters of a block, of all kinds; what they held before is used in one.
__global__ void counters(long long* out, int n) {
  __shared__ int sum, least;
  __shared__ unsigned bins[4][8], bits[2], turns;
  __shared__ unsigned long long large[3];
  __shared__ float half_sums[2];
  extern __shared__ int more[];
  const int t = threadIdx.x;
  if (t == 0) {
    sum = 5;
    least = 1 << 30;
    bits[0] = 0;
    bits[1] = ~0u;
    turns = 2;
    large[1] = 1ull << 40;
    half_sums[0] = half_sums[1] = 0;
    more[0] = more[1] = 0;
  }
  for (int k = t; k < 32; k += blockDim.x) bins[k / 8][k % 8] = 0;
  __syncthreads();
  atomicAdd(&sum, -t);
  atomicMin(&least, 1000 - t);
  atomicAdd(&bins[t % 4][weight(t) % 8], 1);
  atomicOr(bits, 1u << t % 32);
  atomicAnd(&bits[1], ~(1u << t % 32));
  atomicInc(&turns, 6);
  atomicAdd(&large[1], t);
  atomicAdd(&half_sums[t % 2], 0.5f);
  atomicMax(more + 1, t * 7 % 50);
  atomicSub_block(&more[0], 2);
  __syncthreads();
  long long all = sum + least * 3ll + bits[0] * 5ll + bits[1] * 7ll + turns * 11ll + (long long)large[1];
  for (int i = 0; i < 32; i++) all = all * 3 + bins[i / 8][i % 8];
  out[blockIdx.x * blockDim.x + t] = all + (long long)(half_sums[0] * 2) + (long long)(half_sums[1] * 200) + more[1] * 13 + more[0];
}
// The result of an atomic: each thread gets a place of its own.
__global__ void places(long long* out, int n) {
  __shared__ int next;
  __shared__ int taken[1024];
  if (threadIdx.x == 0) next = 0;
  taken[threadIdx.x] = 0;
  __syncthreads();
  const int mine = atomicAdd(&next, 1);
  taken[mine] += 1;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = taken[threadIdx.x] * 100 + next;
}

template <typename Kernel, typename Reference>
static void compare(const char* name, int threads, int n, Kernel launch, Reference reference) {
  const int all = kBlocks * threads;
  long long* out;
  cudaMalloc(&out, all * sizeof(long long));
  launch(out);
  std::vector<long long> got(all), want(all);
  cudaMemcpy(got.data(), out, all * sizeof(long long), cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError()) {
    printf("%s: %s\n", name, cudaGetErrorString(error));
    exit(1);
  }
  cudaFree(out);
  for (int at = 0; at < all; at++) want[at] = reference(at / threads, at % threads);
  check(name, n, got, want);
}

int main() {
  for (int threads : {1, 15, 16, 17, 32, 100, 256})
    for (int n : {0, 1, 15, 16, 17, 47, 48, 49, 700, 768, 1000, 5003}) {
      const int all = kBlocks * threads;
      const auto sum_from = [&](int at) {
        long long sum = 0;
        for (int i = at; i < n; i += all) sum += weight(i);
        return sum;
      };
      compare("for_sums", threads, n, [&](long long* out) { for_sums<<<kBlocks, threads>>>(out, n); },
              [&](int b, int t) { return sum_from(b * threads + t); });
      compare("while_sums", threads, n, [&](long long* out) { while_sums<<<kBlocks, threads>>>(out, n); },
              [&](int b, int t) {
                long long i = b * threads + t;
                while (i < n) i += all;
                return sum_from(b * threads + t) + 1000000 * i;
              });
      compare("tails", threads, n, [&](long long* out) { tails<<<kBlocks, threads>>>(out, n); }, [&](int b, int t) {
        long long sum = 0;
        for (int i = b * threads + t; i < n; i++) sum += weight(i);
        return sum;
      });
      compare("branches", threads, n, [&](long long* out) { branches<<<kBlocks, threads>>>(out, n); },
              [&](int b, int t) {
                const int at = b * threads + t;
                long long sum = 0, rounds = 0;
                for (int i = at * 2 % 7 + at; i < n; i += all, rounds++) {
                  for (int k = 0; k < i % 5 && k != 3; k++) sum += k * i;
                  if (weight(i) % 2 == 0) sum -= weight(i);
                  sum += 6 * weight(i);
                }
                return sum * 1000 + rounds;
              });
      const unsigned long long from = (1ull << 31) - 100 - n, to = (1ull << 31) + n;
      compare("far_away", threads, n, [&](long long* out) { far_away<<<kBlocks, threads>>>(out, from, to); },
              [&](int b, int t) {
                const int at = b * threads + t;
                long long sum = 0, steps = 0;
                for (unsigned long long i = from + at; i < to; i += all) sum += i % 997;
                for (unsigned i = 0u - 70u + at; i < 4000000000u; i += 0x10000000u) steps++;
                return sum * 100 + steps;
              });
      compare("below_zero", threads, n, [&](long long* out) { below_zero<<<kBlocks, threads>>>(out, n); },
              [&](int, int t) {
                long long i = t - 40, sum = 0;
                for (; i < n; i += threads) sum += i * 3;
                return sum + i;
              });
      compare("two_strides", threads, n, [&](long long* out) { two_strides<<<kBlocks, threads>>>(out, n); },
              [&](int b, int t) {
                long long mine = t;
                for (int k = t; k < 500; k += threads) mine += k + (n > 3 ? weight(499 - k + b) : 0);
                return mine;
              });
      compare("counters", threads, n, [&](long long* out) { counters<<<kBlocks, threads, 8>>>(out, n); },
              [&](int, int) {
                int sum = 5, most = 0;
                unsigned bins[32] = {}, bits[2] = {0, ~0u}, turns = 2;
                unsigned long long large = 1ull << 40;
                float half_sums[2] = {0, 0};
                for (int t = 0; t < threads; t++) {
                  sum -= t;
                  bins[t % 4 * 8 + weight(t) % 8]++;
                  bits[0] |= 1u << t % 32;
                  bits[1] &= ~(1u << t % 32);
                  turns = turns >= 6 ? 0 : turns + 1;
                  large += t;
                  half_sums[t % 2] += 0.5f;
                  most = t * 7 % 50 > most ? t * 7 % 50 : most;
                }
                long long all = sum + (1001ll - threads) * 3 + bits[0] * 5ll + bits[1] * 7ll + turns * 11ll + (long long)large;
                for (unsigned bin : bins) all = all * 3 + bin;
                return all + (long long)(half_sums[0] * 2) + (long long)(half_sums[1] * 200) + most * 13 - 2 * threads;
              });
      compare("places", threads, n, [&](long long* out) { places<<<kBlocks, threads>>>(out, n); },
              [&](int, int) { return 100ll + threads; });
    }
  printf(wrong == 0 ? "all right\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
