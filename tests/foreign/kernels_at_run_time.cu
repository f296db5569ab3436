// In the manner of programs with NVRTC: kernels from text, compiled, loaded, found by their names and by
// name expressions; a text that does not compile, and its log.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

#define RTC(call) do { nvrtcResult r_ = (call); if (r_ != NVRTC_SUCCESS) { \
    fprintf(stderr, "%s: %s\n", #call, nvrtcGetErrorString(r_)); return 1; } } while (0)
#define DRIVER(call) do { CUresult r_ = (call); if (r_ != CUDA_SUCCESS) { const char *name_; \
    cuGetErrorName(r_, &name_); fprintf(stderr, "%s: %s\n", #call, name_); return 1; } } while (0)

// A name that the kernel has, too: each keeps its own.
const char *scale = R"(
#include "factor.h"
extern "C" __global__ void scale(float *x, size_t n) {
  extern __shared__ float tile[];
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) x[i] = FACTOR * tile[blockDim.x - 1 - threadIdx.x];
}
template <int N, typename T> __global__ void power(T *x) { for (int i = 1; i < N; i++) x[1] *= x[0]; }
__device__ int offset;
namespace deep { __constant__ int limit = 5; }
static __global__ void add(int *x) { *x += offset + deep::limit; }
)";

int main() {
  int bad = 0;
  const char *header = "#define FACTOR WANTED", *header_name = "factor.h";
  nvrtcProgram program;
  RTC(nvrtcCreateProgram(&program, scale, "scale.cu", 1, &header, &header_name));
  const std::vector<std::string> names = {"power<3, float>", "&add", "&offset"};
  for (const std::string &name : names) RTC(nvrtcAddNameExpression(program, name.c_str()));
  const char *options[] = {"--gpu-architecture=compute_75", "-std=c++17", "-DWANTED=2.5f"};
  RTC(nvrtcCompileProgram(program, 3, options));
  size_t bytes;
  RTC(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> code(bytes);
  RTC(nvrtcGetPTX(program, code.data()));

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER(cuCtxSetCurrent(context));
  DRIVER(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr));

  float host[100];
  for (int i = 0; i < 100; i++) host[i] = i;
  size_t n = 100;
  CUdeviceptr x;
  DRIVER(cuMemAlloc(&x, sizeof host));
  DRIVER(cuMemcpyHtoD(x, host, sizeof host));
  void *arguments[] = {&x, &n};
  DRIVER(cuModuleGetFunction(&kernel, module, "scale"));
  DRIVER(cuLaunchKernel(kernel, 2, 1, 1, 50, 1, 1, 50 * sizeof(float), nullptr, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(host, x, sizeof host));
  for (int i = 0; i < 100; i++) bad |= host[i] != 2.5f * (i / 50 * 50 + 49 - i % 50);

  const char *lowered;
  host[0] = 3, host[1] = 2;
  DRIVER(cuMemcpyHtoD(x, host, 8));
  RTC(nvrtcGetLoweredName(program, names[0].c_str(), &lowered));
  DRIVER(cuModuleGetFunction(&kernel, module, lowered));
  DRIVER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(host, x, 8));
  if (host[1] != 18) bad = 1, printf("power: %f\n", host[1]);

  int value = 30;
  CUdeviceptr variable;
  RTC(nvrtcGetLoweredName(program, "&offset", &lowered));
  DRIVER(cuModuleGetGlobal(&variable, &bytes, module, lowered));
  DRIVER(cuMemcpyHtoD(variable, &value, sizeof value));
  value = 7;
  DRIVER(cuMemcpyHtoD(x, &value, sizeof value));
  RTC(nvrtcGetLoweredName(program, "&add", &lowered));
  DRIVER(cuModuleGetFunction(&kernel, module, lowered));
  // The arguments in one buffer, as well.
  size_t size = sizeof x;
  void *packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &x, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                    CU_LAUNCH_PARAM_END};
  DRIVER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, packed));
  DRIVER(cuMemcpyDtoH(&value, x, sizeof value));
  if (value != 42 || bytes != sizeof(int)) bad = 1, printf("add: %d, %zu bytes\n", value, bytes);

  if (cuModuleGetFunction(&kernel, module, "nothing") != CUDA_ERROR_NOT_FOUND) bad = 1;
  DRIVER(cuModuleUnload(module));
  RTC(nvrtcDestroyProgram(&program));

  RTC(nvrtcCreateProgram(&program, "\n__global__ void k() { undeclared = 1; }", "b.cu", 0, nullptr, nullptr));
  bad |= nvrtcCompileProgram(program, 0, nullptr) != NVRTC_ERROR_COMPILATION;
  RTC(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, '\0');
  RTC(nvrtcGetProgramLog(program, &log[0]));
  if ((log.find("b.cu:2") == log.npos && log.find("b.cu(2)") == log.npos) || log.find("undeclared") == log.npos) bad = 1, puts(log.c_str());
  // Each character that can be written in a macro comes as it is, though a shell would take it for something else.
  std::vector<std::string> definitions;
  std::string text = "extern \"C\" __global__ void letters(char *x) {\n";
  for (char c = ' '; c < 127; c++) {
    if (c == '\'' || c == '\\') continue;
    definitions.push_back("-DLETTER" + std::to_string(c) + "='" + c + "'");
    text += "x[" + std::to_string(c) + "] = LETTER" + std::to_string(c) + ";\n";
  }
  std::vector<const char *> all;
  for (const std::string &one : definitions) all.push_back(one.c_str());
  RTC(nvrtcCreateProgram(&program, (text + "}").c_str(), "letters.cu", 0, nullptr, nullptr));
  RTC(nvrtcCompileProgram(program, static_cast<int>(all.size()), all.data()));
  RTC(nvrtcGetPTXSize(program, &bytes));
  code.resize(bytes);
  RTC(nvrtcGetPTX(program, code.data()));
  DRIVER(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr));
  DRIVER(cuModuleGetFunction(&kernel, module, "letters"));
  DRIVER(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  char letters[127];
  DRIVER(cuMemcpyDtoH(letters, x, sizeof letters));
  for (char c = ' '; c < 127; c++)
    if (c != '\'' && c != '\\' && letters[static_cast<int>(c)] != c) bad = 1, printf("the character %c is %d\n", c, letters[static_cast<int>(c)]);
  RTC(nvrtcDestroyProgram(&program));
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
