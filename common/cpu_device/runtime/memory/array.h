// Arrays: memory that only textures, surfaces and copies know the layout of.
#pragma once

#include <algorithm>
#include <vector>

#include "../../include/cuda_runtime.h"

struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // in elements; height and depth are 0 if the array has not these dimensions
  unsigned int flags;
  unsigned char* data;
  size_t pitch, slice;  // bytes from row to row, from layer to layer
  size_t element;       // bytes
  cpu_device::Site site;
  bool freed = false;

  size_t rows() const { return std::max<size_t>(extent.height, 1); }
  size_t layers() const { return std::max<size_t>(extent.depth, 1); }
  bool layered() const { return (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0; }
};

struct cudaMipmappedArray {
  std::vector<cudaArray*> levels;  // the largest first
};

namespace cpu_device {

// What elements consist of: 1, 2 or 4 channels, all of the same size.
struct ElementFormat {
  int channels = 0, bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
  size_t bytes() const { return static_cast<size_t>(bits / 8 * channels); }
};
// Reads a channel description; says what is wrong with it.
cudaError_t read_format(const cudaChannelFormatDesc& desc, ElementFormat* format, Site site);

// Null, and explained, if there is no such array.
cudaArray* find_array(cudaArray_const_t array, Site site);
cudaMipmappedArray* find_mipmapped_array(cudaMipmappedArray_const_t array, Site site);

}  // namespace cpu_device
