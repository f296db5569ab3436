// trap: the third stream need not know the first if the second one waited for it; here it did not.
__device__ int values[32];

__global__ void start() {
  values[threadIdx.x] = 1;  // finds race-kernels
}
__global__ void nothing() {}
__global__ void finish() {
  values[threadIdx.x] *= 2;  // finds race-kernels
}

int main() {
  cudaStream_t streams[3];
  cudaEvent_t events[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (cudaEvent_t& event : events) cudaEventCreate(&event);
  start<<<1, 32, 0, streams[0]>>>();
  cudaEventRecord(events[0], streams[0]);
#ifdef RIGHT
  cudaStreamWaitEvent(streams[1], events[0], 0);
#endif
  nothing<<<1, 32, 0, streams[1]>>>();
  cudaEventRecord(events[1], streams[1]);
  cudaStreamWaitEvent(streams[2], events[1], 0);
  finish<<<1, 32, 0, streams[2]>>>();
  cudaDeviceSynchronize();
  for (cudaEvent_t event : events) cudaEventDestroy(event);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}
