// A large allocation is first touched by a thread that is not the main one: by work that starts while the host
// computes without calling CUDA, by a thread that has blocked all signals, and by a kernel that such a thread
// launches.
#include <cstdio>
#include <csignal>
#include <ctime>
#include <thread>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                  \
      return false;                                                                       \
    }                                                                                     \
  } while (0)

constexpr size_t kWords = size_t(40) << 20;  // 160 MB

__global__ void add_one(int* words, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    if (i % 1024 == 0) words[i] += 1;
}

// Stays busy for about two seconds of processor time, without a CUDA call.
double compute() {
  double sum = 0;
  for (const clock_t start = std::clock(); std::clock() - start < 2 * CLOCKS_PER_SEC;)
    for (int i = 1; i < 100000; i++) sum += 1.0 / i;
  return sum;
}

bool holds(const int* device, int expected) {
  for (const size_t at : {size_t(0), kWords / 2, kWords - 1024}) {
    int word = 0;
    CHECK(cudaMemcpy(&word, device + at, sizeof(word), cudaMemcpyDeviceToHost));
    if (word != expected) {
      std::printf("word %zu holds %d instead of %d\n", at, word, expected);
      return false;
    }
  }
  return true;
}

bool filled_while_the_host_computes() {
  int* words;
  CHECK(cudaMalloc(&words, kWords * sizeof(int)));
  CHECK(cudaMemset(words, 0, kWords * sizeof(int)));
  if (compute() < 0) return false;
  const bool right = holds(words, 0);
  CHECK(cudaFree(words));
  return right;
}

bool filled_by_a_thread_without_signals() {
  bool right = false;
  std::thread([&right] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    right = [] {
      int* words;
      CHECK(cudaMalloc(&words, kWords * sizeof(int)));
      CHECK(cudaMemset(words, 0, kWords * sizeof(int)));
      add_one<<<64, 256>>>(words, kWords);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      const bool good = holds(words, 1);
      CHECK(cudaFree(words));
      return good;
    }();
  }).join();
  return right;
}

int main() {
  const bool right = filled_while_the_host_computes() && filled_by_a_thread_without_signals();
  std::printf("%s\n", right ? "all words are right" : "WRONG");
  return right ? 0 : 1;
}
