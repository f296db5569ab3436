// Arrays: memory that only textures, surfaces and copies know the layout of.
#pragma once

#include <algorithm>

#include "internal.h"

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // in elements; height and depth are 0 if the array has not these dimensions
  unsigned int flags;
  unsigned char* data;
  size_t pitch, slice;  // bytes from row to row, from layer to layer
  size_t element;       // bytes
  cpu_device::Site site;

  size_t rows() const { return std::max<size_t>(extent.height, 1); }
  size_t layers() const { return std::max<size_t>(extent.depth, 1); }
  int dimensions() const { return extent.depth > 0 ? 3 : extent.height > 0 ? 2 : 1; }
};
