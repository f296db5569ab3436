// Branches that only some threads take, the harmless kind: what they cost.
//
// The book's section 5.3.1, where it warns of a barrier in such a branch (dot_broken). Without a
// barrier a branch is harmless: threads that do not take it idle until the others are through. What
// to look at: 32 threads, a warp, share their instructions. If odd threads take one branch and even
// threads the other, a warp goes through both, one after the other, and takes twice the time. If
// whole warps agree, each goes through its own only. Results are right in any case.
//
//   ./course run divergence

#include <algorithm>
#include <vector>

#include "../common/book.h"
#include "../common/compare.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/timing.h"

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kSteps = 16384;  // enough work in a branch to see its time

// Two long computations, one for each branch: random numbers by the usual congruences.
__host__ __device__ inline unsigned heads(unsigned x) {
  for (int i = 0; i < kSteps; i++) x = 1664525u * x + 1013904223u;
  return x;
}
__host__ __device__ inline unsigned tails(unsigned x) {
  for (int i = 0; i < kSteps; i++) x = 22695477u * x + 1u;
  return x;
}

// Which branch thread i takes: neighbors take different ones for width 1, the threads of a warp the
// same for width 32, and all threads the same for width 0.
__host__ __device__ inline bool takes_heads(unsigned i, unsigned width) {
  return width == 0 || i / width % 2 == 0;
}

__global__ void branch(unsigned* result, unsigned n, unsigned width) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;  // divergence, too, and just as harmless
  if (takes_heads(i, width))
    result[i] = heads(i);
  else
    result[i] = tails(i);
}

inline unsigned blocks_for(unsigned n) { return (n + kThreads - 1) / kThreads; }

// result[i] = heads(i) or tails(i), for n elements, on the device.
void diverge(unsigned* result, unsigned n, unsigned width) {
  if (n == 0) return;
  unsigned* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, n * sizeof(unsigned)));
  branch<<<blocks_for(n), kThreads>>>(dev_result, n, width);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(result, dev_result, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_result));
}

double kernel_ms(unsigned n, unsigned width) {
  unsigned* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, n * sizeof(unsigned)));
  const double ms =
      course::measure_device_ms([=] { branch<<<blocks_for(n), kThreads>>>(dev_result, n, width); });
  HANDLE_ERROR(cudaFree(dev_result));
  return ms;
}

int main(int argc, char** argv) {
  unsigned n = 8192;
  course::Options options("What it costs when threads of a warp take different branches.");
  options.number("size", &n, 0, 1 << 24, "threads");
  options.parse(argc, argv);
  course::require_memory(sizeof(unsigned) * double(n), 2 * sizeof(unsigned) * double(n));

  const struct {
    unsigned width;
    const char* words;
  } cases[] = {{0, "all threads take the same branch"},
               {kWarp, "every other warp takes the other"},
               {1, "every other thread takes the other"}};
  for (const auto& one : cases) {
    std::vector<unsigned> result(n), expected(n);
    diverge(result.data(), n, one.width);
    for (unsigned i = 0; i < n; i++) expected[i] = takes_heads(i, one.width) ? heads(i) : tails(i);
    if (!course::verify(one.words, result.data(), expected.data(), n)) return course::kExitWrong;
  }

  printf("%u threads on %s, all results verified\n", n, course::device_name().c_str());
  if (n == 0) return 0;
  for (const auto& one : cases)
    printf("%-36s kernel %.4f ms\n", one.words, kernel_ms(n, one.width));
  printf("(the CPU device has no warps: there each thread pays for its own branch only)\n");
  return 0;
}
