// Computes a dot product on several devices, with one host thread per device.
//
// The book's section 11.3. What to look at: cudaSetDevice selects the device for the calls of this
// host thread. Each thread copies and computes its device's share, and the results are added. This
// works for any number of devices and any split. Unequal devices get unequal --shares.
//
//   ./course run dot_thread_per_device --devices 4 --shares 3,2,2,1

#include <thread>

#include "dot_program.h"

// The work of one host thread: the dot product of a share, on one device.
void run_device(int device, const float* a, const float* b, size_t n, int blocks, double* result) {
  const size_t bytes = n * sizeof(float);
  HANDLE_ERROR(cudaSetDevice(device));
  float *dev_a, *dev_b, *dev_partial;
  std::vector<float> partial(blocks);
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  dot<<<blocks, kThreads>>>(dev_a, dev_b, n, dev_partial);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(
      cudaMemcpy(partial.data(), dev_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  *result = finish(partial.data(), blocks);
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_partial));
}

// a and b are in host memory; the shares cover them.
double dot_on_devices(const float* a, const float* b, const std::vector<Share>& shares,
                      int blocks) {
  std::vector<double> results(shares.size(), 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < shares.size(); i++)
    if (shares[i].size > 0)
      threads.emplace_back(run_device, shares[i].device, a + shares[i].begin, b + shares[i].begin,
                           shares[i].size, blocks, &results[i]);
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (double result : results) sum += result;
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

  const double ms =
      course::measure_host_ms([&] { dot_on_devices(a.data(), b.data(), run.shares, run.blocks); });
  print_time("threads, allocation, copies, kernels", ms, run);
  return 0;
}
