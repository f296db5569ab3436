// Kernels that end only when the host has told them something: through mapped memory, by a plain
// loop and after a query, and by a copy in another stream; and one that the host watches by copies.
#include <cstdio>

// Answers `rounds` questions: mail[0] is the number of the question, mail[1] that of the answer.
__global__ void answer(volatile int* mail, int rounds) {
  for (int round = 1; round <= rounds; round++) {
    while (mail[0] != round) {
    }
    mail[2] = round * round;
    __threadfence_system();
    mail[1] = round;
  }
}

static bool answers(bool query) {
  volatile int* mail;
  cudaMallocHost((void**)&mail, 3 * sizeof(int));
  for (int i = 0; i < 3; i++) mail[i] = 0;
  answer<<<1, 1>>>(mail, 5);
  if (query) cudaStreamQuery(0);
  bool right = true;
  for (int round = 1; round <= 5; round++) {
    mail[0] = round;
    while (mail[1] != round) {
    }
    right &= mail[2] == round * round;
  }
  right &= cudaDeviceSynchronize() == cudaSuccess;
  cudaFreeHost((void*)mail);
  return right;
}

__global__ void wait_for_flag(int* flag, volatile int* begun, int* result) {
  if (threadIdx.x == 0) {
    *begun = 1;
    __threadfence_system();
    while (atomicAdd(flag, 0) == 0) {
    }
  }
  __syncthreads();
  result[threadIdx.x] = static_cast<int>(threadIdx.x) + *flag;
}

static bool flag_by_copy() {
  int *flag, *result, *five, got[32];
  volatile int* begun;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&result, sizeof(got));
  cudaMallocHost((void**)&begun, sizeof(int));
  cudaMallocHost((void**)&five, sizeof(int));
  *begun = 0;
  *five = 5;
  cudaMemset(flag, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  wait_for_flag<<<1, 32, 0, kernels>>>(flag, begun, result);
  while (!*begun) cudaStreamQuery(kernels);
  cudaMemcpyAsync(flag, five, sizeof(int), cudaMemcpyHostToDevice, copies);
  cudaStreamSynchronize(copies);
  while (cudaStreamQuery(kernels) == cudaErrorNotReady) {
  }
  cudaMemcpy(got, result, sizeof(got), cudaMemcpyDeviceToHost);
  return got[0] == 5 && got[31] == 36;
}

__global__ void count_until_told(int* progress, int* stop) {
  while (atomicAdd(stop, 0) == 0) atomicAdd(progress, 1);
}

// The host calls nothing that asks for the kernel until it has seen it count.
static bool progress_by_copies() {
  int *words, *host;
  cudaMalloc(&words, 2 * sizeof(int));
  cudaMallocHost(&host, 2 * sizeof(int));
  cudaMemset(words, 0, 2 * sizeof(int));
  host[0] = 0;
  host[1] = 1;
  cudaDeviceSynchronize();
  cudaStream_t kernels, copies;
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  count_until_told<<<1, 1, 0, kernels>>>(words, words + 1);
  do {
    cudaMemcpyAsync(host, words, sizeof(int), cudaMemcpyDeviceToHost, copies);
    cudaStreamSynchronize(copies);
  } while (host[0] < 100);
  cudaMemcpyAsync(words + 1, host + 1, sizeof(int), cudaMemcpyHostToDevice, copies);
  cudaStreamSynchronize(copies);
  return cudaStreamSynchronize(kernels) == cudaSuccess;
}

int main() {
  const bool right = answers(true) && answers(false) && flag_by_copy() && progress_by_copies();
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
