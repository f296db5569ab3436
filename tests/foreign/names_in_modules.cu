// In the manner of programs that load their kernels at run time: each name in a module is a kernel, a variable or nothing,
// and what is asked for as something else is not found. A name that is empty is no name; a kernel is no variable.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <vector>

const char *const kSource = R"(
__device__ int variable[3];
__constant__ double number;
extern "C" __global__ void kernel(int *a) { *a = variable[1] + number; }
)";

int main() {
  int bad = 0;
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "names.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return printf("does not compile\n"), 1;
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> image(size);
  nvrtcGetPTX(program, image.data());
  cuInit(0);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&context, device), cuCtxSetCurrent(context);
  if (cuModuleLoadData(&module, image.data()) != CUDA_SUCCESS) return printf("does not load\n"), 1;
  const struct {
    const char *name;
    size_t bytes;  // 0: a kernel
    bool exists;
  } names[] = {{"kernel", 0, true}, {"variable", 12, true}, {"number", 8, true}, {"nothing", 0, false}, {"kerne", 0, false}, {"", 0, false}};
  for (const auto &one : names) {
    CUfunction function = nullptr;
    CUdeviceptr pointer = 0;
    size_t bytes = 0;
    const CUresult as_kernel = cuModuleGetFunction(&function, module, one.name), as_variable = cuModuleGetGlobal(&pointer, &bytes, module, one.name);
    const bool is_kernel = one.exists && one.bytes == 0, is_variable = one.exists && one.bytes != 0;
    const CUresult none = *one.name == '\0' ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
    if (as_kernel != (is_kernel ? CUDA_SUCCESS : none)) bad++, printf("'%s' as a kernel: %d\n", one.name, as_kernel);
    if (as_variable != (is_variable ? CUDA_SUCCESS : is_kernel ? CUDA_ERROR_INVALID_VALUE : none)) bad++, printf("'%s' as a variable: %d\n", one.name, as_variable);
    if (is_variable && bytes != one.bytes) bad++, printf("'%s' has %zu bytes\n", one.name, bytes);
    if ((function != nullptr) != is_kernel || (pointer != 0) != is_variable) bad++, printf("'%s': wrong pointers\n", one.name);
  }
  printf(bad ? "wrong\n" : "right\n");
  return bad != 0;
}
