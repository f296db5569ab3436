// In the manner of headers that hold helpers for many programs: which macros and functions exist is
// decided by the include guards of the Toolkit's headers.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __DRIVER_TYPES_H__
static const char *error_name(cudaError_t error) { return cudaGetErrorName(error); }
#endif
#ifdef __cuda_cuda_h__
static const char *error_name(CUresult error) {
  const char *name;
  cuGetErrorName(error, &name);
  return name;
}
#endif

template <typename T>
void check(T result, const char *function, const char *file, int line) {
  if (result) {
    fprintf(stderr, "%s:%d: %s in %s\n", file, line, error_name(result), function);
    exit(EXIT_FAILURE);
  }
}

#ifdef __CUDA_RUNTIME_H__
#define check_all(call) check((call), #call, __FILE__, __LINE__)
#define last_error(message) last_error_(message, __FILE__, __LINE__)
inline void last_error_(const char *message, const char *file, int line) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

// The device with most multiprocessors times clock, as samples choose it.
inline int best_device() {
  int count = 0, best = 0, most = -1;
  check_all(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; device++) {
    int mode = -1, major = 0, minor = 0, processors = 0;
    check_all(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
    check_all(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    check_all(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    check_all(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    if (mode != cudaComputeModeProhibited && major > 0 && processors > most) {
      most = processors;
      best = device;
    }
  }
  return best;
}
#endif

__global__ void fill(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = 0.5f * i;
}

int main(int argc, char **argv) {
  check_all(cudaSetDevice(best_device()));
  check_all(cuInit(0));
  float *x, y[100];
  check_all(cudaMalloc(&x, sizeof y));
  check_all(cudaProfilerStart());
  fill<<<1, 32>>>(x, 100);
  last_error("fill failed");
  check_all(cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost));
  check_all(cudaProfilerStop());
  for (int i = 0; i < 100; i++)
    if (y[i] != 0.5f * i) exit(EXIT_FAILURE);
  check_all(cudaFree(x));
  // What older helpers name in their long switch statements.
  const cudaError_t names[] = {cudaErrorMissingConfiguration, cudaErrorPriorLaunchFailure,
                               cudaErrorMixedDeviceExecution, cudaErrorStartupFailure,
                               cudaErrorInvalidPtx,           cudaErrorNoKernelImageForDevice,
                               cudaErrorApiFailureBase,       cudaErrorSystemNotReady};
  for (cudaError_t error : names)
    if (error == cudaSuccess) exit(EXIT_FAILURE);
  printf("done\n");
  exit(EXIT_SUCCESS);
}
