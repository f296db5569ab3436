// cuFFT: Fourier transforms in one to three dimensions, real and complex, float and double, in
// batches. Computed by the CPU device itself, in double; not normalized, as in cuFFT.
#pragma once

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define _CUFFT_H_
#define CUFFTAPI
#define CUFFT_VERSION 11000

typedef enum {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef cufftResult cufftResult_t;
typedef enum {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef cufftType cufftType_t;

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
// Element (x, y, z) of transform b lies at b * dist + ((x * embed[1] + y) * embed[2] + z) * stride;
// null for `in_embed` or `out_embed`: one element after the other.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* in_embed, int in_stride, int in_dist,
                          int* out_embed, int out_stride, int out_dist, cufftType type, int batch);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* in_embed, int in_stride,
                              int in_dist, int* out_embed, int out_stride, int out_dist,
                              cufftType type, int batch, size_t* work_bytes);
// The same with sizes of 64 bits, of which those that fit into 32 are taken.
inline cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* in_embed,
                                       long long in_stride, long long in_dist, long long* out_embed,
                                       long long out_stride, long long out_dist, cufftType type,
                                       long long batch, size_t* work_bytes) {
  int sizes[3], in[3], out[3];
  if (rank < 1 || rank > 3) return CUFFT_INVALID_SIZE;
  for (int d = 0; d < rank; d++) {
    sizes[d] = static_cast<int>(n[d]);
    if (sizes[d] != n[d]) return CUFFT_INVALID_SIZE;
    if (in_embed != nullptr) in[d] = static_cast<int>(in_embed[d]);
    if (out_embed != nullptr) out[d] = static_cast<int>(out_embed[d]);
  }
  return cufftMakePlanMany(plan, rank, sizes, in_embed == nullptr ? nullptr : in,
                           static_cast<int>(in_stride), static_cast<int>(in_dist),
                           out_embed == nullptr ? nullptr : out, static_cast<int>(out_stride),
                           static_cast<int>(out_dist), type, static_cast<int>(batch), work_bytes);
}
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetVersion(int* version);
// Plans need no memory of the program here.
inline cufftResult cufftSetAutoAllocation(cufftHandle, int) { return CUFFT_SUCCESS; }
inline cufftResult cufftSetWorkArea(cufftHandle, void*) { return CUFFT_SUCCESS; }
inline cufftResult cufftGetSize(cufftHandle, size_t* work_bytes) {
  *work_bytes = 0;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftEstimate1d(int, cufftType, int, size_t* work_bytes) {
  return cufftGetSize(0, work_bytes);
}
inline cufftResult cufftEstimate2d(int, int, cufftType, size_t* work_bytes) {
  return cufftGetSize(0, work_bytes);
}
inline cufftResult cufftEstimate3d(int, int, int, cufftType, size_t* work_bytes) {
  return cufftGetSize(0, work_bytes);
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction,
                         CPU_DEVICE_SITE);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out, CPU_DEVICE_SITE);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out, CPU_DEVICE_SITE);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction, CPU_DEVICE_SITE);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out,
                         CPU_DEVICE_SITE);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out,
                         CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
