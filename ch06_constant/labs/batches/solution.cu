// Many sources, kBatch at a time in constant memory.
#include <algorithm>

#include "book.h"

struct Source {
  float place, strength;
};

constexpr int kBatch = 1000;
__constant__ Source batch[kBatch];

// Adds what `count` sources give to the totals.
__global__ void add_batch(const float* places, float* total, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // SOLUTION BEGIN: float sum = total[i]; then a loop over batch[0] to batch[count - 1]
  //? sum += batch[k].strength / (1 + fabsf(places[i] - batch[k].place))
  float sum = total[i];
  for (int k = 0; k < count; k++)
    sum += batch[k].strength / (1 + fabsf(places[i] - batch[k].place));
  total[i] = sum;
  //| total[i] = places[i] * count;
  // SOLUTION END
}

// n places and totals (at least 1), and `count` sources, in the host's memory.
void batches(const float* places, float* total, int n, const Source* sources, int count) {
  float *dev_places, *dev_total;
  HANDLE_ERROR(cudaMalloc(&dev_places, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_total, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_places, places, n * sizeof(float), cudaMemcpyHostToDevice));
  // SOLUTION BEGIN: first: cudaMemset(dev_total, 0, n * sizeof(float))
  //? for (int first = 0; first < count; first += kBatch), with std::min(kBatch, count - first) of them
  //? the copy begins at sources + first
  HANDLE_ERROR(cudaMemset(dev_total, 0, n * sizeof(float)));
  for (int first = 0; first < count; first += kBatch) {
    const int some = std::min(kBatch, count - first);
    HANDLE_ERROR(cudaMemcpyToSymbol(batch, sources + first, some * sizeof(Source)));
    add_batch<<<(n + 127) / 128, 128>>>(dev_places, dev_total, n, some);
    HANDLE_ERROR(cudaGetLastError());
  }
  //| HANDLE_ERROR(cudaMemcpyToSymbol(batch, sources, std::min(kBatch, count) * sizeof(Source)));
  //| add_batch<<<(n + 127) / 128, 128>>>(dev_places, dev_total, n, std::min(kBatch, count));
  //| HANDLE_ERROR(cudaGetLastError());
  // SOLUTION END
  HANDLE_ERROR(cudaMemcpy(total, dev_total, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_places));
  HANDLE_ERROR(cudaFree(dev_total));
}
