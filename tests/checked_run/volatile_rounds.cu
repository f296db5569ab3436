// A barrier of the grid, used three times, whose round is a volatile number of 1, 2, 4 or 8 bytes. Who has seen a round is behind the
// one who wrote it, whether the checker keeps the number in one cell or in one for each byte (`pad` puts it at odd places).
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
struct Rounds {
  unsigned char pad, touched;
  volatile T round;
  unsigned arrived;
};
template <typename T>
__device__ Rounds<T> rounds;

template <typename T>
__device__ void meet() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const T round = rounds<T>.round;
    if (atomicAdd(&rounds<T>.arrived, 1) == gridDim.x - 1) {
      atomicExch(&rounds<T>.arrived, 0u);
      __threadfence();
      rounds<T>.round = static_cast<T>(round + 1);
    } else {
      while (rounds<T>.round == round) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

template <typename T>
__global__ void neighbors(int* data, bool fenced) {
  if (blockIdx.x == 0 && threadIdx.x == 0) rounds<T>.touched = 1;  // by a single byte
  const int left = data[(blockIdx.x + 1) % gridDim.x];
  if (fenced) meet<T>();
  if (threadIdx.x == 0) data[blockIdx.x] = left + 1;
  meet<T>();
  meet<T>();
}

template <typename T>
bool right(bool fenced) {
  int host[3] = {1, 2, 3}, *data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  neighbors<T><<<3, 2>>>(data, fenced);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(data);
  return host[0] == 3 && host[1] == 4 && host[2] == 2;
}

int main(int argc, char**) {
  const bool fenced = argc < 2;
  const bool all = right<unsigned char>(fenced) & right<unsigned short>(fenced) & right<unsigned>(fenced) & right<unsigned long long>(fenced);
  return fenced && !all;
}
