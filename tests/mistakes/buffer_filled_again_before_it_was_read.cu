// The consumer waits for the producer, but not the producer for the consumer.
__global__ void produce(int* a, int k) { a[threadIdx.x] = k; }  // finds race-kernels
__global__ void consume(const int* a, int* b) { b[threadIdx.x] += a[threadIdx.x]; }  // finds race-kernels
int main() {
  int *a, *b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaMemset(b, 0, 256);
  cudaStream_t p, c;
  cudaStreamCreateWithFlags(&p, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
  cudaEvent_t full, empty;
  cudaEventCreate(&full);
  cudaEventCreate(&empty);
  cudaDeviceSynchronize();
  for (int k = 0; k < 3; k++) {
#ifdef RIGHT
    if (k > 0) cudaStreamWaitEvent(p, empty, 0);
#endif
    produce<<<1, 64, 0, p>>>(a, k);
    cudaEventRecord(full, p);
    cudaStreamWaitEvent(c, full, 0);
    consume<<<1, 64, 0, c>>>(a, b);
    cudaEventRecord(empty, c);
  }
  cudaDeviceSynchronize();
}
