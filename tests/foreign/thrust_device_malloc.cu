// In the manner of samples with Thrust: memory of thrust::device_malloc() is the device's, for algorithms, copies
// and kernels; an error of Thrust is an exception.
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <vector>

__global__ void doubled(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  constexpr int kCount = 1000;
  std::vector<int> values(kCount, 3);
  bool right = true;
  try {
    thrust::device_ptr<int> device = thrust::device_malloc<int>(kCount);
    right &= cudaMemcpy(device.get(), values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess;
    doubled<<<(kCount + 255) / 256, 256>>>(device.get(), kCount);
    right &= thrust::reduce(device, device + kCount) == 6 * kCount;
    thrust::fill(device, device + kCount / 2, 1);
    right &= cudaMemcpy(values.data(), thrust::raw_pointer_cast(device), kCount * sizeof(int),
                        cudaMemcpyDeviceToHost) == cudaSuccess;
    right &= values[0] == 1 && values[kCount - 1] == 6;
    cudaPointerAttributes attributes;
    right &= cudaPointerGetAttributes(&attributes, device.get()) == cudaSuccess &&
             attributes.type == cudaMemoryTypeDevice;
    thrust::device_free(device);
  } catch (const thrust::system_error& error) {
    printf("%s\n", error.what());
    right = false;
  }
  size_t before = 0, after = 0, total = 0;
  right &= cudaMemGetInfo(&before, &total) == cudaSuccess;
  for (int i = 0; i < 3; i++) thrust::device_free(thrust::device_malloc(1 << 20));
  right &= cudaMemGetInfo(&after, &total) == cudaSuccess && before == after;
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
