// Names for CUDA's streams, events and devices, which nobody shows here.
#pragma once
#include "../cuda_runtime.h"
#include "../nvToolsExt.h"

inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
inline void nvtxNameCudaDeviceA(int, const char*) {}
inline void nvtxNameCudaStreamW(cudaStream_t, const wchar_t*) {}
inline void nvtxNameCudaEventW(cudaEvent_t, const wchar_t*) {}
inline void nvtxNameCudaDeviceW(int, const wchar_t*) {}
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
