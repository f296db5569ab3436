// Modules: kernels that are loaded while the program runs. What `nvcc -ptx`, `-cubin` and NVRTC
// make here is a shared object, written as text so that programs may treat it as they treat PTX;
// its kernels and the program share one runtime.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "../check/check.h"
#include "../device/host_lock.h"
#include "../execution/kernels.h"
#include "../faults/error_messages.h"
#include "driver.h"
#include "module_text.h"

using namespace cpu_device;

// A module stays in memory when the program unloads it: a launch that is still queued needs its
// code.
struct CUmod_st {
  void* library;
  const ModuleName* names;  // what the program asked for by expressions, see NVRTC
};

namespace {

CUresult not_ours(Site site, const char* function) {
  return result(
      fail(cudaErrorNotSupported, site,
           format("%s: code for a GPU (PTX, cubin) cannot run on the CPU device", function),
           "compile the module from the source of its kernels, with nvcc -ptx of the CPU device or with NVRTC."));
}

// The bytes of a shared object as a library of this process; null, explained, if that fails. The
// file stays open: a second one under the same name would be taken for the first.
void* load_library(const std::string& bytes, Site site, const char* function) {
  const int file = memfd_create("module", MFD_CLOEXEC);
  void* library = nullptr;
  std::string problem = strerror(errno);
  if (file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    library = dlopen(format("/proc/self/fd/%d", file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) problem = dlerror();
  }
  if (library != nullptr) return library;
  if (file >= 0) close(file);
  fail(cudaErrorInvalidKernelImage, site, format("%s: %s", function, problem.c_str()),
       "link the program with nvcc (-rdynamic), so that its modules find the runtime.");
  return nullptr;
}

CUresult load(CUmodule* module, const void* image, Site site, const char* function) {
  const CUresult state = ready(site);
  if (state != CUDA_SUCCESS) return state;
  if (module == nullptr || image == nullptr) return result(fail(cudaErrorInvalidValue));
  if (check::on)
    return result(fail(cudaErrorNotSupported, site,
                       format("%s: a checked run does not support modules", function)));
  std::string bytes;
  if (!from_module_text(static_cast<const char*>(image), &bytes)) return not_ours(site, function);
  void* library = load_library(bytes, site, function);
  if (library == nullptr) return CUDA_ERROR_INVALID_IMAGE;
  *module = new CUmod_st{library,
                         static_cast<const ModuleName*>(dlsym(library, "cpu_device_module_names"))};
  return CUDA_SUCCESS;
}

// The address of what has this name in the module, and its size; null if nothing has.
void* find(CUmodule module, const char* name, size_t* bytes) {
  *bytes = 0;
  for (const ModuleName* it = module->names; it != nullptr && it->name != nullptr; it++) {
    if (strcmp(it->name, name) != 0) continue;
    *bytes = it->bytes;
    return const_cast<void*>(it->address);
  }
  void* address = dlsym(module->library, name);
  Dl_info where;
  void* symbol = nullptr;
  if (address != nullptr && dladdr1(address, &where, &symbol, RTLD_DL_SYMENT) != 0 &&
      symbol != nullptr)
    *bytes = static_cast<const ElfW(Sym)*>(symbol)->st_size;
  return address;
}

CUresult not_found(Site site, const char* kind, const char* name) {
  return result(fail(cudaErrorSymbolNotFound, site, format("the module has no %s '%s'", kind, name),
                     "put extern \"C\" before it, which keeps the name unchanged."));
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image, Site site) {
  return load(module, image, site, __func__);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int, CUjit_option*,
                            void**, Site site) {
  return load(module, image, site, __func__);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image, Site site) {
  return load(module, image, site, __func__);
}
CUresult cuModuleLoad(CUmodule* module, const char* file, Site site) {
  CPU_DEVICE_READY;
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (!stream || !(text << stream.rdbuf()))
    return result(
        fail(cudaErrorFileNotFound, site, format("cuModuleLoad: cannot read '%s'", file)));
  return load(module, text.str().c_str(), site, __func__);
}
CUresult cuModuleUnload(CUmodule module, Site) {
  delete module;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name, Site site) {
  if (function == nullptr || module == nullptr || name == nullptr || *name == '\0')
    return result(fail(cudaErrorInvalidValue));
  size_t bytes;
  void* address = find(module, name, &bytes);
  if (address == nullptr || !is_kernel(address)) return not_found(site, "kernel", name);
  *function = static_cast<CUfunction>(address);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name,
                           Site site) {
  if (module == nullptr || name == nullptr || *name == '\0') return result(fail(cudaErrorInvalidValue));
  size_t size;
  void* address = find(module, name, &size);
  if (address == nullptr) return not_found(site, "variable", name);
  if (is_kernel(address))
    return result(fail(cudaErrorInvalidValue, site, format("'%s' is a kernel, not a variable", name), "cuModuleGetFunction() finds kernels."));
  symbol_address(&address, address, size);
  if (pointer != nullptr) *pointer = reinterpret_cast<CUdeviceptr>(address);
  if (bytes != nullptr) *bytes = size;
  return CUDA_SUCCESS;
}

// ---- libraries: modules that belong to no context ----

struct CUlib_st {
  CUmodule module = nullptr;
};
// Where cuLibraryGetKernel() found each kernel.
static std::map<CUkernel, CUlibrary>& library_of() {
  static auto* all = new std::map<CUkernel, CUlibrary>;
  return *all;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned int, CUlibraryOption*,
                           void**, unsigned int, Site site) {
  if (library == nullptr) return result(fail(cudaErrorInvalidValue));
  CUmodule module = nullptr;
  const CUresult state = load(&module, image, site, __func__);
  if (state == CUDA_SUCCESS) *library = new CUlib_st{module};
  return state;
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**, unsigned int,
                               CUlibraryOption*, void**, unsigned int, Site site) {
  if (library == nullptr) return result(fail(cudaErrorInvalidValue));
  CUmodule module = nullptr;
  const CUresult state = cuModuleLoad(&module, file, site);
  if (state == CUDA_SUCCESS) *library = new CUlib_st{module};
  return state;
}
CUresult cuLibraryUnload(CUlibrary library, Site site) {
  if (library == nullptr) return result(fail(cudaErrorInvalidValue));
  const Guard guard(host_lock());
  for (auto it = library_of().begin(); it != library_of().end();)
    it = it->second == library ? library_of().erase(it) : std::next(it);
  const CUresult state = cuModuleUnload(library->module, site);
  delete library;
  return state;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name, Site site) {
  if (library == nullptr) return result(fail(cudaErrorInvalidValue));
  CUfunction function = nullptr;
  const CUresult state = cuModuleGetFunction(&function, library->module, name, site);
  if (state != CUDA_SUCCESS) return state;
  *kernel = reinterpret_cast<CUkernel>(function);
  const Guard guard(host_lock());
  library_of()[*kernel] = library;
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (module == nullptr || library == nullptr) return result(fail(cudaErrorInvalidValue));
  *module = library->module;
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name, Site site) {
  if (library == nullptr) return result(fail(cudaErrorInvalidValue));
  return cuModuleGetGlobal(pointer, bytes, library->module, name, site);
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name, Site site) {
  return cuLibraryGetGlobal(pointer, bytes, library, name, site);
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel, Site site) {
  const Guard guard(host_lock());
  const auto found = library_of().find(kernel);
  if (found == library_of().end())
    return result(fail(cudaErrorInvalidResourceHandle, site, "the kernel does not come from a library"));
  *library = found->second;
  return CUDA_SUCCESS;
}
