// The host waits for an event that was never recorded, which does not wait at all.
__global__ void work() {}

int main() {
  cudaEvent_t done;
  cudaEventCreate(&done);
  work<<<1, 32>>>();
#ifdef RIGHT
  cudaEventRecord(done);
#endif
  cudaEventSynchronize(done);  // finds call-order
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
}
