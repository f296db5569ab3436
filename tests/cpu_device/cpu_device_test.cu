// The CPU device's core: launches, memory, queues, barriers, warps, atomics; and what it says to
// programs that are wrong.
#include <cooperative_groups.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../harness/run_program.h"

using course::messages_of;

namespace {

// Launches, waits, and returns the error; the device is as new afterwards.
template <typename Work>
cudaError_t outcome(const Work& work, std::string* messages = nullptr) {
  cudaError_t error = cudaSuccess;
  cudaGetLastError();  // of somebody else
  const std::string text = messages_of([&] {
    work();
    error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
  });
  if (messages != nullptr) *messages = text;
  cudaDeviceReset();
  return error;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Device memory with the contents of a vector, and back.
template <typename T>
struct DeviceArray {
  explicit DeviceArray(const std::vector<T>& values) : count(values.size()) {
    REQUIRE(cudaMalloc(&data, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~DeviceArray() {
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, data);
    if (attributes.type == cudaMemoryTypeDevice) cudaFree(data);  // else a reset has freed it
  }
  std::vector<T> get() const {
    std::vector<T> values(count);
    REQUIRE(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return values;
  }
  T* data = nullptr;
  size_t count;
};

}  // namespace

// ---------------------------------------------------------------------------------- launches

__global__ void number(unsigned* out) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * threads + thread] += block * threads + thread;
}

TEST_CASE("every thread of every block runs once") {
  const dim3 grids[] = {1, 7, {3, 5}, {2, 3, 4}, 1000};
  const dim3 blocks[] = {1, 33, {4, 5}, {2, 3, 4}, 1024};
  for (const dim3& grid : grids)
    for (const dim3& block : blocks) {
      const size_t count = size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
      DeviceArray<unsigned> array(std::vector<unsigned>(count, 5));
      number<<<grid, block>>>(array.data);
      std::vector<unsigned> expected(count);
      std::iota(expected.begin(), expected.end(), 5u);
      CHECK(array.get() == expected);
    }
}

__global__ void change_parameter(int* out, int n) {
  n -= 1;
  out[threadIdx.x] = n;
}

TEST_CASE("each thread has its own copy of the parameters") {
  DeviceArray<int> array(std::vector<int>(64, 0));
  change_parameter<<<1, 64>>>(array.data, 8);
  CHECK(array.get() == std::vector<int>(64, 7));
}

int* launch_and_return(int* pointer) {
  change_parameter<<<1, 1>>>(pointer, 2);
  return pointer;
}

TEST_CASE("an argument of a launch may launch something itself") {
  DeviceArray<int> array({0, 0, 0});
  change_parameter<<<1, 3>>>(launch_and_return(array.data), 10);
  CHECK(array.get() == std::vector<int>{9, 9, 9});
}

TEST_CASE("impossible launches") {
  int* none = nullptr;
  std::string text;
  CHECK(outcome([&] { change_parameter<<<1, 2048>>>(none, 1); }, &text) == cudaErrorInvalidValue);
  CHECK(has(text, "2048 threads is too large"));
  CHECK(has(text, "cpu_device_test.cu:"));
  CHECK(outcome([&] { change_parameter<<<0, 1>>>(none, 1); }, &text) == cudaErrorInvalidValue);
  CHECK(has(text, "a grid of (0,1,1) blocks is empty"));
  CHECK(outcome([&] { change_parameter<<<1, 0>>>(none, 1); }) == cudaErrorInvalidValue);
  CHECK(outcome([&] { change_parameter<<<1, dim3(1, 1, 65)>>>(none, 1); }) == cudaErrorInvalidValue);
  CHECK(outcome([&] { change_parameter<<<dim3(1, 65536), 1>>>(none, 1); }) == cudaErrorInvalidValue);
  CHECK(outcome([&] { change_parameter<<<1, 1, 1 << 20>>>(none, 1); }) == cudaErrorInvalidValue);
  CHECK(outcome([&] { change_parameter(none, 1); }, &text) == cudaErrorInvalidConfiguration);
  CHECK(has(text, "called like an ordinary function"));
}

// ---------------------------------------------------------------------------------- barriers

__global__ void rotate(int* out, int rounds) {
  extern __shared__ int values[];
  const int n = blockDim.x, i = threadIdx.x;
  values[i] = i;
  for (int round = 0; round < rounds; round++) {
    __syncthreads();
    const int next = values[(i + 1) % n];
    __syncthreads();
    values[i] = next;
  }
  out[blockIdx.x * n + i] = values[i];
}

TEST_CASE("barriers order shared memory") {
  for (int n : {1, 2, 31, 256, 1024}) {
    DeviceArray<int> array(std::vector<int>(4 * n, -1));
    rotate<<<4, n, n * sizeof(int)>>>(array.data, 5);
    std::vector<int> expected(4 * n);
    for (int i = 0; i < 4 * n; i++) expected[i] = (i % n + 5) % n;
    CHECK(array.get() == expected);
  }
}

__global__ void votes(int* out) {
  const int count = __syncthreads_count(threadIdx.x % 3 == 0);
  const int all = __syncthreads_and(threadIdx.x < 100);
  const int any = __syncthreads_or(threadIdx.x == 99);
  const int none = __syncthreads_or(threadIdx.x == 100);
  if (threadIdx.x == 0) {
    out[0] = count;
    out[1] = all != 0;
    out[2] = any != 0;
    out[3] = none != 0;
  }
}

TEST_CASE("barriers that count") {
  DeviceArray<int> array({0, 0, 0, 0});
  votes<<<1, 100>>>(array.data);
  CHECK(array.get() == std::vector<int>{34, 1, 1, 0});
}

__global__ void barrier_for_some(int limit) {
  __shared__ int met;
  if (static_cast<int>(threadIdx.x) < limit) __syncthreads();
  if (threadIdx.x == 0) met = limit;
}
__global__ void two_barriers() {
  if (threadIdx.x % 2)
    __syncthreads();
  else
    __syncthreads();
}

TEST_CASE("a barrier that some never reach is explained") {
  std::string text;
  CHECK(outcome([] { barrier_for_some<<<2, 64>>>(10); }, &text) == cudaErrorLaunchFailure);
  CHECK(has(text, "divergent barrier in kernel barrier_for_some"));
  CHECK(has(text, "10 wait at __syncthreads()"));
  CHECK(has(text, "54 have left the kernel"));
  CHECK(outcome([] { two_barriers<<<1, 64>>>(); }, &text) == cudaErrorLaunchFailure);
  CHECK(has(text, "different barriers"));
  CHECK(outcome([] { barrier_for_some<<<2, 64>>>(64); }) == cudaSuccess);
}

// ---------------------------------------------------------------------------------- warps

__global__ void warp_sums(int* out) {
  int sum = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  const int broadcast = __shfl_sync(0xffffffffu, sum, 0);
  const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
  out[threadIdx.x] = broadcast + (odd == 0xaaaaaaaau ? 0 : 1000000);
}

__global__ void tiles(int* out) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = static_cast<int>(threadIdx.x);
  for (int step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  sum = tile.shfl(sum, 0);
  out[threadIdx.x] = sum * 100 + static_cast<int>(tile.thread_rank());
}

__global__ void shuffle_for_some() {
  if (threadIdx.x < 7) __shfl_sync(0xffffffffu, 1, 0);
}

TEST_CASE("warp operations") {
  DeviceArray<int> array(std::vector<int>(96, 0));
  warp_sums<<<1, 96>>>(array.data);
  std::vector<int> expected(96);
  for (int i = 0; i < 96; i++) expected[i] = 32 * (i / 32 * 32) + 496;
  CHECK(array.get() == expected);
  tiles<<<1, 96>>>(array.data);
  for (int i = 0; i < 96; i++) expected[i] = (8 * (i / 8 * 8) + 28) * 100 + i % 8;
  CHECK(array.get() == expected);
  std::string text;
  CHECK(outcome([] { shuffle_for_some<<<1, 64>>>(); }, &text) == cudaErrorLaunchFailure);
  CHECK(has(text, "a warp operation that not all of its lanes reach"));
}

// ---------------------------------------------------------------------------------- atomics

__global__ void all_atomics(int* i, unsigned* u, float* f, double* d, unsigned long long* l) {
  atomicAdd(&i[0], 2);
  atomicSub(&i[1], 3);
  atomicMin(&i[2], -static_cast<int>(threadIdx.x));
  atomicMax(&i[3], static_cast<int>(blockIdx.x));
  atomicXor(&i[4], 1 << (threadIdx.x % 30));
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicOr(&u[2], 1u << (threadIdx.x % 32));
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
  atomicAdd(&l[0], 1ull << 33);
}

TEST_CASE("atomics") {
  DeviceArray<int> i({0, 0, 0, 0, 0});
  DeviceArray<unsigned> u({0, 0, 0});
  DeviceArray<float> f({0});
  DeviceArray<double> d({0});
  DeviceArray<unsigned long long> l({0});
  all_atomics<<<20, 128>>>(i.data, u.data, f.data, d.data, l.data);
  const int n = 20 * 128;
  // Each of the 30 bits is flipped 4 or 5 times per block, times 20 blocks: an even number.
  CHECK(i.get() == std::vector<int>{2 * n, -3 * n, -127, 19, 0});
  CHECK(u.get() == std::vector<unsigned>{n % 10, (10 - n % 10) % 10, 0xffffffffu});
  CHECK(f.get()[0] == 0.5f * n);
  CHECK(d.get()[0] == 0.25 * n);
  CHECK(l.get()[0] == (1ull << 33) * n);
}

__global__ void locked(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void lock_held_at_barrier(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __syncthreads();
  atomicExch(lock, 0);
}

TEST_CASE("locks make progress, and say so where they cannot") {
  DeviceArray<int> count({0});
  {
    DeviceArray<int> lock({0});
    locked<<<50, 256>>>(lock.data, count.data);
    CHECK(count.get()[0] == 50 * 256);
  }
  int* lock = nullptr;
  cudaMalloc(&lock, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  std::string text;
  CHECK(outcome([&] { lock_held_at_barrier<<<2, 64>>>(lock); }, &text) == cudaErrorLaunchFailure);
  CHECK(has(text, "no progress in kernel"));
}

// ---------------------------------------------------------------------------------- memory

TEST_CASE("copies of every shape") {
  const size_t width = 37, height = 11;
  std::vector<unsigned char> picture(width * height);
  std::iota(picture.begin(), picture.end(), 1);
  unsigned char* pitched = nullptr;
  size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&pitched, &pitch, width, height) == cudaSuccess);
  CHECK(pitch >= width);
  CHECK(pitch % 32 == 0);
  CHECK(cudaMemset2D(pitched, pitch, 9, width, height) == cudaSuccess);
  CHECK(cudaMemcpy2D(pitched, pitch, picture.data(), width, width, height - 1,
                     cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<unsigned char> back(width * height, 0);
  CHECK(cudaMemcpy2D(back.data(), width, pitched, pitch, width, height, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  std::fill(picture.end() - width, picture.end(), 9);
  CHECK(back == picture);
  CHECK(cudaFree(pitched) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault) == cudaSuccess);
}

__device__ int device_variable = 3;
__constant__ float coefficients[4];
__global__ void read_symbols(float* out) {
  out[threadIdx.x] = coefficients[threadIdx.x] + static_cast<float>(device_variable);
}

TEST_CASE("symbols") {
  const float values[4] = {1, 2, 3, 4};
  const int seven = 7;
  CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof values) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof(float), 2 * sizeof(float)) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(device_variable, &seven, sizeof seven) == cudaSuccess);
  DeviceArray<float> array(std::vector<float>(4, 0));
  read_symbols<<<1, 4>>>(array.data);
  CHECK(array.get() == std::vector<float>{8, 9, 8, 11});
  int back = 0;
  CHECK(cudaMemcpyFromSymbol(&back, device_variable, sizeof back) == cudaSuccess);
  CHECK(back == 7);
  std::string text = messages_of([&] {
    CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof values, 4) == cudaErrorInvalidValue);
  });
  CHECK(has(text, "exceeds the variable"));
  cudaGetLastError();
}

TEST_CASE("wrong copies and frees are explained") {
  int host[10] = {};
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof host) == cudaSuccess);
  const struct {
    std::function<cudaError_t()> call;
    const char* reason;
  } mistakes[] = {
      {[&] { return cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost); },
       "wrong copy direction cudaMemcpyDeviceToHost"},
      {[&] { return cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice); },
       "wrong copy direction cudaMemcpyHostToDevice"},
      {[&] { return cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice); },
       "the destination of the copy is too small for"},
      {[&] { return cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice); }, "is NULL"},
      {[&] { return cudaMemset(host, 0, 4); }, "cudaMemset of ordinary host memory"},
      {[&] { return cudaFree(host); }, "that no CUDA call allocated"},
      {[&] { return cudaFree(device + 1); }, "to the middle (byte 4)"},
      {[&] { return cudaFreeHost(device); }, "free device memory with cudaFree()"},
  };
  for (const auto& mistake : mistakes) {
    cudaError_t error = cudaSuccess;
    const std::string text = messages_of([&] { error = mistake.call(); });
    CHECK(error == cudaErrorInvalidValue);
    CHECK_MESSAGE(has(text, mistake.reason), text);
    CHECK(has(text, "cpu_device_test.cu:"));
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  CHECK(cudaFree(device) == cudaSuccess);
  const std::string text = messages_of([&] { CHECK(cudaFree(device) == cudaErrorInvalidValue); });
  CHECK(has(text, "already"));
  cudaGetLastError();
}

TEST_CASE("memory is not zero, and not more than there is") {
  size_t free_bytes = 0, total = 0, after = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  float* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, 4000) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(free_bytes - after >= 4000);
  float value = 0;
  CHECK(cudaMemcpy(&value, pointer, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::isnan(value));
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(cudaMalloc(&pointer, total + 1) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

__global__ void write_at(int* data, long long index) { data[index] = 1; }
__global__ void divide(int* data, int by) { data[0] = 7 / by; }
__global__ void fail_assertion(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }
__global__ void overflow_stack(int depth, int* out) {
  volatile int local[1000];
  local[depth % 1000] = depth;
  auto again = [&](auto& self, int level) -> int {
    volatile int more[1000];
    more[level % 1000] = level;
    return level == 0 ? 0 : self(self, level - 1) + more[level % 1000];
  };
  *out = again(again, depth) + local[0];
}

TEST_CASE("faults in kernels are explained, and are errors that stay") {
  // The sanitizers end the program themselves at such faults.
  if (getenv("UBSAN_OPTIONS") != nullptr) return;
  std::string text;
  int* data = nullptr;
  cudaMalloc(&data, 40);
  CHECK(outcome([&] { write_at<<<1, 1>>>(data, 100000); }, &text) == cudaErrorIllegalAddress);
  CHECK(has(text, "beyond the end of the 40 bytes"));
  CHECK(has(text, "write_at, thread (0,0,0) of block (0,0,0)"));
#if !defined(__SANITIZE_ADDRESS__)  // which would take over
  CHECK(has(text, "data[index] = 1"));
#endif
  cudaMalloc(&data, 40);
  CHECK(outcome([&] { write_at<<<1, 1>>>(data, 1ll << 60); }, &text) == cudaErrorIllegalAddress);
  CHECK(has(text, "far outside all memory"));
  CHECK(outcome([&] { write_at<<<1, 1>>>(nullptr, 0); }, &text) == cudaErrorIllegalAddress);
  CHECK(has(text, "NULL"));
  cudaMalloc(&data, 40);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(outcome([&] { divide<<<1, 1>>>(data, 0); }, &text) == cudaErrorLaunchFailure);
  CHECK(has(text, "integer division by zero"));
  cudaMalloc(&data, 40);
  CHECK(outcome([&] { overflow_stack<<<1, 2>>>(1000, data); }, &text) == cudaErrorIllegalAddress);
  CHECK(has(text, "stack overflow in kernel"));
#endif
  CHECK(outcome([] { fail_assertion<<<3, 8>>>(5); }, &text) == cudaErrorAssert);
  CHECK(has(text, "assertion `static_cast<int>(threadIdx.x) < limit' failed"));

  messages_of([&] {
    cudaMalloc(&data, 40);
    write_at<<<1, 1>>>(data, 100000);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaSuccess);  // as on an H200: it was told, and the next call tells it again
    int* other = nullptr;
    CHECK(cudaMalloc(&other, 4) == cudaErrorIllegalAddress);
    cudaDeviceReset();
    CHECK(cudaMalloc(&other, 4) == cudaSuccess);
    cudaFree(other);
  });
}

// ---------------------------------------------------------------------------------- queues

__global__ void set_value(int* target, int value) { *target = value; }
__global__ void copy_value(int* target, const int* source) { *target = *source; }

TEST_CASE("asynchronous means late") {
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, sizeof(int)) == cudaSuccess);
  *pinned = 1;
  set_value<<<1, 1>>>(pinned, 2);
  CHECK(*pinned == 1);
  CHECK(cudaStreamQuery(0) == cudaErrorNotReady);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*pinned == 2);
  CHECK(cudaStreamQuery(0) == cudaSuccess);
  // A copy of nothing waits for nothing (recorded on an H100, conformance/order.cu); one of a byte does.
  set_value<<<1, 1>>>(pinned, 3);
  CHECK(cudaMemcpy(pinned, pinned, 0, cudaMemcpyHostToHost) == cudaSuccess);
  CHECK(*pinned == 2);
  char byte = 0;
  CHECK(cudaMemcpy(&byte, pinned, 1, cudaMemcpyHostToHost) == cudaSuccess);
  CHECK(*pinned == 3);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("streams run on their own, and in the order that events ask for") {
  cudaStream_t first, second;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  DeviceArray<int> values({1, 2});
  int result = 0;
  const auto copy_back = [&] {
    CHECK(cudaMemcpyAsync(&result, values.data + 1, sizeof(int), cudaMemcpyDeviceToHost, second) ==
          cudaSuccess);
    CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  };
  // Without a dependency the second stream does not wait for the first.
  set_value<<<1, 1, 0, first>>>(values.data, 50);
  copy_value<<<1, 1, 0, second>>>(values.data + 1, values.data);
  copy_back();
  CHECK(result == 1);
  CHECK(cudaStreamSynchronize(first) == cudaSuccess);
  // With one it does.
  cudaEvent_t event;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  set_value<<<1, 1, 0, first>>>(values.data, 60);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event) == cudaSuccess);
  copy_value<<<1, 1, 0, second>>>(values.data + 1, values.data);
  copy_back();
  CHECK(result == 60);
  // The default stream waits for both.
  set_value<<<1, 1, 0, first>>>(values.data, 70);
  copy_value<<<1, 1>>>(values.data + 1, values.data);
  CHECK(values.get() == std::vector<int>{70, 70});
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  messages_of([&] { CHECK(cudaStreamSynchronize(second) == cudaErrorInvalidResourceHandle); });
  cudaGetLastError();
}

TEST_CASE("events") {
  cudaEvent_t start, stop;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  float ms = -1;
  std::string text = messages_of(
      [&] { CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle); });
  CHECK(has(text, "never recorded"));
  CHECK(cudaEventRecord(start) == cudaSuccess);
  CHECK(cudaEventRecord(stop) == cudaSuccess);
  text = messages_of([&] { CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady); });
  CHECK(has(text, "before the event has completed"));
  CHECK(cudaEventSynchronize(stop) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
  CHECK(ms >= 0);
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(stop) == cudaSuccess);
  cudaGetLastError();
}

// Each pair of events that measure time or not, and were recorded or not: which reason is told.
TEST_CASE("events: why no time is told") {
  for (int kinds = 1; kinds < 16; kinds++) {
    INFO("kinds " << kinds);
    cudaEvent_t both[2];
    for (int i = 0; i < 2; i++) {
      const bool timed = (kinds >> i & 1) == 0, recorded = (kinds >> (2 + i) & 1) == 0;
      const unsigned flags = timed ? cudaEventDefault : cudaEventDisableTiming;
      REQUIRE(cudaEventCreateWithFlags(&both[i], flags) == cudaSuccess);
      if (recorded) CHECK(cudaEventRecord(both[i]) == cudaSuccess);
    }
    float ms = -1;
    const std::string text = messages_of([&] {
      CHECK(cudaEventElapsedTime(&ms, both[0], both[1]) == cudaErrorInvalidResourceHandle);
    });
    const bool all_timed = (kinds & 3) == 0;
    CHECK(has(text, "an event that was never recorded") == all_timed);
    CHECK(has(text, "an event that does not measure time") == !all_timed);
    for (cudaEvent_t event : both) CHECK(cudaEventDestroy(event) == cudaSuccess);
  }
  cudaGetLastError();
}

// ---------------------------------------------------------------------------------- devices

TEST_CASE("devices that do not exist") {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  const std::string text =
      messages_of([&] { CHECK(cudaSetDevice(count) == cudaErrorInvalidDevice); });
  CHECK(has(text, "does not exist"));
  messages_of([] { CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice); });
  cudaGetLastError();
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  CHECK(value == properties.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0) == cudaSuccess);
  CHECK(value == properties.clockRate);
}
