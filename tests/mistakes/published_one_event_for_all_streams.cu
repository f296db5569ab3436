// After a published bug: a stream waits for all others by one event, recorded in each of them. Each record replaces the last
// one, so it waits for the last stream only. https://github.com/torch/cutorch/pull/222 (Torch, August 2015)
constexpr int kStreams = 3, kValues = 64;
__device__ int parts[kStreams][kValues], sums[kValues];

__global__ void produce(int stream) {
  parts[stream][threadIdx.x] = stream + 1;  // finds race-kernels
}
__global__ void add_up() {
  int sum = 0;
  for (int i = 0; i < kStreams; i++) sum += parts[i][threadIdx.x];  // finds race-kernels
  sums[threadIdx.x] = sum;
}

int main() {
  cudaStream_t streams[kStreams], last;
  cudaEvent_t ready;
  cudaStreamCreate(&last);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  for (int i = 0; i < kStreams; i++) {
    cudaStreamCreate(&streams[i]);
    produce<<<1, kValues, 0, streams[i]>>>(i);
    cudaEventRecord(ready, streams[i]);
#ifdef RIGHT
    cudaStreamWaitEvent(last, ready, 0);
#endif
  }
#ifndef RIGHT
  cudaStreamWaitEvent(last, ready, 0);
#endif
  add_up<<<1, kValues, 0, last>>>();
  cudaDeviceSynchronize();
  int results[kValues];
  cudaMemcpyFromSymbol(results, sums, sizeof results);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  cudaStreamDestroy(last);
  cudaEventDestroy(ready);
  return results[3] != 6;
}
