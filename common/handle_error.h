// HANDLE_ERROR and HANDLE_NULL: what a CUDA call or malloc says, looked at where it is called. The
// names are the book's.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program with one line if `error` is not cudaSuccess. What the machine lacks is no fault
// of the program: without a device the exit code is 77, as everywhere in the course, and where the
// device's memory is too small it is 2. Anything else is EXIT_FAILURE, and the line says where the
// call is written, the call itself, and what went wrong in words.
inline void handle_cuda_error(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) {
    printf("skipped: there is no device that runs kernels: %s\n", cudaGetErrorString(error));
    fflush(stdout);
    exit(77);
  }
  fflush(stdout);
  size_t free_bytes = 0, total_bytes = 0;
  if (error == cudaErrorMemoryAllocation &&
      cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
    fprintf(stderr,
            "%s:%d: the device's memory is too small for this: %zu of %zu bytes are free; take a "
            "smaller size\n",
            file, line, free_bytes, total_bytes);
    exit(2);
  }
  fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, call, cudaGetErrorString(error),
          cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}
#define HANDLE_ERROR(call) (handle_cuda_error((call), #call, __FILE__, __LINE__))

// The same for a pointer that must not be NULL, such as the result of malloc.
inline void handle_null(bool is_null, const char* expression, const char* file, int line) {
  if (!is_null) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s is NULL: out of host memory\n", file, line, expression);
  exit(EXIT_FAILURE);
}
#define HANDLE_NULL(pointer) (handle_null((pointer) == nullptr, #pointer, __FILE__, __LINE__))
