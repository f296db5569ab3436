// Computes a dot product on several devices, all driven by one host thread.
//
// Not in the book: since CUDA 4.0 (2011) a thread may change its device at any time. What to look
// at: the first loop of run() only queues work, in a stream on each device, without waiting. The
// second loop waits. The copies are asynchronous only because the memory is pinned.
//
//   ./course run dot_one_thread --devices 2

#include "../common/lessons/pinned_memory.h"
#include "dot_program.h"

// A device's share, stream and memory.
struct DeviceWork {
  Share share;
  cudaStream_t stream;
  float *dev_a, *dev_b, *dev_partial;
  float* partial;  // pinned
};

// Allocates what each device with a share needs.
std::vector<DeviceWork> prepare(const std::vector<Share>& shares, int blocks) {
  std::vector<DeviceWork> all;
  for (const Share& share : shares) {
    if (share.size == 0) continue;
    DeviceWork work = {share, nullptr, nullptr, nullptr, nullptr, nullptr};
    HANDLE_ERROR(cudaSetDevice(share.device));
    HANDLE_ERROR(cudaStreamCreate(&work.stream));
    HANDLE_ERROR(cudaMalloc(&work.dev_a, share.size * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&work.dev_b, share.size * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&work.dev_partial, blocks * sizeof(float)));
    HANDLE_ERROR(cudaHostAlloc(&work.partial, blocks * sizeof(float), cudaHostAllocDefault));
    all.push_back(work);
  }
  return all;
}

void release(const std::vector<DeviceWork>& all) {
  for (const DeviceWork& work : all) {
    HANDLE_ERROR(cudaSetDevice(work.share.device));
    HANDLE_ERROR(cudaFree(work.dev_a));
    HANDLE_ERROR(cudaFree(work.dev_b));
    HANDLE_ERROR(cudaFree(work.dev_partial));
    HANDLE_ERROR(cudaFreeHost(work.partial));
    HANDLE_ERROR(cudaStreamDestroy(work.stream));
  }
  HANDLE_ERROR(cudaSetDevice(0));
}

// Queues all work on all devices, then waits and adds.
double run(const float* a, const float* b, const std::vector<DeviceWork>& all, int blocks) {
  for (const DeviceWork& work : all) {
    const size_t bytes = work.share.size * sizeof(float);
    HANDLE_ERROR(cudaSetDevice(work.share.device));
    HANDLE_ERROR(cudaMemcpyAsync(work.dev_a, a + work.share.begin, bytes, cudaMemcpyHostToDevice,
                                 work.stream));
    HANDLE_ERROR(cudaMemcpyAsync(work.dev_b, b + work.share.begin, bytes, cudaMemcpyHostToDevice,
                                 work.stream));
    dot<<<blocks, kThreads, 0, work.stream>>>(work.dev_a, work.dev_b, work.share.size,
                                              work.dev_partial);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(work.partial, work.dev_partial, blocks * sizeof(float),
                                 cudaMemcpyDeviceToHost, work.stream));
  }
  double sum = 0;
  for (const DeviceWork& work : all) {
    HANDLE_ERROR(cudaStreamSynchronize(work.stream));
    sum += finish(work.partial, blocks);
  }
  return sum;
}

// a and b are in host memory, pinned or not; the shares cover them.
double dot_on_devices(const float* a, const float* b, const std::vector<Share>& shares,
                      int blocks) {
  const std::vector<DeviceWork> all = prepare(shares, blocks);
  const double result = run(a, b, all, blocks);
  release(all);
  return result;
}

int main(int argc, char** argv) {
  const DotRun request =
      parse_dot_run(argc, argv, "Dot product on several devices, driven by one host thread.");
  require_memory(request.shares, 2.0 * sizeof(float), 2.0 * sizeof(float) * request.n);

  PinnedMemory<float> a(request.n, cudaHostAllocPortable), b(request.n, cudaHostAllocPortable);
  fill_like_the_book(a.get(), b.get(), request.n);
  const double result = dot_on_devices(a.get(), b.get(), request.shares, request.blocks);
  if (!verify_and_show(result, a.get(), b.get(), request)) return course::kExitWrong;

  const std::vector<DeviceWork> all = prepare(request.shares, request.blocks);
  const double ms = course::measure_host_ms([&] { run(a.get(), b.get(), all, request.blocks); });
  release(all);
  print_time("copies and kernels", ms, request);
  return 0;
}
