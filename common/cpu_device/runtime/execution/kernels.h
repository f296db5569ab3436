// Kernels by their address.
#pragma once

#include <cstddef>
#include <vector>

namespace cpu_device {

// Is it the address of a known kernel?
bool is_kernel(const void* address);
// How much __shared__ memory the kernel declares; 0 if the program was stripped of its symbols.
size_t static_shared_bytes(const void* kernel);
// The offset of each parameter in a struct of them, and the size of all.
std::vector<size_t> kernel_offsets(const void* kernel, size_t* bytes);

}  // namespace cpu_device
