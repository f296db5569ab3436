// Memory whose addresses the program reserves, and fills with pieces as it grows; one of them
// leaves.
#include <cuda.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                    \
  do {                                                 \
    const CUresult result = call;                      \
    if (result != CUDA_SUCCESS) {                      \
      printf("line %d: error %d\n", __LINE__, result); \
      return 1;                                        \
    }                                                  \
  } while (0)

__global__ void number(int* values, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = static_cast<int>(i);
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  int supported = 0;
  CHECK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                             device));
  if (!supported) return 77;

  CUmemAllocationProp what = {};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  what.location.id = device;
  CUmemAccessDesc access = {};
  access.location = what.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  size_t bytes = 0;
  CHECK(cuMemGetAllocationGranularity(&bytes, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));

  constexpr int kPieces = 3;
  CUdeviceptr base;
  CUmemGenericAllocationHandle pieces[kPieces];
  CHECK(cuMemAddressReserve(&base, 4 * bytes, 0, 0, 0));
  for (int i = 0; i < kPieces; i++) {
    CHECK(cuMemCreate(&pieces[i], bytes, &what, 0));
    CHECK(cuMemMap(base + i * bytes, bytes, 0, pieces[i], 0));
    CHECK(cuMemSetAccess(base + i * bytes, bytes, &access, 1));
  }
  const size_t count = kPieces * bytes / sizeof(int);
  number<<<32, 128>>>(reinterpret_cast<int*>(base), count);
  std::vector<int> got(count);
  CHECK(cuMemcpyDtoH(got.data(), base, kPieces * bytes));
  bool right = true;
  for (size_t i = 0; i < count; i++) right &= got[i] == static_cast<int>(i);

  // Without the piece in the middle, the two beside it are as before, and no copy goes across.
  CHECK(cuMemUnmap(base + bytes, bytes));
  CHECK(cuMemRelease(pieces[1]));
  CHECK(cuMemcpyDtoH(got.data(), base + 2 * bytes, bytes));
  right &= got[0] == static_cast<int>(2 * bytes / sizeof(int));
  right &= cuMemcpyDtoH(got.data(), base, kPieces * bytes) != CUDA_SUCCESS;

  CHECK(cuMemUnmap(base, bytes));
  CHECK(cuMemUnmap(base + 2 * bytes, bytes));
  CHECK(cuMemRelease(pieces[0]));
  CHECK(cuMemRelease(pieces[2]));
  CHECK(cuMemAddressFree(base, 4 * bytes));
  CHECK(cuDevicePrimaryCtxRelease(device));
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
