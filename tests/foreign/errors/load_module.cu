// expect: cuModuleLoad: code for a GPU (PTX, cubin) cannot run on the CPU device
#include <cuda.h>
int main() {
  CUmodule module;
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  return cuModuleLoad(&module, "kernel.ptx") == CUDA_SUCCESS ? 0 : 1;
}
