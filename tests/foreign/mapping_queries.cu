// In the manner of allocators that map memory themselves: what is mapped at an address, who may touch it, and memory
// that stays after its handle was released. Link with -lcuda on a GPU.
#include <cuda.h>

#include <cstdio>

#define CHECK(call)                                       \
  do {                                                    \
    if ((call) != CUDA_SUCCESS) {                         \
      printf("line %d: " #call " failed\n", __LINE__);    \
      return 1;                                           \
    }                                                     \
  } while (0)

__global__ void fill(int *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
}

int main() {
  cudaFree(nullptr);  // the runtime makes its context current
  CUdevice device = -1;
  CHECK(cuCtxGetDevice(&device));
  CUmemAllocationProp what = {};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  what.location.id = device;
  size_t piece = 0;
  CHECK(cuMemGetAllocationGranularity(&piece, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr at;
  CHECK(cuMemAddressReserve(&at, 2 * piece, 0, 0, 0));
  CUmemGenericAllocationHandle memory, again, other;
  CHECK(cuMemCreate(&memory, piece, &what, 0));
  CHECK(cuMemMap(at, piece, 0, memory, 0));
  unsigned long long flags = 99;
  CUmemLocation here = what.location;
  CHECK(cuMemGetAccess(&flags, &here, at));
  int wrong = flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CUmemAccessDesc access = {};
  access.location = what.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(at, piece, &access, 1));
  CHECK(cuMemGetAccess(&flags, &here, at + piece - 1));
  wrong += flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemRelease(memory));  // the mapping keeps it
  const int n = static_cast<int>(piece / sizeof(int));
  fill<<<1, 128>>>(reinterpret_cast<int *>(at), n);
  CHECK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void *>(at + 4)));
  CUmemAllocationProp found = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&found, again));
  wrong += found.type != what.type || found.location.id != device || device != 0 || found.location.type != what.location.type;
  // The same memory at the second address.
  CHECK(cuMemMap(at + piece, piece, 0, again, 0));
  CHECK(cuMemSetAccess(at + piece, piece, &access, 1));
  CHECK(cuMemRelease(again));
  int last = 0;
  CHECK(cuMemcpyDtoH(&last, at + 2 * piece - sizeof(int), sizeof last));
  wrong += last != n - 1;
  CHECK(cuMemUnmap(at, piece));
  wrong += cuMemRetainAllocationHandle(&other, reinterpret_cast<void *>(at)) == CUDA_SUCCESS;
  CHECK(cuMemUnmap(at + piece, piece));
  wrong += cuMemRelease(memory) == CUDA_SUCCESS;  // gone
  CHECK(cuMemAddressFree(at, 2 * piece));
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
