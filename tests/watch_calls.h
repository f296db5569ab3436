// Sees what a program asks of CUDA: on which devices it launches, what it copies, in which streams.
// To be included before the program, whose calls it takes. Of a launch it sees the question for
// its error, which follows each one at once.
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

inline cudaError_t watched_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  watch_copy(to, from, kind, nullptr);
  return cudaMemcpy(to, from, bytes, kind);
}

inline cudaError_t watched_copy_async(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  watch_copy(to, from, kind, stream);
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

}  // namespace course

#define cudaGetLastError course::watched_launch
#define cudaMemcpy course::watched_copy
#define cudaMemcpyAsync course::watched_copy_async
