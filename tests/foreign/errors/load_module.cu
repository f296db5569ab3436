// expect: cuModuleLoadData: code for a GPU (PTX, cubin) cannot run on the CPU device
#include <cuda.h>
int main() {
  CUmodule module;
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  return cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n.address_size 64\n") == CUDA_SUCCESS ? 0 : 1;
}
