// Computes a dot product on several devices that read the same pinned memory, a thread per device.
//
// The book's section 11.4. What to look at: all devices read the two vectors that the main thread
// has allocated, each from its own offset. When the book was written, memory was pinned only for
// the thread that had allocated it, and cudaHostAllocPortable made it pinned for all. Under unified
// addressing all pinned memory is portable and mapped, so these two flags change nothing.
// cudaHostAllocWriteCombined still matters.
//
//   ./course run dot_portable --devices 3

#include <functional>
#include <thread>

#include "../common/lessons/pinned_memory.h"
#include "dot_program.h"

// The work of one host thread: the dot product of a share, on its device. a and b are all of the
// data, in mapped host memory.
void run_device(const Share& share, float* a, float* b, int blocks, double* result) {
  HANDLE_ERROR(cudaSetDevice(share.device));
  float *dev_a, *dev_b, *dev_partial;
  PinnedMemory<float> partial(blocks, cudaHostAllocMapped);
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_partial, partial.get(), 0));
  dot<<<blocks, kThreads>>>(dev_a + share.begin, dev_b + share.begin, share.size, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // waits for this thread's device only
  *result = finish(partial.get(), blocks);
}

// a and b are in mapped, portable host memory; the shares cover them.
double dot_on_devices(float* a, float* b, const std::vector<Share>& shares, int blocks) {
  std::vector<double> results(shares.size(), 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < shares.size(); i++)
    if (shares[i].size > 0)
      threads.emplace_back(run_device, std::cref(shares[i]), a, b, blocks, &results[i]);
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (double result : results) sum += result;
  return sum;
}

int main(int argc, char** argv) {
  const DotRun run =
      parse_dot_run(argc, argv, "Dot product on several devices from the same pinned memory.");
  course::require_memory(0, 4.0 * sizeof(float) * run.n);

  const unsigned int flags =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  PinnedMemory<float> a(run.n, flags), b(run.n, flags);
  fill_like_the_book(a.get(), b.get(), run.n);
  const double result = dot_on_devices(a.get(), b.get(), run.shares, run.blocks);
  std::vector<float> same_a(run.n), same_b(run.n);  // the host reads write-combined memory slowly
  fill_like_the_book(same_a.data(), same_b.data(), run.n);
  if (!verify_and_show(result, same_a.data(), same_b.data(), run)) return course::kExitWrong;

  const double ms =
      course::measure_host_ms([&] { dot_on_devices(a.get(), b.get(), run.shares, run.blocks); });
  print_time("threads and kernels", ms, run);
  return 0;
}
