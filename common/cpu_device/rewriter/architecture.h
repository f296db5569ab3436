// __CUDA_ARCH__: kernels and what they call see the text that the preprocessor makes with it, host
// code the text without. The CPU device compiles once, so the two texts become one here, in which
// the functions that differ have both bodies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpu_device {

// Do the user's files in this preprocessed text use __CUDA_ARCH__? Lines that also name __CPU_DEVICE__ do
// not count: they handle this device.
bool asks_for_architecture(std::string_view preprocessed);

// `host` and `device`: one file, preprocessed without and with __CUDA_ARCH__. In the result
//   - a kernel, and a __device__ function of both texts, has the device's body,
//   - any other function that differs has both, and chooses by its caller,
//   - what only one of them declares is there,
//   - of a variable that both declare, differently, the device's code has one of its own.
// What else differs stays as in `host`, and a line is added to `warnings`.
std::string merge_architectures(std::string_view host, std::string_view device,
                                std::vector<std::string>& warnings);

}  // namespace cpu_device
