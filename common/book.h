// The helpers that the programs of "CUDA by Example" include: error checks, random data, the heat
// colors, and host threads. The names and signatures are the book's; the bodies are written anew.
// Header-only; may be included in several files of a program and in any order.
#pragma once

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <utility>

#include "random.h"

// Ends the program with one line if `error` is not cudaSuccess. What the machine lacks is no fault
// of the program: without a device the exit code is 77, as everywhere in the course, and where the
// device's memory is too small it is 2. Anything else is EXIT_FAILURE, and the line says where the
// call is written, the call itself, and what went wrong in words.
inline void handle_cuda_error(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) {
    printf("skipped: there is no device that runs kernels: %s\n", cudaGetErrorString(error));
    fflush(stdout);
    exit(77);
  }
  fflush(stdout);
  size_t free_bytes = 0, total_bytes = 0;
  if (error == cudaErrorMemoryAllocation &&
      cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
    fprintf(stderr,
            "%s:%d: the device's memory is too small for this: %zu of %zu bytes are free; take a "
            "smaller size\n",
            file, line, free_bytes, total_bytes);
    exit(2);
  }
  fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, call, cudaGetErrorString(error),
          cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}
#define HANDLE_ERROR(call) (handle_cuda_error((call), #call, __FILE__, __LINE__))

// The same for a pointer that must not be NULL, such as the result of malloc.
inline void handle_null(bool is_null, const char* expression, const char* file, int line) {
  if (!is_null) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s is NULL: out of host memory\n", file, line, expression);
  exit(EXIT_FAILURE);
}
#define HANDLE_NULL(pointer) (handle_null((pointer) == nullptr, #pointer, __FILE__, __LINE__))

// The book's swap(a, b) is the C++ library's: naming it here keeps unqualified calls working
// without a second template that `using namespace std` would make ambiguous.
using std::swap;

// `size` bytes of random data, the same on every machine and in every run; release with free().
inline void* big_random_block(int size) {
  if (size < 0) size = 0;
  unsigned char* data = static_cast<unsigned char*>(malloc(size > 0 ? size : 1));
  HANDLE_NULL(data);
  course::Random random(1);
  std::uint32_t word = 0;
  for (int i = 0; i < size; i++) {
    word = i % 4 == 0 ? random.bits() : word >> 8;
    data[i] = static_cast<unsigned char>(word & 0xff);
  }
  return data;
}

// `count` random integers, 0 to 2^31 - 1; release with free().
inline int* big_random_block_int(int count) {
  if (count < 0) count = 0;
  int* data = static_cast<int*>(malloc((count > 0 ? count : 1) * sizeof(int)));
  HANDLE_NULL(data);
  course::Random random(2);
  for (int i = 0; i < count; i++) data[i] = static_cast<int>(random.bits() >> 1);
  return data;
}

// One channel, 0 to 255, of a color given by hue, lightness and saturation, where `low` and `high`
// are the channel's extremes (0 to 1) and `hue` is in degrees, already shifted by +120 for red, 0
// for green and -120 for blue. The usual conversion from HSL: the channel climbs from low to high
// within 60 degrees, stays there for 120, falls back within 60, and stays low for 120.
__host__ __device__ inline unsigned char value(float low, float high, int hue) {
  if (hue > 360) hue -= 360;
  if (hue < 0) hue += 360;
  float channel = low;
  if (hue < 60)
    channel = low + (high - low) * static_cast<float>(hue) / 60.0f;
  else if (hue < 180)
    channel = high;
  else if (hue < 240)
    channel = low + (high - low) * static_cast<float>(240 - hue) / 60.0f;
  return static_cast<unsigned char>(255.0f * channel);
}

// The color of a temperature from 0 to 1, fully saturated: cold is dark, hot is light, and the hue
// runs once around the circle, from 180 degrees (cyan) at 0.
__host__ __device__ inline uchar4 heat_color(float temperature) {
  const float saturation = 1.0f;
  const float lightness = temperature;
  const int hue = (180 + static_cast<int>(360.0f * temperature)) % 360;
  const float high = lightness <= 0.5f ? lightness * (1.0f + saturation)
                                       : lightness + saturation - lightness * saturation;
  const float low = 2.0f * lightness - high;
  return make_uchar4(value(low, high, hue + 120), value(low, high, hue),
                     value(low, high, hue - 120), 255);
}

// Kernels that turn a field of temperatures into colors, RGBA, one thread per pixel: launch with a
// 2-D grid that covers the picture exactly, as the book does.
[[maybe_unused]] static __global__ void float_to_color(unsigned char* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const size_t offset = x + static_cast<size_t>(y) * blockDim.x * gridDim.x;
  const uchar4 color = heat_color(outSrc[offset]);
  optr[4 * offset + 0] = color.x;
  optr[4 * offset + 1] = color.y;
  optr[4 * offset + 2] = color.z;
  optr[4 * offset + 3] = color.w;
}

[[maybe_unused]] static __global__ void float_to_color(uchar4* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const size_t offset = x + static_cast<size_t>(y) * blockDim.x * gridDim.x;
  optr[offset] = heat_color(outSrc[offset]);
}

// Host threads, as the book's chapter on several GPUs uses them: a routine takes and returns void*.
typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

// Starts routine(data) in a new host thread; ends the program with one line if there is none.
inline CUTThread start_thread(CUT_THREADROUTINE routine, void* data) {
  CUTThread thread;
  if (pthread_create(&thread, nullptr, routine, data) != 0) {
    fprintf(stderr, "start_thread: the operating system gives no further thread\n");
    exit(EXIT_FAILURE);
  }
  return thread;
}

// Waits until the thread has ended.
inline void end_thread(CUTThread thread) { pthread_join(thread, nullptr); }

// Ends the thread without waiting for its work.
inline void destroy_thread(CUTThread thread) {
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
}

// Waits for `count` threads.
inline void wait_for_threads(const CUTThread* threads, int count) {
  for (int i = 0; i < count; i++) end_thread(threads[i]);
}
