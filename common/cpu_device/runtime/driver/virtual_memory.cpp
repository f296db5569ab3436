// Memory whose addresses are reserved and mapped by the program: cuMemAddressReserve(),
// cuMemCreate(), cuMemMap(). A piece of memory is a file without a name, so that it can be mapped
// anywhere, and more than once.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../order/queue.h"
#include "driver.h"

using namespace cpu_device;

namespace {

constexpr size_t kPiece = size_t(2) << 20;  // as on GPUs; all sizes are multiples

struct Memory {
  int file, device;
  size_t bytes;
  // It lives as long as it has been created or retained more often than released, or is mapped somewhere.
  int holders = 1, mappings = 0;
};
struct Mapping {
  size_t bytes;
  CUmemGenericAllocationHandle memory;
  int protection = PROT_NONE;
};
std::map<CUmemGenericAllocationHandle, Memory>& memories() {
  static auto* all = new std::map<CUmemGenericAllocationHandle, Memory>;
  return *all;
}
// By the address where they begin.
std::map<CUdeviceptr, size_t>& reserved() {
  static auto* all = new std::map<CUdeviceptr, size_t>;
  return *all;
}
std::map<CUdeviceptr, Mapping>& mapped() {
  static auto* all = new std::map<CUdeviceptr, Mapping>;
  return *all;
}
size_t size_of(size_t bytes) { return bytes; }
size_t size_of(const Mapping& mapping) { return mapping.bytes; }

CUresult wrong(Site site, const std::string& what, const std::string& hint) {
  return result(fail(cudaErrorInvalidValue, site, what, hint));
}
CUresult wrong_size(Site site, const char* function, size_t bytes) {
  return wrong(
      site, format("%s: %zu bytes is not a valid size", function, bytes),
      format("use a multiple of %zu, which cuMemGetAllocationGranularity() returns.", kPiece));
}

// Whether [pointer, pointer + bytes) lies within one of the ranges.
template <typename Range>
bool within(const std::map<CUdeviceptr, Range>& ranges, CUdeviceptr pointer, size_t bytes) {
  auto after = ranges.upper_bound(pointer);
  if (after == ranges.begin()) return false;
  --after;
  const size_t size = size_of(after->second);
  return pointer - after->first <= size && bytes <= size - (pointer - after->first);
}

template <typename Range>
bool touches(const std::map<CUdeviceptr, Range>& ranges, CUdeviceptr pointer, size_t bytes) {
  const auto after = ranges.lower_bound(pointer + bytes);
  if (after == ranges.begin()) return false;
  const auto last = std::prev(after);
  return last->first + size_of(last->second) > pointer;
}

// What is mapped where the pointer points to, or null.
const Mapping* mapping_at(CUdeviceptr pointer) {
  auto after = mapped().upper_bound(pointer);
  if (after == mapped().begin()) return nullptr;
  --after;
  return pointer - after->first < after->second.bytes ? &after->second : nullptr;
}

void forget_if_unused(std::map<CUmemGenericAllocationHandle, Memory>::iterator memory) {
  if (memory->second.holders > 0 || memory->second.mappings > 0) return;
  close(memory->second.file);
  device(memory->second.device).memory_used -= memory->second.bytes;
  memories().erase(memory);
}

// These addresses cannot be accessed, and are not given to another mapping.
bool close_addresses(CUdeviceptr pointer, size_t bytes) {
  return mmap(address(pointer), bytes, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags, Site site) {
  CPU_DEVICE_READY;
  *bytes = kPiece;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long, Site site) {
  CPU_DEVICE_READY;
  if (bytes == 0 || bytes % kPiece != 0) return wrong_size(site, "cuMemAddressReserve", bytes);
  alignment = std::max(alignment, kPiece);
  if ((alignment & (alignment - 1)) != 0)
    return wrong(site, format("cuMemAddressReserve: %zu is not a valid alignment", alignment),
                 "use a power of two.");
  // More than is asked for, of which the part that is aligned is kept.
  void* place = check::reserve(bytes + alignment);
  const int fixed = place != nullptr ? MAP_FIXED : 0;
  place = mmap(place, bytes + alignment, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (place == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = (reinterpret_cast<CUdeviceptr>(place) + alignment - 1) / alignment * alignment;
  reserved()[*pointer] = bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  const auto found = reserved().find(pointer);
  if (found == reserved().end() || found->second != bytes)
    return wrong(site, "cuMemAddressFree of addresses that were not reserved in this way",
                 "pass the address and the size of cuMemAddressReserve().");
  if (touches(mapped(), pointer, bytes))
    return wrong(site, "cuMemAddressFree of addresses where memory is still mapped",
                 "call cuMemUnmap() first.");
  reserved().erase(found);
  munmap(address(pointer), bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* memory, size_t bytes,
                     const CUmemAllocationProp* what, unsigned long long, Site site) {
  CPU_DEVICE_READY;
  if (bytes == 0 || bytes % kPiece != 0) return wrong_size(site, "cuMemCreate", bytes);
  if (what == nullptr || what->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      what->location.type != cudaMemLocationTypeDevice || what->location.id < 0 ||
      what->location.id >= settings().devices)
    return wrong(site, "cuMemCreate of memory that is not device memory",
                 "use the type CU_MEM_ALLOCATION_TYPE_PINNED and the location CU_MEM_LOCATION_TYPE_DEVICE.");
  if (what->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return result(fail(cudaErrorNotSupported, site, "the CPU device does not support memory that is shared with other processes"));
  Device& owner = device(what->location.id);
  if (bytes > settings().memory - owner.memory_used) return CUDA_ERROR_OUT_OF_MEMORY;
  const int file = memfd_create("cuMemCreate", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  static CUmemGenericAllocationHandle last = 0;
  memories()[*memory = ++last] = {file, what->location.id, bytes};
  owner.memory_used += bytes;
  return CUDA_SUCCESS;
}

// What is mapped stays until it is unmapped.
CUresult cuMemRelease(CUmemGenericAllocationHandle memory, Site site) {
  CPU_DEVICE_READY;
  const auto found = memories().find(memory);
  if (found == memories().end() || found->second.holders == 0)
    return wrong(site, "cuMemRelease of memory that cuMemCreate() did not create, or that was already released",
                 "");
  found->second.holders--;
  forget_if_unused(found);
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* memory, void* pointer, Site site) {
  CPU_DEVICE_READY;
  const Mapping* const mapping = mapping_at(reinterpret_cast<CUdeviceptr>(pointer));
  if (mapping == nullptr)
    return wrong(site, "cuMemRetainAllocationHandle of an address where nothing is mapped", "call cuMemMap() first.");
  *memory = mapping->memory;
  memories().at(mapping->memory).holders++;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* what, CUmemGenericAllocationHandle memory,
                                                Site site) {
  CPU_DEVICE_READY;
  const auto found = memories().find(memory);
  if (found == memories().end())
    return wrong(site, "properties of memory that was never created, or was already released", "");
  *what = CUmemAllocationProp{};
  what->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what->location.type = cudaMemLocationTypeDevice;
  what->location.id = found->second.device;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation*, CUdeviceptr pointer, Site site) {
  CPU_DEVICE_READY;
  const Mapping* const mapping = mapping_at(pointer);
  if (mapping == nullptr) return wrong(site, "cuMemGetAccess of an address where nothing is mapped", "");
  *flags = (mapping->protection & PROT_WRITE) != 0  ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
           : (mapping->protection & PROT_READ) != 0 ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                    : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle memory, unsigned long long, Site site) {
  CPU_DEVICE_READY;
  const auto found = memories().find(memory);
  if (found == memories().end() || found->second.holders == 0)
    return wrong(site, "cuMemMap of memory that was never created, or was already released", "");
  if (bytes == 0 || bytes % kPiece != 0 || offset != 0 || bytes > found->second.bytes)
    return wrong_size(site, "cuMemMap", bytes);
  if (pointer % kPiece != 0 || !within(reserved(), pointer, bytes) ||
      touches(mapped(), pointer, bytes))
    return wrong(site,
                 "cuMemMap to addresses that are not reserved, or where memory is already mapped",
                 "reserve the addresses with cuMemAddressReserve(), and map only one piece of memory at each address.");
  if (mmap(address(pointer), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, found->second.file, 0) ==
      MAP_FAILED)
    return CUDA_ERROR_MAP_FAILED;
  mapped()[pointer] = {bytes, memory};
  found->second.mappings++;
  add_mapped_memory(address(pointer), bytes, site);
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  const CUdeviceptr end = pointer + bytes;
  const auto first = mapped().find(pointer);
  CUdeviceptr covered = pointer;
  for (auto piece = first; piece != mapped().end() && piece->first == covered && covered < end; ++piece)
    covered += piece->second.bytes;
  if (covered != end)
    return wrong(site, "cuMemUnmap of addresses where nothing is mapped, or of a part of a mapping",
                 "");
  for (auto piece = first; piece != mapped().end() && piece->first < end;) {
    const size_t size = piece->second.bytes;
    close_addresses(piece->first, size);
    remove_mapped_memory(address(piece->first), size);
    const auto memory = memories().find(piece->second.memory);
    memory->second.mappings--;
    forget_if_unused(memory);
    piece = mapped().erase(piece);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                        size_t count, Site site) {
  CPU_DEVICE_READY;
  int protection = PROT_NONE;
  for (size_t i = 0; i < count; i++) {
    if ((access[i].flags & CU_MEM_ACCESS_FLAGS_PROT_READ) != 0) protection |= PROT_READ;
    if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) protection |= PROT_WRITE;
  }
  CUdeviceptr covered = pointer;
  for (auto piece = mapped().find(pointer);
       piece != mapped().end() && piece->first == covered && covered < pointer + bytes; ++piece)
    covered += piece->second.bytes;
  if (covered != pointer + bytes)
    return wrong(site,
                 "cuMemSetAccess to addresses where nothing is mapped, or to a part of a mapping",
                 "call cuMemMap() first.");
  if (mprotect(address(pointer), bytes, protection) != 0) return CUDA_ERROR_MAP_FAILED;
  for (auto piece = mapped().find(pointer); piece != mapped().end() && piece->first < covered; ++piece)
    piece->second.protection = protection;
  return CUDA_SUCCESS;
}
