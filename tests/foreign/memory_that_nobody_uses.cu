// What a program allocates and does not use costs no memory of the host: programs that measure cudaMalloc() and cudaFree()
// do so ten thousand times, with 64 MB each time. What is used afterwards is all there.
#include <sys/resource.h>

#include <cstdio>
#include <vector>

constexpr size_t kBytes = size_t(64) << 20;

static long most_kilobytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

__global__ void count_up(unsigned *words, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) words[i] = i;
}

int main() {
  int bad = 0;
  void *memory;
  cudaFree(0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&memory, 256);
  const long before = most_kilobytes();
  for (int i = 0; i < 100; i++) {
    if (cudaMalloc(&memory, kBytes) != cudaSuccess || cudaFree(memory) != cudaSuccess) bad = 1;
    if (cudaMallocAsync(&memory, kBytes, stream) != cudaSuccess || cudaFreeAsync(memory, stream) != cudaSuccess) bad = 1;
  }
  cudaStreamSynchronize(stream);
  const long more = most_kilobytes() - before;
  if (more > 32 << 10) bad = 1, printf("%ld kB for memory that nobody uses\n", more);

  unsigned *words;
  std::vector<unsigned> got(kBytes / sizeof(unsigned));
  cudaMalloc(&words, kBytes);
  count_up<<<64, 256>>>(words, got.size());
  cudaMemcpy(got.data(), words, kBytes, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < got.size(); i++)
    if (got[i] != i) bad = 1;
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
