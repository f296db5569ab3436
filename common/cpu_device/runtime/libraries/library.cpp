#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../order/queue.h"
#include "library.h"

#include <dlfcn.h>

namespace cpu_device {

void* open_blas() {
  static void* library = [] {
    void* opened = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    return opened != nullptr ? opened : dlopen("libopenblas.so", RTLD_NOW | RTLD_LOCAL);
  }();
  return library;
}

bool is_usable(const char* function, const Matrix& matrix, Site site) {
  if (matrix.bytes() == 0) return true;
  const Block* block = find_block(matrix.data);
  if (block == nullptr) {
    explain(site, format("%s: %s is not in device memory", function, matrix.name),
            "allocate it with cudaMalloc(), and copy with cudaMemcpy() or cublasSetMatrix().", "wrong-pointer");
    return false;
  }
  const size_t left = block->base + block->bytes - reinterpret_cast<uintptr_t>(matrix.data);
  if (matrix.bytes() <= left) return true;
  explain(site,
          format("%s: %s needs %zu bytes (%zu x %zu elements, columns %zu apart), but only "
                 "%zu bytes are left of the memory allocated in line %d",
                 function, matrix.name, matrix.bytes(), matrix.rows, matrix.columns, matrix.pitch, left,
                 block->site.line),
          "matrices are stored column by column. m, n and k are numbers of elements, not bytes.", "out-of-bounds");
  return false;
}

cudaError_t run_in_stream(cudaStream_t handle, const char* function, std::vector<Matrix> touched,
                          bool wait, Site site, std::function<void()> work) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  for (const Matrix& matrix : touched)
    if (!is_usable(function, matrix, site)) return cudaErrorInvalidValue;
  const OperationPointer operation = enqueue(stream, site, [=] {
    for (const Matrix& m : touched) {
      if (m.bytes() == 0) continue;
      const size_t pitch = m.pitch * m.element, width = m.rows * m.element;
      if (m.is_read) check::copied(nullptr, 0, m.data, pitch, width, m.columns, site);
      if (m.is_written)
        check::copied(const_cast<void*>(m.data), pitch, nullptr, 0, width, m.columns, site);
    }
    work();
    return cudaSuccess;
  });
  operation->what = function;
  if (wait) {
    complete(operation);
    check::host_waited_for(*operation);
  }
  return device(stream->device).broken;
}

}  // namespace cpu_device
