// Sees what a program asks of CUDA: on which devices it launches, what it copies, in which streams,
// how much memory of the host it keeps; and damages what is copied to the host, if asked to, and of
// managed and mapped memory what a host thread allocated last when it has waited for the device. To
// be included before the program, whose calls it takes. Of a launch it sees the question for its
// error, which follows each one at once.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

namespace course {

struct WatchedCopy {
  cudaMemcpyKind kind;
  bool pinned;          // the host's side of it
  cudaStream_t stream;  // null: not asynchronous, or in the default stream
};

// What of the bytes that reach the host is inverted. The last byte finds who leaves out the end;
// the second 4 bytes, mostly the second element, find who leaves out every other one or the first
// half; the first 4 find who begins too late. Slight is a single bit, which changes the last float
// by a 65536th to a 32768th part: it finds who takes that for rounding.
enum class Damage { kNone, kLast, kSecond, kFirst, kSlight };

struct Watched {
  std::mutex mutex;
  std::map<int, int> launches;  // per device
  std::vector<WatchedCopy> copies;
  std::vector<unsigned int> host_flags;  // of each pinned allocation
  int host_allocations = 0;              // of which so many are not yet given back
  Damage damage = Damage::kNone;

  void clear() {
    launches.clear();
    copies.clear();
    host_flags.clear();
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

inline void do_damage(void* memory, size_t bytes) {
  size_t first = 0, end = std::min<size_t>(bytes, 4);
  if (watched().damage == Damage::kNone) return;
  if (watched().damage == Damage::kSlight) {
    if (bytes >= 4) static_cast<unsigned char*>(memory)[bytes - 3] ^= 1;
    return;
  }
  if (watched().damage == Damage::kLast) first = bytes - 1, end = bytes;
  if (watched().damage == Damage::kSecond && bytes >= 8) first = 4, end = 8;
  for (size_t i = first; i < end; i++) static_cast<unsigned char*>(memory)[i] ^= 0xff;
}

// A copy in a stream is waited for, and then damaged.
inline cudaError_t damaged(cudaError_t error, void* to, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr) {
  if (watched().damage == Damage::kNone || kind != cudaMemcpyDeviceToHost || bytes == 0)
    return error;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusNone) return error;  // nothing is copied yet
  cudaStreamSynchronize(stream);
  do_damage(to, bytes);
  return error;
}

inline cudaError_t watched_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  watch_copy(to, from, kind, nullptr);
  return damaged(cudaMemcpy(to, from, bytes, kind), to, bytes, kind);
}

inline cudaError_t watched_copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, cudaMemcpyKind kind) {
  watch_copy(to, from, kind, nullptr);
  return damaged(cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind), to,
                 height > 0 ? to_pitch * (height - 1) + width : 0, kind);
}

inline cudaError_t watched_copy_async(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  watch_copy(to, from, kind, stream);
  return damaged(cudaMemcpyAsync(to, from, bytes, kind, stream), to, bytes, kind, stream);
}

// What a host thread has allocated last for itself and the device.
struct SharedMemory {
  void* memory = nullptr;
  size_t bytes = 0;
};
inline SharedMemory& last_shared() {
  static thread_local SharedMemory last;
  return last;
}

template <typename T>
cudaError_t watched_managed(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  const cudaError_t error = cudaMallocManaged(pointer, bytes, flags);
  if (error == cudaSuccess && bytes > 0) last_shared() = {*pointer, bytes};
  return error;
}

template <typename T>
cudaError_t watched_host_alloc(T** pointer, size_t bytes, unsigned int flags) {
  const cudaError_t error = cudaHostAlloc(pointer, bytes, flags);
  if (error == cudaSuccess && (flags & cudaHostAllocMapped) != 0) last_shared() = {*pointer, bytes};
  const std::lock_guard<std::mutex> lock(watched().mutex);
  if (error == cudaSuccess) watched().host_allocations++;
  watched().host_flags.push_back(flags);
  return error;
}

template <typename T>
cudaError_t watched_malloc_host(T** pointer, size_t bytes) {
  return watched_host_alloc(pointer, bytes, cudaHostAllocDefault);
}

inline cudaError_t watched_free_host(void* memory) {
  const cudaError_t error = cudaFreeHost(memory);
  const std::lock_guard<std::mutex> lock(watched().mutex);
  if (error == cudaSuccess && memory != nullptr) watched().host_allocations--;
  return error;
}

// Damages once: later the memory may be gone.
inline cudaError_t watched_synchronize() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (last_shared().memory != nullptr) do_damage(last_shared().memory, last_shared().bytes);
  last_shared() = {};
  return error;
}

}  // namespace course

#define cudaMallocManaged course::watched_managed
#define cudaHostAlloc course::watched_host_alloc
#define cudaMallocHost course::watched_malloc_host
#define cudaFreeHost course::watched_free_host
#define cudaDeviceSynchronize course::watched_synchronize
#define cudaGetLastError course::watched_launch
#define cudaMemcpy course::watched_copy
#define cudaMemcpy2D course::watched_copy_2d
#define cudaMemcpyAsync course::watched_copy_async
