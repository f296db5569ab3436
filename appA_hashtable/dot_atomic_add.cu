// Dot product finished on the device with one atomicAdd per block: no lock.
//
// The book could not: its GPUs added only integers atomically, which is why it built the lock.
// Since compute capability 2.0 atomicAdd takes floats, since 6.0 doubles. What to look at: three
// lines and the lock are gone. A lock is for what no single atomic can do.
//
//   ./course run dot_atomic_add

#include "dot.h"
#include "soak.h"

__global__ void dot(const float* a, const float* b, size_t n, float* result) {
  __shared__ float cache[kThreads];
  add_up_block(a, b, n, cache);
  if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

// a and b have equal sizes. `kernel_ms`, if wanted, is filled with the time of the kernel.
float dot_on_device(const std::vector<float>& a, const std::vector<float>& b, int blocks,
                    double* kernel_ms = nullptr) {
  if (a.empty()) return 0;
  const DeviceVectors device = copy_to_device(a, b);
  course::EventTimer timer;
  timer.start();
  dot<<<blocks, kThreads>>>(device.a, device.b, a.size(), device.result);
  HANDLE_ERROR(cudaGetLastError());
  const double ms = timer.stop();
  if (kernel_ms != nullptr) *kernel_ms = ms;
  float result = 0;
  HANDLE_ERROR(cudaMemcpy(&result, device.result, sizeof(float), cudaMemcpyDeviceToHost));
  free_vectors(device);
  return result;
}

int main(int argc, char** argv) {
  const Request request = parse_request(argc, argv, "Dot product, finished with atomicAdd.");
  std::vector<float> a(request.size), b(request.size);
  fill_like_the_book(a, b);
  double ms = 0;
  float result = 0;
  const auto compute_and_verify = [&] {
    result = dot_on_device(a, b, request.blocks, &ms);
    return verify_dot(result, a, b, request.blocks);
  };
  if (!compute_and_verify() || !compute_and_verify()) return course::kExitWrong;  // cold, then warm
  printf("dot product %.9g, verified\n", result);
  printf("kernel %.3f ms, %.2f GB/s; this device copies %.0f GB/s; %s\n", ms,
         ms > 0 ? 8e-6 * request.size / ms : 0, course::measure_copy_gb_per_s(),
         course::device_name().c_str());
  if (request.seconds > 0 && !soak(request.seconds, compute_and_verify)) return course::kExitWrong;
  return 0;
}
