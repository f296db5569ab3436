// In the manner of libraries that ask what a pointer is: each kind of memory, at its first byte, inside, and at its last byte,
// asked with the runtime and the driver, one attribute at a time and several together. All must say the same.
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call) \
  if (auto state = (call)) return printf("%s: %d\n", #call, int(state)), 2

int wrong = 0;

void expect(const char *kind, long at, const char *what, long long got, long long wanted) {
  if (got != wanted) wrong++, fprintf(stderr, "%s + %ld: %s is %lld, expected %lld\n", kind, at, what, got, wanted);
}

int ask(const char *kind, char *base, long at, int type, int device, bool on_host) {
  char *const pointer = base + at;
  const bool known = type != cudaMemoryTypeUnregistered, managed = type == cudaMemoryTypeManaged;
  cudaPointerAttributes all;
  CHECK(cudaPointerGetAttributes(&all, pointer));
  expect(kind, at, "type", all.type, type);
  expect(kind, at, "device", all.device, device);
  expect(kind, at, "devicePointer", all.devicePointer == pointer, known);
  if (known) expect(kind, at, "hostPointer", all.hostPointer == pointer, on_host);

  // Values that no answer leaves as they are.
  unsigned memory_type = 99, is_managed = 99;
  int ordinal = 99, mapped = 99;
  CUdeviceptr on_device = 99;
  void *host = &all;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                      CU_POINTER_ATTRIBUTE_IS_MANAGED,  CU_POINTER_ATTRIBUTE_MAPPED,
                                      CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void *values[] = {&memory_type, &ordinal, &is_managed, &mapped, &on_device, &host};
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(pointer);
  CHECK(cuPointerGetAttributes(6, attributes, values, address));
  expect(kind, at, "ordinal", ordinal, device);
  expect(kind, at, "is managed", is_managed, managed);
  expect(kind, at, "mapped", mapped, known);
  expect(kind, at, "device pointer", on_device, known ? address : 0);
  if (!known || on_host) expect(kind, at, "host pointer", host == pointer, true);
  // Of managed memory the driver says where it would be used.
  if (!managed) expect(kind, at, "memory type", memory_type, !known ? 0 : type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);

  int one = 99;
  const CUresult alone = cuPointerGetAttribute(&one, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
  expect(kind, at, "the error for one attribute", alone, known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
  if (known) expect(kind, at, "the ordinal alone", one, device);
  return 0;
}

int main() {
  constexpr long kBytes = 4096;
  char *plain = static_cast<char *>(aligned_alloc(4096, 2 * kBytes)), *registered = static_cast<char *>(aligned_alloc(4096, kBytes));
  char *device, *managed, *pinned, *stack = static_cast<char *>(alloca(kBytes));
  CHECK(cudaMalloc(&device, kBytes));
  CHECK(cudaMallocManaged(&managed, kBytes));
  CHECK(cudaMallocHost(&pinned, kBytes));
  CHECK(cudaHostRegister(registered, kBytes, cudaHostRegisterDefault));
  for (long at : {0L, 1L, kBytes / 2, kBytes - 1}) {
    if (ask("malloc", plain, at, cudaMemoryTypeUnregistered, -2, false)) return 2;
    if (ask("the stack", stack, at, cudaMemoryTypeUnregistered, -2, false)) return 2;
    if (ask("cudaMalloc", device, at, cudaMemoryTypeDevice, 0, false)) return 2;
    if (ask("managed", managed, at, cudaMemoryTypeManaged, 0, true)) return 2;
    if (ask("pinned", pinned, at, cudaMemoryTypeHost, 0, true)) return 2;
    if (ask("registered", registered, at, cudaMemoryTypeHost, 0, true)) return 2;
  }
  CHECK(cudaHostUnregister(registered));
  if (ask("registered before", registered, 0, cudaMemoryTypeUnregistered, -2, false)) return 2;
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
