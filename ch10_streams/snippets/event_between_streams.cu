// Orders two streams with an event, without making the host wait.
// Topic: events
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add_one(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

// Copies in one stream and computes in another; the events establish the order.
void add_one_in_two_streams(int* host, int* device, int n, cudaStream_t copies,
                            cudaStream_t kernels) {
  cudaEvent_t arrived, computed;
  HANDLE_ERROR(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
  HANDLE_ERROR(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
  const size_t bytes = n * sizeof(int);
  HANDLE_ERROR(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, copies));
  HANDLE_ERROR(cudaEventRecord(arrived, copies));          // after the work queued so far
  HANDLE_ERROR(cudaStreamWaitEvent(kernels, arrived, 0));  // later work waits for the event
  add_one<<<(n + 255) / 256, 256, 0, kernels>>>(device, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(computed, kernels));
  HANDLE_ERROR(cudaStreamWaitEvent(copies, computed, 0));
  HANDLE_ERROR(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, copies));
  HANDLE_ERROR(cudaEventDestroy(arrived));  // takes effect when the work is done
  HANDLE_ERROR(cudaEventDestroy(computed));
}

int main() {
  const int n = 10000;
  int *host, *device;
  cudaStream_t copies, kernels;
  HANDLE_ERROR(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocDefault));
  HANDLE_ERROR(cudaMalloc(&device, n * sizeof(int)));
  HANDLE_ERROR(cudaStreamCreate(&copies));
  HANDLE_ERROR(cudaStreamCreate(&kernels));
  for (int i = 0; i < n; i++) host[i] = i;
  add_one_in_two_streams(host, device, n, copies, kernels);
  HANDLE_ERROR(cudaStreamSynchronize(copies));
  int right = 0;
  for (int i = 0; i < n; i++) right += host[i] == i + 1;
  HANDLE_ERROR(cudaStreamDestroy(copies));
  HANDLE_ERROR(cudaStreamDestroy(kernels));
  HANDLE_ERROR(cudaFree(device));
  HANDLE_ERROR(cudaFreeHost(host));
  printf("%d of %d are right\n", right, n);
  return right == n ? 0 : 1;
}
