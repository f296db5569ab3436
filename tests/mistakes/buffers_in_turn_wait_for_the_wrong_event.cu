// trap: in the first rounds the host waits for events that were not recorded yet, which is right
// here.
__global__ void use(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }

int main() {
  int *host[2], *device[2], *sum;
  cudaEvent_t copied[2];
  cudaStream_t stream[2];
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  for (int i = 0; i < 2; i++) {
    cudaStreamCreate(&stream[i]);
    cudaMallocHost(&host[i], 64 * sizeof(int));
    cudaMalloc(&device[i], 64 * sizeof(int));
    cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming);
  }
  for (int round = 0; round < 6; round++) {
    const int i = round % 2;
#ifdef RIGHT
    cudaEventSynchronize(copied[i]);
#else
    cudaEventSynchronize(copied[0]);
#endif
    for (int k = 0; k < 64; k++) host[i][k] = round;  // finds race-host
    cudaMemcpyAsync(device[i], host[i], 64 * sizeof(int), cudaMemcpyHostToDevice, stream[i]);  // finds race-host
    cudaEventRecord(copied[i], stream[i]);
    use<<<1, 64, 0, stream[i]>>>(device[i], sum);
  }
  cudaDeviceSynchronize();
}
