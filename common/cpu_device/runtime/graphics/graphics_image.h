// A texture of OpenGL's that kernels read and write as an array.
#pragma once

#include <memory>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

// Null if the program's OpenGL has no such function.
void* find_opengl_function(const char* name);

// While it is mapped there is a copy of it in arrays, one for each of its levels; OpenGL gets it
// back when it is unmapped. An OpenGL context must be current.
class Image {
 public:
  // The texture must have its storage already, in a format that CUDA knows.
  static cudaError_t find(unsigned int name, unsigned int target, std::unique_ptr<Image>* image,
                          Site site);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  bool mapped() const { return arrays_ != nullptr; }
  cudaMipmappedArray_t arrays() const { return arrays_; }
  // `flags`: cudaGraphicsMapFlags.
  cudaError_t map(unsigned int flags, Site site);
  cudaError_t unmap(unsigned int flags, Site site);

 private:
  Image(unsigned int name, unsigned int target) : name_(name), target_(target) {}

  const unsigned int name_, target_;
  cudaMipmappedArray_t arrays_ = nullptr;
};

}  // namespace cpu_device
