// cuFFT's part for sizes and types that are given by value: plans of the types that cufft.h has. Callbacks
// and several devices are not here.
#pragma once
#include "cufft.h"

inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* in_embed,
                                       long long in_stride, long long in_dist, cudaDataType in_type,
                                       long long* out_embed, long long out_stride, long long out_dist,
                                       cudaDataType out_type, long long batch, size_t* work_bytes,
                                       cudaDataType) {
  const bool twice = in_type == CUDA_R_64F || in_type == CUDA_C_64F;
  const bool real_in = in_type == CUDA_R_32F || in_type == CUDA_R_64F;
  const bool real_out = out_type == CUDA_R_32F || out_type == CUDA_R_64F;
  const bool other_out = out_type != (real_out ? (twice ? CUDA_R_64F : CUDA_R_32F)
                                               : (twice ? CUDA_C_64F : CUDA_C_32F));
  if (other_out || (real_in && real_out) || (!real_in && !twice && in_type != CUDA_C_32F))
    return CUFFT_NOT_SUPPORTED;
  const cufftType type = real_in    ? (twice ? CUFFT_D2Z : CUFFT_R2C)
                         : real_out ? (twice ? CUFFT_Z2D : CUFFT_C2R)
                                    : (twice ? CUFFT_Z2Z : CUFFT_C2C);
  return cufftMakePlanMany64(plan, rank, n, in_embed, in_stride, in_dist, out_embed, out_stride, out_dist,
                             type, batch, work_bytes);
}
