// Buffers of OpenGL as device memory. Mapping one for CUDA is mapping it through OpenGL
// (glMapBuffer), so OpenGL itself refuses to use what kernels may be writing.
//
// OpenGL's functions are looked up in the program that runs: it has loaded a library for its
// window, and programs without one need none.
#include <dlfcn.h>

#include <memory>
#include <set>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../order/queue.h"
#include "graphics_image.h"

struct cudaGraphicsResource {
  unsigned int buffer, flags;
  cpu_device::Site registered;
  void* memory;  // while it is mapped
  size_t bytes;
  bool warned;
  std::unique_ptr<cpu_device::Image> image;  // then it is no buffer
  bool mapped() const { return memory != nullptr || (image != nullptr && image->mapped()); }
};

namespace cpu_device {

namespace {

// The values of OpenGL's names.
constexpr unsigned int kVersion = 0x1f02, kInvalidOperation = 0x0502, kArrayBuffer = 0x8892,
                       kArrayBufferBinding = 0x8894, kBufferSize = 0x8764, kReadOnly = 0x88b8,
                       kReadWrite = 0x88ba;

}  // namespace

void* find_opengl_function(const char* name) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  // A library that the program loaded for itself alone.
  using GetProcAddress = void* (*)(const char*);
  for (const char* library : {"libGL.so.1", "libOpenGL.so.0", "libGLX.so.0", "libEGL.so.1"}) {
    void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (void* found = dlsym(handle, name)) return found;
    for (const char* get : {"glXGetProcAddressARB", "eglGetProcAddress"})
      if (const auto get_address = reinterpret_cast<GetProcAddress>(dlsym(handle, get)))
        if (void* found = get_address(name)) return found;
  }
  return nullptr;
}

namespace {

struct OpenGL {
  const unsigned char* (*get_string)(unsigned int name);
  unsigned int (*get_error)();
  void (*get_integer)(unsigned int name, int* value);
  unsigned char (*is_buffer)(unsigned int buffer);
  void (*bind)(unsigned int target, unsigned int buffer);
  void (*get_parameter)(unsigned int target, unsigned int name, int* value);
  void* (*map)(unsigned int target, unsigned int access);
  unsigned char (*unmap)(unsigned int target);
};

template <typename Function>
bool find(Function* function, const char* name) {
  *function = reinterpret_cast<Function>(find_opengl_function(name));
  return *function != nullptr;
}

// OpenGL of this thread's context; null, and explained, if there is none, or one without buffers.
const OpenGL* opengl(Site site) {
  static OpenGL gl;
  static const bool has_context_functions =
      find(&gl.get_string, "glGetString") && find(&gl.get_error, "glGetError");
  if (!has_context_functions || gl.get_string(kVersion) == nullptr) {
    fail(cudaErrorInvalidGraphicsContext, site, "no OpenGL context is current in this thread",
         "open the window first, for example with glutCreateWindow().");
    return nullptr;
  }
  static const bool has_buffer_functions =
      find(&gl.get_integer, "glGetIntegerv") && find(&gl.is_buffer, "glIsBuffer") &&
      find(&gl.bind, "glBindBuffer") && find(&gl.get_parameter, "glGetBufferParameteriv") &&
      find(&gl.map, "glMapBuffer") && find(&gl.unmap, "glUnmapBuffer");
  if (!has_buffer_functions) {
    fail(cudaErrorInvalidGraphicsContext, site, "this OpenGL has no buffers: version 1.5 or newer is needed");
    return nullptr;
  }
  return &gl;
}

// Binds a buffer for as long as it lives; the program's own binding comes back afterwards.
class Binding {
 public:
  Binding(const OpenGL& gl, unsigned int buffer) : gl_(gl) {
    gl_.get_integer(kArrayBufferBinding, &before_);
    gl_.bind(kArrayBuffer, buffer);
  }
  ~Binding() { gl_.bind(kArrayBuffer, static_cast<unsigned int>(before_)); }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

 private:
  const OpenGL& gl_;
  int before_ = 0;
};

std::set<cudaGraphicsResource*>& live_resources() {
  static auto* resources = new std::set<cudaGraphicsResource*>;
  return *resources;
}

cudaError_t check_resource(cudaGraphicsResource* resource, Site site) {
  if (live_resources().count(resource) != 0) return cudaSuccess;
  return fail(cudaErrorInvalidResourceHandle, site,
              "not a graphics resource: it was never registered, or was already unregistered");
}

cudaError_t check_resources(int count, cudaGraphicsResource** resources, Site site) {
  if (count <= 0 || resources == nullptr)
    return fail(cudaErrorInvalidValue, site, "the list of graphics resources is empty",
                "pass at least one resource.");
  for (int i = 0; i < count; i++) {
    const cudaError_t error = check_resource(resources[i], site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t map(const OpenGL& gl, cudaGraphicsResource* resource, Site site) {
  if (resource->mapped())
    return fail(cudaErrorAlreadyMapped, site, "the resource is already mapped",
                "call cudaGraphicsUnmapResources() before you map it again.");
  if (resource->image != nullptr) return resource->image->map(resource->flags, site);
  if (!gl.is_buffer(resource->buffer))
    return fail(cudaErrorInvalidResourceHandle, site,
                format("the OpenGL buffer %u, registered at %s:%d, was deleted",
                       resource->buffer, resource->registered.file, resource->registered.line),
                "call cudaGraphicsUnregisterResource() before glDeleteBuffers().");
  const Binding binding(gl, resource->buffer);
  int bytes = 0;
  gl.get_parameter(kArrayBuffer, kBufferSize, &bytes);
  const bool read_only = resource->flags == cudaGraphicsMapFlagsReadOnly;
  resource->memory = gl.map(kArrayBuffer, read_only ? kReadOnly : kReadWrite);
  if (resource->memory == nullptr)
    return fail(cudaErrorMapBufferObjectFailed, site, "OpenGL cannot map its buffer",
                "check whether glMapBuffer() has already mapped it.");
  resource->bytes = static_cast<size_t>(bytes);
  add_graphics_memory(resource->memory, resource->bytes, site);
  return cudaSuccess;
}

cudaError_t unmap(const OpenGL& gl, cudaGraphicsResource* resource, Site site) {
  if (!resource->mapped())
    return fail(cudaErrorNotMapped, site, "the resource is not mapped",
                "call cudaGraphicsMapResources() first.");
  if (resource->image != nullptr) return resource->image->unmap(resource->flags, site);
  if (gl.get_error() == kInvalidOperation && !resource->warned) {
    resource->warned = true;
    explain(site,
            format("OpenGL reported GL_INVALID_OPERATION. Was its buffer %u used while it was mapped for "
                   "CUDA?",
                   resource->buffer),
            "call cudaGraphicsUnmapResources() before OpenGL draws.");
  }
  remove_graphics_memory(resource->memory);
  resource->memory = nullptr;
  const Binding binding(gl, resource->buffer);
  if (!gl.unmap(kArrayBuffer))
    return fail(cudaErrorUnmapBufferObjectFailed, site,
                "OpenGL lost the contents of the buffer, or glUnmapBuffer() unmapped it");
  return cudaSuccess;
}

}  // namespace

}  // namespace cpu_device

using namespace cpu_device;

// The first three are declared in cuda_gl_interop.h, which wants OpenGL's headers.

cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int size,
                             cudaGLDeviceList list, Site site) {
  const Guard guard(host_lock());
  if (count == nullptr || (devices == nullptr && size > 0) || static_cast<unsigned>(list) < 1 ||
      static_cast<unsigned>(list) > 3)
    return fail(cudaErrorInvalidValue, site,
                "cudaGLGetDevices: a pointer is NULL, or the list does not exist");
  *count = 0;
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  if (opengl(site) == nullptr) return cudaErrorInvalidGraphicsContext;
  *count = 1;
  if (size > 0) devices[0] = 0;
  return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource** resource, unsigned int buffer,
                                         unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (resource == nullptr || flags > cudaGraphicsRegisterFlagsWriteDiscard)
    return fail(cudaErrorInvalidValue, site,
                "cudaGraphicsGLRegisterBuffer: the pointer is NULL, or the flags are not for buffers");
  *resource = nullptr;
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  const OpenGL* gl = opengl(site);
  if (gl == nullptr) return cudaErrorInvalidGraphicsContext;
  if (!gl->is_buffer(buffer))
    return fail(cudaErrorInvalidResourceHandle, site, format("OpenGL has no buffer %u", buffer),
                "create it with glGenBuffers() and glBindBuffer().");
  const Binding binding(*gl, buffer);
  int bytes = 0;
  gl->get_parameter(kArrayBuffer, kBufferSize, &bytes);
  if (bytes == 0)
    return fail(cudaErrorMemoryAllocation, site,
                format("the OpenGL buffer %u has no storage", buffer),
                "call glBufferData() before cudaGraphicsGLRegisterBuffer().");
  *resource = new cudaGraphicsResource{buffer, flags, site, nullptr, 0, false, nullptr};
  live_resources().insert(*resource);
  return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, unsigned int image,
                                        unsigned int target, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (resource == nullptr || flags > 15)
    return fail(cudaErrorInvalidValue, site,
                "cudaGraphicsGLRegisterImage: the pointer is NULL, or the flags do not exist");
  *resource = nullptr;
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  if (opengl(site) == nullptr) return cudaErrorInvalidGraphicsContext;
  std::unique_ptr<Image> known;
  const cudaError_t error = Image::find(image, target, &known, site);
  if (error != cudaSuccess) return error;
  *resource = new cudaGraphicsResource{0, flags & 3, site, nullptr, 0, false, std::move(known)};
  live_resources().insert(*resource);
  return cudaSuccess;
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource, Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_resource(resource, site);
  if (error != cudaSuccess) return error;
  if (resource->image != nullptr && resource->mapped() && opengl(site) != nullptr)
    return fail(cudaErrorAlreadyMapped, site, "the resource is still mapped",
                "call cudaGraphicsUnmapResources() before cudaGraphicsUnregisterResource().");
  if (resource->memory != nullptr) {
    const OpenGL* gl = opengl(site);
    if (gl != nullptr && gl->is_buffer(resource->buffer))
      return fail(cudaErrorAlreadyMapped, site, "the resource is still mapped",
                  "call cudaGraphicsUnmapResources() before cudaGraphicsUnregisterResource().");
    remove_graphics_memory(resource->memory);  // the window is gone, or the buffer
  }
  live_resources().erase(resource);
  delete resource;
  return cudaSuccess;
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags,
                                            Site site) {
  const Guard guard(host_lock());
  const cudaError_t error = check_resource(resource, site);
  if (error != cudaSuccess) return error;
  if (flags > cudaGraphicsMapFlagsWriteDiscard)
    return fail(cudaErrorInvalidValue, site, format("map flags %u do not exist", flags));
  if (resource->mapped())
    return fail(cudaErrorAlreadyMapped, site, "cannot change the flags of a mapped resource",
                "set them before cudaGraphicsMapResources().");
  resource->flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  if (find_stream(stream, site) == nullptr) return cudaErrorInvalidResourceHandle;
  cudaError_t error = check_resources(count, resources, site);
  if (error != cudaSuccess) return error;
  const OpenGL* gl = opengl(site);
  if (gl == nullptr) return cudaErrorInvalidGraphicsContext;
  for (int i = 0; i < count; i++) {
    error = map(*gl, resources[i], site);
    if (error == cudaSuccess) continue;
    while (i-- > 0) unmap(*gl, resources[i], site);  // all of them or none
    return error;
  }
  return fail(device(current_device()).broken);
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  if (find_stream(stream, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = check_resources(count, resources, site);
  if (error != cudaSuccess) return error;
  const OpenGL* gl = opengl(site);
  if (gl == nullptr) return cudaErrorInvalidGraphicsContext;
  // Of CUDA's rules only this stream's work must be done. Here the memory is about to go away, so
  // nothing may be left that could touch it.
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  cudaError_t first = cudaSuccess;
  for (int i = 0; i < count; i++) {
    const cudaError_t one = unmap(*gl, resources[i], site);
    if (first == cudaSuccess) first = one;
  }
  return first != cudaSuccess ? first : fail(device(current_device()).broken);
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* bytes,
                                                 cudaGraphicsResource_t resource, Site site) {
  const Guard guard(host_lock());
  cudaError_t error = check_resource(resource, site);
  if (error != cudaSuccess) return error;
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, site, "the address of the pointer is NULL");
  if (!resource->mapped())
    return fail(cudaErrorNotMapped, site, "cannot get the pointer of a resource that is not mapped",
                "call cudaGraphicsMapResources() first, in every frame.");
  if (resource->image != nullptr)
    return fail(cudaErrorNotMappedAsPointer, site, "an OpenGL image has no pointer",
                "use cudaGraphicsSubResourceGetMappedArray().");
  *pointer = resource->memory;
  if (bytes != nullptr) *bytes = resource->bytes;
  return cudaSuccess;
}

// The arrays of an image that is mapped; null, and explained, if it is not.
static cudaError_t mapped_arrays(cudaGraphicsResource* resource, cudaMipmappedArray_t* arrays,
                                 Site site) {
  const cudaError_t error = check_resource(resource, site);
  if (error != cudaSuccess) return error;
  if (!resource->mapped())
    return fail(cudaErrorNotMapped, site, "cannot get the array of a resource that is not mapped",
                "call cudaGraphicsMapResources() first, in every frame.");
  if (resource->image == nullptr)
    return fail(cudaErrorNotMappedAsArray, site, "an OpenGL buffer is not an array",
                "use cudaGraphicsResourceGetMappedPointer().");
  *arrays = resource->image->arrays();
  return cudaSuccess;
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level,
                                                  Site site) {
  const Guard guard(host_lock());
  cudaMipmappedArray_t arrays = nullptr;
  const cudaError_t error = mapped_arrays(resource, &arrays, site);
  if (error != cudaSuccess) return error;
  if (index != 0)
    return fail(cudaErrorInvalidValue, site, format("image %u of this resource does not exist", index),
                "use arrayIndex 0, except for cube maps and layers.");
  return cudaGetMipmappedArrayLevel(array, arrays, level, site);
}

cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t* array,
                                                        cudaGraphicsResource_t resource,
                                                        Site site) {
  const Guard guard(host_lock());
  if (array == nullptr) return fail(cudaErrorInvalidValue, site, "the address of the array is NULL");
  return mapped_arrays(resource, array, site);
}
