// Dot product on several devices that all read the same pinned host memory, a host thread for each.
//
// The book's section 11.4. What to look at: one allocation, made by the main thread, is used by all
// devices, each with its own offset. When the book was written, memory was pinned only for the
// thread that had allocated it, and cudaHostAllocPortable made it pinned for all. Under unified
// addressing all pinned memory is portable and mapped; the flags do no harm.
//
//   ./course run dot_portable --devices 3

#include "devices.h"
#include "dot.h"
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
  Request request;
  DeviceRequest device_request;
  course::Options options("Dot product on several devices from the same pinned memory.");
  add_options(options, &request);
  add_options(options, &device_request);
  options.parse(argc, argv);
  const size_t n = request.size;
  const std::vector<Share> shares =
      split(n, parse_shares(device_request.shares, device_request.devices));
  course::require_devices(device_request.devices);
  course::require_memory(0, 4.0 * sizeof(float) * n);
  const int blocks = request.blocks == 0 ? default_blocks() : request.blocks;

  const unsigned int flags =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  HostFloats a(n, flags), b(n, flags);
  fill_like_the_book(a.get(), b.get(), n);
  const double result = dot_on_devices(a.get(), b.get(), shares, blocks);
  std::vector<float> same_a(n), same_b(n);  // the host must not read write-combined memory
  fill_like_the_book(same_a.data(), same_b.data(), n);
  if (!verify_dot(result, same_a.data(), same_b.data(), n, blocks)) return course::kExitWrong;
  for (const Share& share : shares)
    printf("device %d: %s from %zu on\n", share.device,
           course::count_of(share.size, "element").c_str(), share.begin);

  const double ms =
      course::measure_host_ms([&] { dot_on_devices(a.get(), b.get(), shares, blocks); });
  printf("threads and kernels: %.2f ms, %.2f GB/s; %d x %s\n", ms, 8e-6 * n / ms,
         device_request.devices, course::device_name().c_str());
  return 0;
}
