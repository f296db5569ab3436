// CUDA Tile C++ on the CPU device: kernels whose values are whole arrays ("tiles") instead of one
// number per thread. A tile is a plain array here, and an operation on it a loop that the compiler
// vectorizes. One thread runs each block. Names and meanings are those of CUDA 13.5.
#pragma once

#include "cuda_runtime.h"

#ifndef __CUDACC_TILE__
#error "tile kernels need an option on the CPU device, as with the Toolkit: nvcc --enable-tile -std=c++20"
#include "cpu_device/the error above"  // which the compiler stops at
#endif
#ifndef __cpp_concepts
#error "tile kernels need C++20 on the CPU device, as with the Toolkit: nvcc --enable-tile -std=c++20"
#include "cpu_device/the error above"
#endif

#include "cpu_device/tile_extents.h"

#include "cpu_device/tile_elements.h"

#include "cpu_device/tile_values.h"

#include "cpu_device/tile_elementwise.h"
#include "cpu_device/tile_mathematics.h"
#include "cpu_device/tile_shapes.h"

#include "cpu_device/tile_along_dimension.h"
#include "cpu_device/tile_products.h"

#include "cpu_device/tile_memory.h"

#include "cpu_device/tile_atomics.h"
#include "cpu_device/tile_layouts.h"

#include "cpu_device/tile_views.h"

#include "cpu_device/tile_missing.h"
