// Surface objects, see ../include/cpu_device/surfaces.h.
#include <set>

#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../execution/engine.h"
#include "../faults/error_messages.h"
#include "../memory/array.h"
#include "../order/queue.h"

namespace cpu_device {

namespace {

// Code that takes it for a texture object finds none of a texture's values in it.
struct Surface {
  Texture no_texture{};
  cudaArray* array;  // null: destroyed
};

// Objects are never given out twice, so that one that was destroyed is known.
std::set<Surface*>& live_surfaces() {
  static auto* all = new std::set<Surface*>;
  return *all;
}

}  // namespace

void* surface_address(cudaSurfaceObject_t object, SurfacePlace place, size_t bytes, Site site) {
  if (!in_kernel()) {
    explain(site, "host code reads or writes a surface",
            "only kernels can access a surface. On the host, copy with cudaMemcpy2DFromArray().");
    exit(EXIT_FAILURE);
  }
  const auto* surface = reinterpret_cast<const Surface*>(object);
  if (surface == nullptr || surface->array == nullptr)
    this_worker->abort_grid(
        cudaErrorInvalidSurface, site,
        "a surface that does not exist is used" + where_in_kernel(),
        "before the launch, create the surface object, or bind the surface reference with cudaBindSurfaceToArray().");
  const cudaArray& array = *surface->array;
  if (array.freed)
    this_worker->abort_grid(
        cudaErrorIllegalAddress, site,
        "a surface whose array was freed is used" + where_in_kernel(),
        "call cudaFreeArray() only after the last use of the array.");
  if (bytes % array.element != 0 && array.element % bytes != 0)
    this_worker->abort_grid(
        cudaErrorInvalidSurface, site,
        format("a surface access of %zu bytes, but its elements have %zu bytes,", bytes, array.element) +
            where_in_kernel(),
        "use the same type as in cudaCreateChannelDesc<type>().");
  if (place.x % static_cast<int>(bytes) != 0)
    this_worker->abort_grid(
        cudaErrorMisalignedAddress, site,
        format("x = %d of a surface access is not a multiple of %zu bytes,", place.x, bytes) +
            where_in_kernel(),
        "x is in bytes. Pass x * sizeof(type).");
  const long long row = static_cast<long long>(array.extent.width * array.element);
  long long at[] = {place.x, place.y, place.z};
  const long long last[] = {row - static_cast<long long>(bytes),
                            static_cast<long long>(array.rows()) - 1,
                            static_cast<long long>(array.layers()) - 1};
  bool inside = true;
  for (int d = 0; d < 3; d++) inside &= at[d] >= 0 && at[d] <= last[d];
  if (!inside) {
    if (place.mode == cudaBoundaryModeZero) return nullptr;
    if (place.mode == cudaBoundaryModeTrap)
      this_worker->abort_grid(
          cudaErrorIllegalAddress, site,
          format(
              "x = %d, y = %d, z = %d is outside the surface of %lld bytes in a row, %zu rows, %zu "
              "layers",
              place.x, place.y, place.z, row, array.rows(), array.layers()) +
              where_in_kernel(),
          "x is in bytes. Pass x * sizeof(type).", "out-of-bounds");
    if (array.layered()) at[2] = static_cast<uint16_t>(place.z);  // as on an H200: -1 is the last layer, 65536 the first
    for (int d = 0; d < 3; d++) at[d] = std::min(std::max(at[d], 0LL), last[d]);
  }
  return array.data + static_cast<size_t>(at[2]) * array.slice +
         static_cast<size_t>(at[1]) * array.pitch + static_cast<size_t>(at[0]);
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource,
                                    Site site) {
  const Guard guard(host_lock());
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray ||
      resource->res.array.array == nullptr)
    return fail(cudaErrorInvalidValue, site, "a surface object needs an array",
                "set resType = cudaResourceTypeArray, and set res.array.array to the array from cudaMallocArray().");
  cudaArray* array = find_array(resource->res.array.array, site);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  if ((array->flags & cudaArraySurfaceLoadStore) == 0)
    return fail(cudaErrorInvalidValue, site, "this array was not allocated for surfaces",
                "allocate it with cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore).");
  auto* surface = new Surface;
  surface->array = array;
  live_surfaces().insert(surface);
  *object = reinterpret_cast<cudaSurfaceObject_t>(surface);
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object, Site site) {
  const Guard guard(host_lock());
  if (object == 0) return cudaSuccess;
  auto* surface = reinterpret_cast<Surface*>(object);
  if (live_surfaces().erase(surface) == 0)
    return fail(cudaErrorInvalidValue, site,
                "not a surface object: it was never created, or was already destroyed");
  // Work that is queued may still use it.
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  surface->array = nullptr;  // stays, so that its use is explained
  return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object,
                                             Site site) {
  const Guard guard(host_lock());
  auto* surface = reinterpret_cast<Surface*>(object);
  if (resource == nullptr || live_surfaces().count(surface) == 0)
    return fail(cudaErrorInvalidValue, site,
                "not a surface object: it was never created, or was already destroyed");
  *resource = {};
  resource->resType = cudaResourceTypeArray;
  resource->res.array.array = surface->array;
  return cudaSuccess;
}
