// What the libraries of the CUDA Toolkit that we have share: their work is an operation of a stream.
#pragma once

#include <functional>
#include <vector>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

// A matrix (or a vector: one column) in memory that the device can reach.
struct Matrix {
  const char* name;
  const void* data;
  size_t element, rows, columns, pitch;  // bytes; elements
  bool is_read, is_written;

  size_t bytes() const {
    return columns == 0 || rows == 0 ? 0 : element * (pitch * (columns - 1) + rows);
  }
};

// Explains what is wrong with where it lies; true if nothing is.
bool is_usable(const char* function, const Matrix& matrix, Site site);

// Queues work that touches these matrices. `wait`: the call returns when it is done.
cudaError_t run_in_stream(cudaStream_t stream, const char* function, std::vector<Matrix> touched,
                          bool wait, Site site, std::function<void()> work);

// OpenBLAS, with its LAPACK, loaded by the first call; null if it is not installed.
void* open_blas();

}  // namespace cpu_device
