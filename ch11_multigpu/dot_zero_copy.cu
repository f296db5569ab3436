// Computes a dot product without copies: the kernel reads the host's memory.
//
// The book's section 11.2.1, second version. What to look at: the kernel gets pointers to mapped
// pinned memory, and each element crosses the bus when it is read. Here each element is read once,
// so no time is lost. No memory is allocated on the device, and nothing is copied. Data that are
// read twice cross the bus twice. The inputs are write-combined: the host only writes them. The
// partial sums are not, because the host reads them.
//
//   ./course run dot_zero_copy

#include "../common/lessons/pinned_memory.h"
#include "dot.h"

// a and b are in mapped host memory, n elements each.
double dot_on_device(const float* a, const float* b, size_t n, int blocks, Times* times = nullptr) {
  if (n == 0) return 0;
  PinnedMemory<float> partial(blocks, cudaHostAllocMapped);
  float *dev_a, *dev_b, *dev_partial;
  // Under unified addressing most mapped memory has one address for host and device. Write-combined
  // memory may have two, so the first two calls are still necessary.
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, const_cast<float*>(a), 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, const_cast<float*>(b), 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_partial, partial.get(), 0));

  course::Stopwatch watch;
  dot<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // no copy follows that would wait
  const double computed_ms = watch.elapsed_ms();
  const double result = finish(partial.get(), blocks);
  if (times != nullptr) *times = {0, computed_ms, watch.elapsed_ms()};
  return result;
}

int main(int argc, char** argv) {
  Request request;
  course::Options options("Dot product of vectors that stay in host memory.");
  add_options(options, &request);
  options.parse(argc, argv);
  const size_t n = request.size;
  course::require_memory(0, 4.0 * sizeof(float) * n);
  int device = 0, can_map = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, device));
  if (can_map == 0) course::skip("this device cannot use host memory in kernels");
  const int blocks = request.blocks == 0 ? default_blocks() : request.blocks;

  const unsigned int flags = cudaHostAllocMapped | cudaHostAllocWriteCombined;
  PinnedMemory<float> a(n, flags), b(n, flags);
  fill_like_the_book(a.get(), b.get(), n);
  const double result = dot_on_device(a.get(), b.get(), n, blocks);
  // The reference uses a second copy of the data: the host reads write-combined memory very slowly.
  std::vector<float> same_a(n), same_b(n);
  fill_like_the_book(same_a.data(), same_b.data(), n);
  if (!verify_dot(result, same_a.data(), same_b.data(), n, blocks)) return course::kExitWrong;

  std::vector<Times> times(5);
  for (Times& one : times) dot_on_device(a.get(), b.get(), n, blocks, &one);
  print_times(median_times(times), n);
  return 0;
}
