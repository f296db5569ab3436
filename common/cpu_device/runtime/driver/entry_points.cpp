// Functions of the driver interface by their names: cuGetProcAddress() and cudaGetDriverEntryPoint().
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
// Since CUDA 11.4: with a list of affinities for execution.
CUresult create_context_v3(CUcontext* context, void*, int affinities, unsigned int flags, CUdevice device) {
  if (affinities != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return cuCtxCreate(context, flags, device, check::site_of_caller());
}
CUresult create_context_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, parameters, flags, device, check::site_of_caller());
}

const std::map<std::string, void*>& entry_points() {
#define CPU_DEVICE_ENTRY(name) {#name, reinterpret_cast<void*>(&Entry<&name>::call)},
  static auto* const all = new std::map<std::string, void*>{
#include "entry_points.inc"
  };
#undef CPU_DEVICE_ENTRY
  return *all;
}

// Null if there is none. The version of CUDA chooses among the forms of a function; names such as cuCtxCreate_v2 are those
// of the library, and the driver does not find them, either.
void* find(const std::string& name, int version) {
  if (name == "cuCtxCreate") {
    if (version >= 12050) return reinterpret_cast<void*>(&create_context_v4);
    return version >= 11040 ? reinterpret_cast<void*>(&create_context_v3) : reinterpret_cast<void*>(&create_context);
  }
  const auto& all = entry_points();
  const auto found = all.find(name);
  return found != all.end() ? found->second : nullptr;
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
