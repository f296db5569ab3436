// Sees what a program asks of CUDA: on which devices it launches, what it copies, in which streams;
// and damages what is copied to the host, if asked to, and of managed memory what was allocated last
// when the host has waited for the device. To be included before the program, whose
// calls it takes. Of a launch it sees the question for its error, which follows each one at once.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <vector>

namespace course {

struct WatchedCopy {
  cudaMemcpyKind kind;
  bool pinned;          // the host's side of it
  cudaStream_t stream;  // null: not asynchronous, or in the default stream
};

struct Watched {
  std::mutex mutex;
  std::map<int, int> launches;  // per device
  std::vector<WatchedCopy> copies;
  bool damage = false;  // inverts the last byte of what is copied to the host
  unsigned char* last_managed_byte = nullptr;

  void clear() {
    launches.clear();
    copies.clear();
  }
};

inline Watched& watched() {
  static Watched calls;
  return calls;
}

inline cudaError_t watched_launch() {
  int device = -1;
  cudaGetDevice(&device);
  const std::lock_guard<std::mutex> lock(watched().mutex);
  watched().launches[device]++;
  return cudaGetLastError();
}

inline void watch_copy(void* to, const void* from, cudaMemcpyKind kind, cudaStream_t stream) {
  cudaPointerAttributes attributes;
  const void* const host = kind == cudaMemcpyHostToDevice ? from : to;
  bool pinned = false;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)
    pinned = cudaPointerGetAttributes(&attributes, host) == cudaSuccess &&
             attributes.type == cudaMemoryTypeHost;
  const std::lock_guard<std::mutex> lock(watched().mutex);
  watched().copies.push_back({kind, pinned, stream});
}

// A copy in a stream is waited for, and then damaged.
inline cudaError_t damaged(cudaError_t error, void* to, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr) {
  if (!watched().damage || kind != cudaMemcpyDeviceToHost || bytes == 0) return error;
  cudaStreamSynchronize(stream);
  static_cast<unsigned char*>(to)[bytes - 1] ^= 0xff;
  return error;
}

inline cudaError_t watched_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  watch_copy(to, from, kind, nullptr);
  return damaged(cudaMemcpy(to, from, bytes, kind), to, bytes, kind);
}

inline cudaError_t watched_copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, cudaMemcpyKind kind) {
  watch_copy(to, from, kind, nullptr);
  return damaged(cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind), to, width,
                 kind);
}

inline cudaError_t watched_copy_async(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  watch_copy(to, from, kind, stream);
  return damaged(cudaMemcpyAsync(to, from, bytes, kind, stream), to, bytes, kind, stream);
}

template <typename T>
cudaError_t watched_managed(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  const cudaError_t error = cudaMallocManaged(pointer, bytes, flags);
  if (error == cudaSuccess && bytes > 0)
    watched().last_managed_byte = reinterpret_cast<unsigned char*>(*pointer) + bytes - 1;
  return error;
}

// Damages once: later the memory may be gone.
inline cudaError_t watched_synchronize() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (watched().damage && watched().last_managed_byte != nullptr)
    *watched().last_managed_byte ^= 0xff;
  watched().last_managed_byte = nullptr;
  return error;
}

}  // namespace course

#define cudaMallocManaged course::watched_managed
#define cudaDeviceSynchronize course::watched_synchronize
#define cudaGetLastError course::watched_launch
#define cudaMemcpy course::watched_copy
#define cudaMemcpy2D course::watched_copy_2d
#define cudaMemcpyAsync course::watched_copy_async
