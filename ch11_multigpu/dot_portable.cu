// Dot product on several devices that all read the same pinned host memory, a host thread for each.
//
// The book's section 11.4. What to look at: one allocation, made by the main thread, is used by all
// devices, each with its own offset. When the book was written, memory was pinned only for the
// thread that had allocated it, and cudaHostAllocPortable made it pinned for all. Under unified
// addressing all pinned memory is portable and mapped; the flags do no harm.
//
//   ./course run dot_portable --devices 3

#include "../common/program/host_threads.h"
#include "dot_program.h"
#include "host_memory.h"

// What a thread is given, and gives back.
struct DeviceWork {
  int device;
  size_t offset, size;  // the device's share
  float *a, *b;         // all of the data, in mapped host memory
  int blocks;
  double result;
};

CUT_THREADPROC run_device(void* data) {
  DeviceWork* const work = static_cast<DeviceWork*>(data);
  HANDLE_ERROR(cudaSetDevice(work->device));
  float *dev_a, *dev_b, *dev_partial;
  HostFloats partial(work->blocks, cudaHostAllocMapped);
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_a, work->a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_b, work->b, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&dev_partial, partial.get(), 0));
  dot<<<work->blocks, kThreads>>>(dev_a + work->offset, dev_b + work->offset, work->size,
                                  dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // this thread's device only
  work->result = finish(partial.get(), work->blocks);
  CUT_THREADEND;
}

// a and b are in mapped, portable host memory; the shares cover them.
double dot_on_devices(float* a, float* b, const std::vector<Share>& shares, int blocks) {
  std::vector<DeviceWork> work;
  for (const Share& share : shares)
    if (share.size > 0) work.push_back({share.device, share.begin, share.size, a, b, blocks, 0});
  std::vector<CUTThread> threads;
  for (DeviceWork& one : work) threads.push_back(start_thread(run_device, &one));
  for (CUTThread thread : threads) end_thread(thread);
  double sum = 0;
  for (const DeviceWork& one : work) sum += one.result;
  return sum;
}

int main(int argc, char** argv) {
  const DotRun run =
      parse_dot_run(argc, argv, "Dot product on several devices from the same pinned memory.");
  course::require_memory(0, 4.0 * sizeof(float) * run.n);

  const unsigned int flags =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  HostFloats a(run.n, flags), b(run.n, flags);
  fill_like_the_book(a.get(), b.get(), run.n);
  const double result = dot_on_devices(a.get(), b.get(), run.shares, run.blocks);
  std::vector<float> same_a(run.n), same_b(run.n);  // write-combined memory is not for reading
  fill_like_the_book(same_a.data(), same_b.data(), run.n);
  if (!verify_and_show(result, same_a.data(), same_b.data(), run)) return course::kExitWrong;

  const double ms = course::measure_host_ms(
      [&] { dot_on_devices(a.get(), b.get(), run.shares, run.blocks); });
  print_time("threads and kernels", ms, run);
  return 0;
}
