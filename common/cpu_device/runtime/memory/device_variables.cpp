// __device__ and __constant__ variables: their addresses, copies to and from them, and a copy for each device.
#include <algorithm>
#include <map>
#include <vector>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "around_operations.h"
#include "blocks.h"
#include "copies.h"

namespace cpu_device {

namespace {

// Each device has its own copy of every __device__ and __constant__ variable that the host ever named.
// The copy of the device that worked last is in place, the others are here.
std::map<uintptr_t, std::vector<std::vector<unsigned char>>>& variable_copies() {
  static auto* all = new std::map<uintptr_t, std::vector<std::vector<unsigned char>>>;
  return *all;
}
int device_in_place = 0;

// Registers a variable, so that its address passes as device memory.
void register_variable(void* symbol, size_t bytes) {
  const auto base = reinterpret_cast<uintptr_t>(symbol);
  if (blocks().count(base) != 0) return;
  blocks()[base] = {base, bytes, MemoryKind::symbol, current_device(), 0, {"a declaration", 0},
                    nullptr, 0};
  if (settings().devices > 1) {
    const auto* contents = static_cast<const unsigned char*>(symbol);
    variable_copies()[base].assign(static_cast<size_t>(settings().devices),
                                 {contents, contents + bytes});
  }
}

cudaError_t check_symbol(size_t symbol_bytes, size_t bytes, size_t offset, Site site) {
  if (offset <= symbol_bytes && bytes <= symbol_bytes - offset) return cudaSuccess;
  return fail(cudaErrorInvalidValue, site,
              format("the copy of %zu bytes, starting at byte %zu, exceeds the variable of %zu bytes",
                     bytes, offset, symbol_bytes),
              "sizes and offsets are in bytes. Reduce them.");
}

}  // namespace

bool is_device_variable(uintptr_t address) {
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  return block != nullptr && block->kind == MemoryKind::symbol;
}

void select_device_variables(int device) {
  if (device == device_in_place) return;
  for (auto& [base, copies] : variable_copies()) {
    auto* variable = reinterpret_cast<unsigned char*>(base);
    std::vector<unsigned char>& before = copies[static_cast<size_t>(device_in_place)];
    std::copy_n(variable, before.size(), before.data());
    const std::vector<unsigned char>& now = copies[static_cast<size_t>(device)];
    std::copy_n(now.data(), now.size(), variable);
  }
  device_in_place = device;
}

cudaError_t copy_to_symbol(void* symbol, size_t symbol_bytes, const void* from, size_t bytes,
                           size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                           Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_symbol(symbol_bytes, bytes, offset, site);
  if (error != cudaSuccess) return error;
  register_variable(symbol, symbol_bytes);
  return copy(static_cast<char*>(symbol) + offset, from, {bytes, bytes, bytes, 1}, kind, stream, async,
              site);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t symbol_bytes, size_t bytes,
                             size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                             Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_symbol(symbol_bytes, bytes, offset, site);
  if (error != cudaSuccess) return error;
  register_variable(const_cast<void*>(symbol), symbol_bytes);
  return copy(to, static_cast<const char*>(symbol) + offset, {bytes, bytes, bytes, 1}, kind, stream,
              async, site);
}

cudaError_t symbol_address(void** pointer, void* symbol, size_t bytes) {
  const Guard guard(host_lock());
  register_variable(symbol, bytes);
#ifdef CPU_DEVICE_CHECK
  check::symbol_address_asked(symbol);
#endif
  *pointer = symbol;
  return cudaSuccess;
}

}  // namespace cpu_device
