// CUDA's runtime interface on the CPU device: what `#include <cuda_runtime.h>` finds when a program
// is compiled by common/cpu_device/nvcc. Names, values and meanings are CUDA's.
#pragma once

#ifndef __cplusplus
#error "the CPU device has CUDA's functions and types for C++ only: name this file .cu or .cpp, or give nvcc -x cu (C++ wants a cast where malloc() gives a pointer)"
#include "cpu_device/the error above"  // which the compiler stops at
#endif

// The Toolkit's own include guards: programs ask for them to learn which of its headers they have.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __DEVICE_FUNCTIONS_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cpu_device/qualifiers.h"

#include "cpu_device/vector_types.h"

#include "cpu_device/errors.h"

#include "cpu_device/builtins.h"
#include "cpu_device/device_math.h"
#include "cpu_device/launch.h"
#include "cpu_device/properties.h"

#include "cpu_device/api.h"

#include "cpu_device/atomics.h"
#include "cpu_device/nv_atomics.h"
#include "cpu_device/graphics.h"
#include "cpu_device/graphs.h"
#include "cpu_device/intrinsics.h"
#include "cpu_device/texture_reads.h"
#include "cpu_device/surfaces.h"
#include "cpu_device/api_more.h"
#include "cpu_device/api_queries.h"
#include "cpu_device/warp.h"
#ifdef __CUDACC__
#include <assert.h>  // as with the Toolkit, whose compiler brings it

#include "cpu_device/ptx.h"
#endif
