// Wraps pinned host memory in a class that frees it at the end of its scope.
// Topic: host memory
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// n elements that the copy engine can read and write without the driver's help.
template <typename T>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(size_t n, unsigned int flags = cudaHostAllocDefault) {
    HANDLE_ERROR(cudaHostAlloc(&data_, n * sizeof(T), flags));
  }
  ~PinnedBuffer() { cudaFreeHost(data_); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  T* get() const { return data_; }
  T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  PinnedBuffer<int> numbers(100);
  for (int i = 0; i < 100; i++) numbers[i] = i;
  int* device;
  const size_t bytes = 100 * sizeof(int);
  HANDLE_ERROR(cudaMalloc(&device, bytes));
  HANDLE_ERROR(cudaMemcpyAsync(device, numbers.get(), bytes, cudaMemcpyHostToDevice, 0));
  twice<<<1, 100>>>(device);
  HANDLE_ERROR(cudaMemcpyAsync(numbers.get(), device, bytes, cudaMemcpyDeviceToHost, 0));
  HANDLE_ERROR(cudaStreamSynchronize(0));
  HANDLE_ERROR(cudaFree(device));
  printf("2 * 99 = %d\n", numbers[99]);
  return numbers[99] == 198 ? 0 : 1;
}
