// cuBLAS: the handle, and copies of vectors and matrices.
#include "cublas_internal.h"

using namespace cpu_device;

// ---- the handle ----

cublasStatus_t cublasCreate(cublasHandle_t* handle, Site site) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (open_blas() == nullptr) {
    explain(site, "cuBLAS needs the package libopenblas0 here, which is not installed",
            "run: sudo apt-get install libopenblas0");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  CHECK_HANDLE;
  cudaDeviceSynchronize();  // as documented; its stream may have been destroyed before it
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  CHECK_HANDLE;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  CHECK_HANDLE;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  CHECK_HANDLE;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  CHECK_HANDLE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

// The same words as cuBLAS: programs print them.
#define CPU_DEVICE_STATUSES(X) \
  X(CUBLAS_STATUS_SUCCESS, "success") \
  X(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized") \
  X(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed") \
  X(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function") \
  X(CUBLAS_STATUS_ARCH_MISMATCH, "the function requires an architectural feature absent from the device") \
  X(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed") \
  X(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU") \
  X(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed") \
  X(CUBLAS_STATUS_NOT_SUPPORTED, "the requested functionality is not supported") \
  X(CUBLAS_STATUS_LICENSE_ERROR, "the license check failed")
const char* cublasGetStatusName(cublasStatus_t status) {
#define CPU_DEVICE_STATUS(NAME, WORDS) \
  case NAME: return #NAME;
  switch (status) { CPU_DEVICE_STATUSES(CPU_DEVICE_STATUS) }
#undef CPU_DEVICE_STATUS
  return "unrecognized status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
#define CPU_DEVICE_STATUS(NAME, WORDS) \
  case NAME: return WORDS;
  switch (status) { CPU_DEVICE_STATUSES(CPU_DEVICE_STATUS) }
#undef CPU_DEVICE_STATUS
  return "unrecognized status";
}
#undef CPU_DEVICE_STATUSES

// ---- copies ----

static cublasStatus_t copy_matrix(int rows, int columns, int element, const void* from, int from_pitch,
                                  void* to, int to_pitch, cudaMemcpyKind kind, cudaStream_t stream,
                                  bool async, const char* function, Site site) {
  if (rows < 0 || columns < 0 || element <= 0) return wrong(function, "a negative size", site);
  if (from_pitch < std::max(rows, 1) || to_pitch < std::max(rows, 1))
    return wrong(function, "the columns overlap: the pitch is smaller than the number of rows", site);
  const auto bytes = [element](int count) { return static_cast<size_t>(count) * element; };
  const cudaError_t error =
      async ? cudaMemcpy2DAsync(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows),
                                static_cast<size_t>(columns), kind, stream, site)
            : cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows),
                           static_cast<size_t>(columns), kind, site);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
#define COPIES(NAME, KIND)                                                                           \
  cublasStatus_t cublas##NAME##Matrix(int rows, int columns, int element, const void* from,          \
                                      int from_pitch, void* to, int to_pitch, Site site) {           \
    return copy_matrix(rows, columns, element, from, from_pitch, to, to_pitch, KIND, nullptr, false, \
                       __func__, site);                                                              \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##MatrixAsync(int rows, int columns, int element, const void* from,     \
                                           int from_pitch, void* to, int to_pitch,                   \
                                           cudaStream_t stream, Site site) {                         \
    return copy_matrix(rows, columns, element, from, from_pitch, to, to_pitch, KIND, stream, true,   \
                       __func__, site);                                                              \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##Vector(int n, int element, const void* from, int from_step, void* to, \
                                      int to_step, Site site) {                                      \
    return copy_matrix(1, n, element, from, from_step, to, to_step, KIND, nullptr, false, __func__,  \
                       site);                                                                        \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##VectorAsync(int n, int element, const void* from, int from_step,      \
                                           void* to, int to_step, cudaStream_t stream, Site site) {  \
    return copy_matrix(1, n, element, from, from_step, to, to_step, KIND, stream, true, __func__,    \
                       site);                                                                        \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
