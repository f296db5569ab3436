#include <algorithm>
#include <array>
#include <vector>

#include "book.h"

constexpr int kChunk = 1000;

__global__ void square_root(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = sqrtf(data[i]);
}

void overlap(const float* in, float* out, int n) {
  struct Lane {
    cudaStream_t stream;
    cudaEvent_t done;
    float* buffer;
  };
  std::array<Lane, 2> lanes;
  for (auto& [stream, done, buffer] : lanes) {
    HANDLE_ERROR(cudaStreamCreate(&stream));
    HANDLE_ERROR(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    HANDLE_ERROR(cudaMalloc(&buffer, kChunk * sizeof(float)));
  }
  auto work = [&](const Lane& lane, int first, int size) {
    const auto bytes = size * sizeof(float);
    HANDLE_ERROR(cudaMemcpyAsync(lane.buffer, in + first, bytes, cudaMemcpyHostToDevice, lane.stream));
    square_root<<<(size + 255) / 256, 256, 0, lane.stream>>>(lane.buffer, size);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(out + first, lane.buffer, bytes, cudaMemcpyDeviceToHost, lane.stream));
  };
  for (int first = 0, turn = 0; first < n; first += kChunk, turn ^= 1) work(lanes[turn], first, std::min(kChunk, n - first));
  for (auto& lane : lanes) HANDLE_ERROR(cudaEventRecord(lane.done, lane.stream));
  for (auto& lane : lanes) {
    HANDLE_ERROR(cudaEventSynchronize(lane.done));
    HANDLE_ERROR(cudaFree(lane.buffer));
    HANDLE_ERROR(cudaEventDestroy(lane.done));
    HANDLE_ERROR(cudaStreamDestroy(lane.stream));
  }
}
