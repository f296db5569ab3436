// A stream is made for each piece of work, and never destroyed.
// environment: CPU_DEVICE_LEAKS=error
__device__ int sum;

__global__ void add(int n) { sum += n; }

int main() {
  for (int i = 0; i < 3; i++) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);  // finds leak
    add<<<1, 1, 0, stream>>>(i);
    cudaStreamSynchronize(stream);
#ifdef RIGHT
    cudaStreamDestroy(stream);
#endif
  }
}
