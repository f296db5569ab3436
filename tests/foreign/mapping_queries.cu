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

// Pieces are mapped and taken away in any order, one or two at once, between others, beside them and over them. What is
// free must be given, what is taken or beyond the end must not.
int any_order(const CUmemAllocationProp &what, const CUmemAccessDesc &access, size_t piece) {
  constexpr int kPieces = 5;
  CUdeviceptr at;
  CHECK(cuMemAddressReserve(&at, kPieces * piece, 0, 0, 0));
  CUmemGenericAllocationHandle memory[2];
  for (int i = 0; i < 2; i++) CHECK(cuMemCreate(&memory[i], (i + 1) * piece, &what, 0));
  int length[kPieces] = {}, wrong = 0;  // of what begins there
  unsigned next = 1;
  const auto below = [&](unsigned n) { return (next = next * 1664525u + 1013904223u) >> 16, (next >> 16) % n; };
  const auto overlaps = [&](int first, int end) {
    for (int i = 0; i < kPieces; i++)
      if (i < end && i + length[i] > first && length[i] > 0) return true;
    return false;
  };
  for (int step = 0; step < 400; step++) {
    const int first = static_cast<int>(below(kPieces)), pieces = 1 + static_cast<int>(below(2));
    // Who may touch whole pieces, of which each must be mapped.
    int mappings = 0, end = first;
    for (; end < kPieces && length[end] > 0 && below(3) > 0; end += length[end]) mappings++;
    if (mappings > 0) CHECK(cuMemSetAccess(at + first * piece, (end - first) * piece, &access, 1));
    const bool is_free = length[first] == 0 && !overlaps(first, first + 1);
    if (is_free && cuMemSetAccess(at + first * piece, piece, &access, 1) == CUDA_SUCCESS)
      printf("step %d: access to piece %d, which is not mapped\n", step, first), wrong++;
    if (mappings > 0 && end < kPieces && length[end] == 0 && cuMemSetAccess(at + first * piece, (end + 1 - first) * piece, &access, 1) == CUDA_SUCCESS)
      printf("step %d: access to pieces %d to %d, of which the last is not mapped\n", step, first, end), wrong++;
    if (length[first] > 0 && below(2) == 0) {
      CHECK(cuMemUnmap(at + first * piece, length[first] * piece));
      length[first] = 0;
      continue;
    }
#ifndef __CPU_DEVICE__  // an H200 also maps what reaches beyond the end, into what was not reserved
    if (first + pieces > kPieces) continue;
#endif
    const bool fits = first + pieces <= kPieces && !overlaps(first, first + pieces);
    const bool mapped = cuMemMap(at + first * piece, pieces * piece, 0, memory[pieces - 1], 0) == CUDA_SUCCESS;
    if (mapped != fits) printf("step %d: %d pieces at %d are %smapped\n", step, pieces, first, mapped ? "" : "not "), wrong++;
    if (mapped) length[first] = pieces;
  }
  for (int i = 0; i < kPieces; i++)
    if (length[i] > 0) CHECK(cuMemUnmap(at + i * piece, length[i] * piece));
  for (const CUmemGenericAllocationHandle one : memory) CHECK(cuMemRelease(one));
  CHECK(cuMemAddressFree(at, kPieces * piece));
  return wrong;
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
  [[maybe_unused]] size_t free_before = 0, free_after = 0, total = 0;
  CHECK(cuMemGetInfo(&free_before, &total));
  unsigned context_flags = 0;
  int is_active = 0;
  CHECK(cuDevicePrimaryCtxGetState(device, &context_flags, &is_active));
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
  // Memory of the devices that are there, and not of those beside them.
  int count = 0;
  CHECK(cuDeviceGetCount(&count));
  for (const int number : {-1, 0, count - 1, count}) {
    what.location.id = number;
    const bool made = cuMemCreate(&other, piece, &what, 0) == CUDA_SUCCESS;
    if (made != (number >= 0 && number < count)) printf("memory of device %d\n", number), wrong++;
    if (made) CHECK(cuMemRelease(other));
  }
  what.location.id = device;
  wrong += any_order(what, access, piece);
#ifdef __CPU_DEVICE__  // others may use a GPU
  // All of it has come back, what was released before its mapping went as well as what went after.
  CHECK(cuMemGetInfo(&free_after, &total));
  wrong += free_after != free_before;
#endif
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
