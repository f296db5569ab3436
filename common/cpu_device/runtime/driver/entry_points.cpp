// Functions of the driver interface by their names: cuGetProcAddress() and cudaGetDriverEntryPoint().
#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "../../include/cpu_device/driver_entry_points.h"
#include "../check/check.h"
#include "../faults/error_messages.h"
#include "driver.h"
#include "runtime_use.h"

using namespace cpu_device;

namespace {

// Our function in CUDA's form: only a checked run finds out the line of the call.
template <auto function, typename Type = CudaForm<std::remove_pointer_t<decltype(function)>>>
struct Entry;
template <auto function, typename Result, typename... Parameters>
struct Entry<function, Result(Parameters...)> {
  static Result call(Parameters... parameters) {
    if constexpr (std::is_invocable_v<decltype(function), Parameters...>)
      return function(parameters...);
    else
      return function(parameters..., check::site_of_caller());
  }
};

CUresult create_context(CUcontext* context, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device, check::site_of_caller());
}
CUresult create_context_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, parameters, flags, device, check::site_of_caller());
}

const std::map<std::string, void*>& entry_points() {
#define CPU_DEVICE_ENTRY(name) {#name, reinterpret_cast<void*>(&Entry<&name>::call)},
  static auto* const all = new std::map<std::string, void*>{
#include "entry_points.inc"
      {"cuCtxCreate", reinterpret_cast<void*>(&create_context)},
      {"cuCtxCreate_v2", reinterpret_cast<void*>(&create_context)},
      {"cuCtxCreate_v4", reinterpret_cast<void*>(&create_context_v4)},
      {"cuGetProcAddress_v2", reinterpret_cast<void*>(&cuGetProcAddress)},
  };
#undef CPU_DEVICE_ENTRY
  return *all;
}

// Null if there is none. `_v2` and `_ptsz` at the end of a name choose a form of the same function.
void* find(std::string name, int version) {
  if (name == "cuCtxCreate" && version >= 13000) name = "cuCtxCreate_v4";
  const auto& all = entry_points();
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  for (const char* ending : {"_ptsz", "_ptds", "_v2", "_v3"}) {
    const size_t at = name.size() - std::min(name.size(), strlen(ending));
    if (at > 0 && name.compare(at, std::string::npos, ending) == 0) return find(name.substr(0, at), version);
  }
  return nullptr;
}

}  // namespace

CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* answer) {
  if (name == nullptr || function == nullptr) return result(fail(cudaErrorInvalidValue));
  *function = find(name, version);
  const bool found = *function != nullptr;
  if (answer != nullptr) *answer = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found || answer != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* answer) {
  note_runtime_use();
  CUdriverProcAddressQueryResult found;
  const CUresult state = cuGetProcAddress(name, function, static_cast<int>(version), flags, &found);
  if (answer != nullptr) *answer = static_cast<cudaDriverEntryPointQueryResult>(found);
  if (state == CUDA_SUCCESS && *function == nullptr && answer == nullptr) return fail(cudaErrorSymbolNotFound);
  return static_cast<cudaError_t>(state);
}
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* answer) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDA_VERSION, flags, answer);
}
