// Adds two vectors with the classes of CCCL: memory frees itself, and an error is an exception.
//
// Not in the book. The headers come with CUDA 13.2 (CCCL 3.2) and newer. What to look at: vector_add()
// frees nothing and checks no error code. A buffer frees its memory at the end of its scope, and a call
// that fails throws cuda::cuda_error. Every allocation, copy and launch names its stream, so that
// nothing depends on a "current" device. MORE.md goes through the program.
//
//   ./course run vector_add_cccl --size 1000

#include <cuda/algorithm>
#include <cuda/buffer>
#include <cuda/devices>
#include <cuda/launch>
#include <cuda/memory_pool>
#include <cuda/std/span>
#include <cuda/stream>

#include "../common/lessons/vector_sums.h"

constexpr int kThreads = 256;  // per block

// A kernel as an object: the launch runs operator() once per thread. A span knows its size.
struct Add {
  template <typename Config>
  __device__ void operator()(Config config, cuda::std::span<const int> a,
                             cuda::std::span<const int> b, cuda::std::span<int> c) {
    const auto i = cuda::gpu_thread.rank(cuda::grid, config);
    if (i < c.size()) c[i] = a[i] + b[i];
  }
};

// c = a + b on the device; a, b and c hold n elements each.
void vector_add(const int* a, const int* b, int* c, int n) {
  if (n == 0) return;  // a grid of 0 blocks is an error
  const cuda::device_ref device = cuda::devices[0];
  cuda::stream stream{device};
  const auto pool = cuda::device_default_memory_pool(device);
  const auto dev_a = cuda::make_buffer<int>(stream, pool, cuda::std::span{a, size_t(n)});
  const auto dev_b = cuda::make_buffer<int>(stream, pool, cuda::std::span{b, size_t(n)});
  auto dev_c = cuda::make_buffer<int>(stream, pool, n, cuda::no_init);

  // Blocks of kThreads threads, and enough of them for n.
  cuda::launch(stream, cuda::distribute<kThreads>(n), Add{}, dev_a, dev_b, dev_c);

  cuda::copy_bytes(stream, dev_c, cuda::std::span{c, size_t(n)});
  stream.sync();
}

// ---- Checking, not the lesson.

int main(int argc, char** argv) {
  // cuda::distribute() rounds n up to a multiple of kThreads, in an int.
  const int n = static_cast<int>(course::vector_size(
      argc, argv, "Adds two vectors on the device, with the classes of CCCL.", 10,
      2147483647 / kThreads * kThreads));
  course::VectorSums sums(n, -1);
  try {
    vector_add(sums.a.data(), sums.b.data(), sums.c.data(), n);
  } catch (const cuda::cuda_error& error) {
    fprintf(stderr, "%s\n", error.what());
    return course::kExitWrong;
  }
  return sums.report();
}
