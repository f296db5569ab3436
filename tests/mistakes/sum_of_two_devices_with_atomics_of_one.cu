// Two devices add to memory of the host: that takes atomics of the system, not of the device.
// environment: CPU_DEVICE_COUNT=2
__global__ void add(int* total) {
#ifdef RIGHT
  atomicAdd_system(total, 1);
#else
  atomicAdd(total, 1);  // finds race-scope
#endif
}

int main() {
  int *host, *mapped;
  cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable);
  *host = 0;
  for (int device = 0; device < 2; device++) {
    cudaSetDevice(device);
    cudaHostGetDevicePointer(&mapped, host, 0);
    add<<<1, 32>>>(mapped);
  }
  for (int device = 0; device < 2; device++) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
  }
  cudaFreeHost(host);
}
