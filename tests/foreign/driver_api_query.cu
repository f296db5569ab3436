// In the manner of "device query" programs: the driver interface next to the runtime's.
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                    \
  do {                                                                 \
    CUresult code = (call);                                            \
    if (code != CUDA_SUCCESS) {                                        \
      const char *name = NULL, *text = NULL;                           \
      cuGetErrorName(code, &name);                                     \
      cuGetErrorString(code, &text);                                   \
      printf("%s:%d %s (%s)\n", __FILE__, __LINE__, name, text);       \
      return 1;                                                        \
    }                                                                  \
  } while (0)

__global__ void twice(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main(void) {
  int count = 0, version = 0, major = 0, minor = 0, threads = 0;
  char name[100];
  size_t bytes = 0;
  CUdevice device;
  CUcontext context;

  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&version));
  CHECK(cuDeviceGetCount(&count));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceTotalMem(&bytes, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  printf("%d device(s), driver %d, %s, %zu bytes, %d.%d\n", count, version, name, bytes, major,
         minor);
  if (count < 1 || strlen(name) == 0 || bytes == 0 || threads != 1024) return 1;

  // The devices that are there, and those beside them; a name of one character, which is the end; a name for the error.
  for (const int number : {-1, 0, count - 1, count, 1000}) {
    const bool there = number >= 0 && number < count;
    CUdevice one = number;
    unsigned flags = 0;
    int active = 0;
    const CUresult answers[] = {cuDeviceGet(&one, number), cuDeviceGetName(name, 1, number), cuDeviceTotalMem(&bytes, number),
                                cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, number),
                                cuDevicePrimaryCtxGetState(number, &flags, &active), cuDevicePrimaryCtxRetain(&context, number)};
    for (int i = 0; i < 6; i++)
      if (answers[i] != (there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE)) return printf("question %d of device %d: %d\n", i, number, answers[i]), 1;
    if (there && (one != number || name[0] != 0)) return printf("device %d\n", number), 1;
    if (there) CHECK(cuDevicePrimaryCtxRelease(number));
  }
  const char *error_name = NULL;
  cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &error_name);
  if (strcmp(error_name, "CUDA_ERROR_OUT_OF_MEMORY") != 0) return 1;

  // Memory of the driver's in a kernel of the runtime's.
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  const int n = 1000;
  int host[n], back[n];
  for (int i = 0; i < n; i++) host[i] = i;
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, sizeof host));
  CHECK(cuMemcpyHtoD(memory, host, sizeof host));
  twice<<<(n + 255) / 256, 256>>>((int *)memory, n);
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(back, memory, sizeof back));
  for (int i = 0; i < n; i++)
    if (back[i] != 2 * i) return 1;
  CHECK(cuMemsetD32(memory, 7, n));
  CHECK(cuMemcpyDtoH(back, memory, sizeof back));
  for (int i = 0; i < n; i++)
    if (back[i] != 7) return 1;
  CHECK(cuMemFree(memory));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return 0;
}
