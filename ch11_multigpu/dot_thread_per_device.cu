// Dot product on several devices, with a host thread for each.
//
// The book's section 11.3. What to look at: cudaSetDevice says to which device the calls of this
// host thread go. Each thread copies and computes its device's share, and the results are added.
// Any number of devices and any split of any size; unequal devices get unequal --shares.
//
//   ./course run dot_thread_per_device --devices 4 --shares 3,2,2,1

#include "../common/program/host_threads.h"
#include "dot_program.h"

// What a thread is given, and gives back.
struct DeviceWork {
  int device;
  size_t size;
  const float *a, *b;  // the device's share, in host memory
  int blocks;
  double result;
};

CUT_THREADPROC run_device(void* data) {
  DeviceWork* const work = static_cast<DeviceWork*>(data);
  const size_t bytes = work->size * sizeof(float);
  HANDLE_ERROR(cudaSetDevice(work->device));
  float *dev_a, *dev_b, *dev_partial;
  std::vector<float> partial(work->blocks);
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, work->blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, work->a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, work->b, bytes, cudaMemcpyHostToDevice));
  dot<<<work->blocks, kThreads>>>(dev_a, dev_b, work->size, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(partial.data(), dev_partial, work->blocks * sizeof(float),
                          cudaMemcpyDeviceToHost));
  work->result = finish(partial.data(), work->blocks);
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
  CUT_THREADEND;
}

// a and b are in host memory; the shares cover them.
double dot_on_devices(const float* a, const float* b, const std::vector<Share>& shares,
                      int blocks) {
  std::vector<DeviceWork> work;
  for (const Share& share : shares)
    if (share.size > 0)
      work.push_back({share.device, share.size, a + share.begin, b + share.begin, blocks, 0});
  std::vector<CUTThread> threads;
  for (DeviceWork& one : work) threads.push_back(start_thread(run_device, &one));
  for (CUTThread thread : threads) end_thread(thread);
  double sum = 0;
  for (const DeviceWork& one : work) sum += one.result;
  return sum;
}

int main(int argc, char** argv) {
  const DotRun run =
      parse_dot_run(argc, argv, "Dot product on several devices, one host thread each.");
  require_memory(run.shares, 2.0 * sizeof(float), 2.0 * sizeof(float) * run.n);

  std::vector<float> a(run.n), b(run.n);
  fill_like_the_book(a.data(), b.data(), run.n);
  const double result = dot_on_devices(a.data(), b.data(), run.shares, run.blocks);
  if (!verify_and_show(result, a.data(), b.data(), run)) return course::kExitWrong;

  const double ms = course::measure_host_ms(
      [&] { dot_on_devices(a.data(), b.data(), run.shares, run.blocks); });
  print_time("threads, allocation, copies, kernels", ms, run);
  return 0;
}
