// In the manner of classes that own device memory and are used for a global object: CUDA is called before main() and after
// it, by the constructor and the destructor.
#include <cooperative_groups.h>
#include <cuda.h>
#include <unistd.h>

#include <cstdio>

namespace groups = cooperative_groups;

__device__ int base = 100;

// Element i: base + i + by of the other end of its block, plus what its tile adds up, times 1.
__global__ void fill(int *values, int n, int by) {
  __shared__ int ends[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ends[threadIdx.x] = base + i + by;
  __syncthreads();
  const auto tile = groups::tiled_partition<4>(groups::this_thread_block());
  int lanes = 1;
  for (int offset = 2; offset > 0; offset /= 2) lanes += tile.shfl_down(lanes, offset);
  if (i < n) values[i] = ends[blockDim.x - 1 - threadIdx.x] + (tile.thread_rank() == 0 ? lanes : 0);
}

class Numbers {
 public:
  explicit Numbers(const char *name) : name_(name) {
    cudaStreamCreate(&stream_);
    cudaMalloc(&values_, kCount * sizeof(int));
    cudaMallocManaged(&managed_, sizeof(int));
    *managed_ = 5;
    compute("in the constructor", 1);
  }
  ~Numbers() {
    compute("in the destructor", *managed_);
    check("cudaFree()", cudaFree(values_) == cudaSuccess);
    check("cudaFree() of managed memory", cudaFree(managed_) == cudaSuccess);
    check("cudaStreamDestroy()", cudaStreamDestroy(stream_) == cudaSuccess);
    printf("%s: destroyed\n", name_);
  }

  void compute(const char *when, int by) {
    fill<<<kCount / 64, 64, 0, stream_>>>(values_, kCount, by);
    fill<<<kCount / 64, 64, 0, cudaStreamPerThread>>>(values_, 0, by);
    int host[kCount];
    cudaMemcpyAsync(host, values_, sizeof host, cudaMemcpyDefault, stream_);
    check(when, cudaStreamSynchronize(stream_) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    CUcontext current = nullptr;
    check("a current context", cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr);
    for (int i = 0; i < kCount; i++) {
      const int other = i / 64 * 64 + 63 - i % 64;
      check(when, host[i] == 100 + other + by + (i % 4 == 0 ? 4 : 0));
    }
  }

 private:
  void check(const char *what, bool right) {
    if (right) return;
    printf("%s: wrong: %s\n", name_, what);
    fflush(stdout);
    _exit(1);
  }

  static constexpr int kCount = 192;
  const char *name_;
  cudaStream_t stream_ = nullptr;
  int *values_ = nullptr, *managed_ = nullptr;
};

Numbers first("first");
static Numbers second("second");

int main() {
  static Numbers in_main("in main");
  first.compute("in main", 2);
  second.compute("in main", 3);
  in_main.compute("in main", 4);
}
