// Copies to and from arrays.
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "array.h"

namespace cpu_device {
namespace {

// The address of byte x of row y (and layer z), if a copy of width x height bytes fits there.
cudaError_t place_in(const cudaArray* array, size_t x, size_t y, size_t z, size_t width,
                     size_t height, unsigned char** address, Site site) {
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t row = array->extent.width * array->element;
  if (z >= array->layers())
    return fail(cudaErrorInvalidValue, site,
                format("the copy reaches layer %zu, but the array has only %zu layers", z, array->layers()),
                "extent.depth is the number of layers, and pos.z the first one. Reduce them.");
  if (x > row || width > row - x || y > array->rows() || height > array->rows() - y)
    return fail(
        cudaErrorInvalidValue, site,
        format("the copy of %zu bytes x %zu rows at byte %zu of row %zu exceeds the array of %zu bytes x %zu rows",
               width, height, x, y, row, array->rows()),
        "the width is in bytes. Pass elements * sizeof(element).");
  *address = array->data + z * array->slice + y * array->pitch + x;
  return cudaSuccess;
}

cudaError_t copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                    size_t height, cudaMemcpyKind kind, bool async, cudaStream_t stream,
                    Site site) {
  return async
             ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream, site)
             : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind, site);
}

cudaError_t copy_to(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch,
                    size_t width, size_t height, cudaMemcpyKind kind, bool async,
                    cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(to, x, y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_2d(address, to->pitch, from, from_pitch, width, height, kind, async, stream, site);
}

cudaError_t copy_from(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
                      size_t width, size_t height, cudaMemcpyKind kind, bool async,
                      cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(from, x, y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_2d(to, to_pitch, address, from->pitch, width, height, kind, async, stream, site);
}

// Calls copy(x, y, offset, width) for each piece of a run of bytes through the rows of an array.
template <typename Copy>
cudaError_t copy_run(cudaArray_const_t array, size_t x, size_t y, size_t bytes, Site site,
                     const Copy& copy) {
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t row = array->extent.width * array->element;
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = std::min(bytes - done, x < row ? row - x : 1);
    const cudaError_t error = copy(x, y, done, piece);
    if (error != cudaSuccess) return error;
    done += piece;
    x = 0;
    y++;
  }
  return cudaSuccess;
}

cudaError_t run_to(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                   cudaMemcpyKind kind, bool async, cudaStream_t stream, Site site) {
  return copy_run(to, x, y, bytes, site, [&](size_t at, size_t row, size_t done, size_t piece) {
    return copy_to(to, at, row, static_cast<const unsigned char*>(from) + done, piece, piece, 1,
                   kind, async, stream, site);
  });
}

cudaError_t run_from(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                     cudaMemcpyKind kind, bool async, cudaStream_t stream, Site site) {
  return copy_run(from, x, y, bytes, site, [&](size_t at, size_t row, size_t done, size_t piece) {
    return copy_from(static_cast<unsigned char*>(to) + done, piece, from, at, row, piece, 1, kind,
                     async, stream, site);
  });
}

cudaError_t copy_3d(const cudaMemcpy3DParms* what, bool async, cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  if (what == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMemcpy3D: the pointer is NULL");
  const bool both = what->srcArray != nullptr && what->dstArray != nullptr;
  const cudaArray* counted = what->srcArray != nullptr ? what->srcArray : what->dstArray;
  if (counted != nullptr && find_array(counted, site) == nullptr)
    return cudaErrorInvalidResourceHandle;
  if (both && find_array(what->dstArray, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t element = counted != nullptr ? counted->element : 1;
  const size_t width = what->extent.width * element;
  // One side: its first byte in layer z, and its pitch. If the other side is an array, places in memory
  // are also counted in its elements. An H200 does it, though the manual says bytes.
  const auto side = [&](cudaArray_t array, const cudaPos& at, const cudaPitchedPtr& memory,
                        size_t z, unsigned char** address, size_t* pitch) {
    if (array != nullptr) {
      *pitch = array->pitch;
      return place_in(array, at.x * array->element, at.y, at.z + z, width, what->extent.height,
                      address, site);
    }
    *pitch = memory.pitch;
    *address = static_cast<unsigned char*>(memory.ptr) +
               ((at.z + z) * memory.ysize + at.y) * memory.pitch + at.x * element;
    return cudaSuccess;
  };
  // The last layer first: if the copy exceeds one of its sides, nothing is written.
  for (size_t z = what->extent.depth; z-- > 0;) {
    unsigned char *to = nullptr, *from = nullptr;
    size_t to_pitch = 0, from_pitch = 0;
    cudaError_t error = side(what->dstArray, what->dstPos, what->dstPtr, z, &to, &to_pitch);
    if (error == cudaSuccess)
      error = side(what->srcArray, what->srcPos, what->srcPtr, z, &from, &from_pitch);
    if (error == cudaSuccess)
      error = copy_2d(to, to_pitch, from, from_pitch, width, what->extent.height, what->kind, async,
                      stream, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                Site site) {
  return copy_to(to, x, y, from, from_pitch, width, height, kind, false, nullptr, site);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream, Site site) {
  return copy_to(to, x, y, from, from_pitch, width, height, kind, true, stream, site);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                  Site site) {
  return copy_from(to, to_pitch, from, x, y, width, height, kind, false, nullptr, site);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream, Site site) {
  return copy_from(to, to_pitch, from, x, y, width, height, kind, true, stream, site);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(from, from_x, from_y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_to(to, to_x, to_y, address, from->pitch, width, height, kind, false, nullptr, site);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind, Site site) {
  return run_to(to, x, y, from, bytes, kind, false, nullptr, site);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                                   Site site) {
  return run_to(to, x, y, from, bytes, kind, true, stream, site);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind, Site site) {
  return run_from(to, from, x, y, bytes, kind, false, nullptr, site);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                                     Site site) {
  return run_from(to, from, x, y, bytes, kind, true, stream, site);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what, Site site) {
  return copy_3d(what, false, nullptr, site);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream, Site site) {
  return copy_3d(what, true, stream, site);
}
