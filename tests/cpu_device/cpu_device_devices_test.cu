// Several virtual devices: each has its own memory, queues and variables. And the kinds of memory
// of the host: pinned, mapped, registered, managed.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "../harness/run_program.h"

using course::messages_of;

namespace {

// Before the first CUDA call.
const bool three_devices = setenv("CPU_DEVICE_COUNT", "3", 1) == 0;

// One int on a device.
int* int_on(int device, int value) {
  int* pointer = nullptr;
  REQUIRE(cudaSetDevice(device) == cudaSuccess);
  REQUIRE(cudaMalloc(&pointer, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(pointer, &value, sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
  return pointer;
}

int value_of(const int* pointer) {
  int value = -1;
  CHECK(cudaMemcpy(&value, pointer, sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  return value;
}

}  // namespace

__global__ void add(int* x, int value) { *x += value; }
__global__ void add_from(int* x, const int* y) { *x += *y; }

TEST_CASE("three devices, each with its own memory") {
  REQUIRE(three_devices);
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 3);
  size_t free_before = 0, free_after = 0, total = 0;
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&free_before, &total) == cudaSuccess);
  int* const x = int_on(0, 40);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&free_after, &total) == cudaSuccess);
  CHECK(free_after == free_before);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, x) == cudaSuccess);
  CHECK(attributes.device == 0);
  CHECK(cudaFree(x) == cudaSuccess);  // from any device
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 1);
  CHECK(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("copies between devices, with and without peer access") {
  int* const x = int_on(0, 41);
  int* const y = int_on(2, 0);
  CHECK(cudaMemcpyPeer(y, 2, x, 0, sizeof(int)) == cudaSuccess);
  CHECK(value_of(y) == 41);
  CHECK(cudaMemset(x, 0, sizeof(int)) == cudaSuccess);
  CHECK(cudaMemcpyPeerAsync(y, 2, x, 0, sizeof(int)) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(value_of(y) == 0);
  int can = -1;
  CHECK(cudaDeviceCanAccessPeer(&can, 2, 0) == cudaSuccess);
  CHECK(can == 1);
  CHECK(cudaDeviceCanAccessPeer(&can, 2, 2) == cudaSuccess);
  CHECK(can == 0);
  REQUIRE(cudaSetDevice(2) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);  // the flags are reserved
  REQUIRE(cudaDeviceEnablePeerAccess(0, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
  add<<<1, 1>>>(x, 5);                                   // device 2 works on memory of device 0
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaSuccess);  // waits for it
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK(value_of(x) == 5);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(y) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("another device's memory without peer access is explained") {
  int* const x = int_on(0, 41);
  int* const large = [] {
    int* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, size_t(16) << 20) == cudaSuccess);
    return pointer;
  }();
  for (int* foreign : {x, large}) {
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    int* const own = int_on(1, 1);
    cudaError_t error = cudaSuccess;
    const std::string text = messages_of([&] {
      add_from<<<1, 1>>>(own, foreign);
      error = cudaDeviceSynchronize();
    });
    CHECK(error == cudaErrorIllegalAddress);
    CHECK_MESSAGE(course::contains(text, "memory of device 0"), text);
    CHECK_MESSAGE(course::contains(text, "the kernel runs on device 1"), text);
    CHECK_MESSAGE(course::contains(text, "cudaDeviceEnablePeerAccess(0, 0)"), text);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  CHECK(cudaSetDevice(0) == cudaSuccess);  // which has not been harmed
  add<<<1, 1>>>(x, 1);
  CHECK(value_of(x) == 42);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(large) == cudaSuccess);
}

TEST_CASE("streams and events belong to their device") {
  cudaStream_t stream;
  cudaEvent_t event, other_event;
  int* const x = int_on(1, 0);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaEventCreate(&other_event) == cudaSuccess);
  const std::string text = messages_of([&] {
    add<<<1, 1, 0, stream>>>(x, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord(other_event, stream) == cudaErrorInvalidResourceHandle);
  });
  CHECK_MESSAGE(course::contains(text, "stream of device 1 while device 0 is current"), text);
  CHECK_MESSAGE(course::contains(text, "belong to different devices"), text);
  cudaGetLastError();

  // But a stream may wait for an event of another device.
  int* const y = int_on(0, 1);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  add<<<1, 1, 0, stream>>>(x, 6);
  CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(0, event, 0) == cudaSuccess);
  CHECK(cudaMemcpyPeerAsync(y, 0, x, 1, sizeof(int)) == cudaSuccess);
  CHECK(cudaStreamSynchronize(0) == cudaSuccess);
  CHECK(value_of(y) == 6);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(other_event) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(y) == cudaSuccess);
}

TEST_CASE("synchronizing one device leaves the others' work undone") {
  int *first = nullptr, *second = nullptr;
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&first, sizeof(int), cudaHostAllocMapped) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&second, sizeof(int), cudaHostAllocMapped) == cudaSuccess);
  *first = *second = 0;
  add<<<1, 1>>>(first, 1);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  add<<<1, 1>>>(second, 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*first == 0);
  CHECK(*second == 1);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*first == 1);
  CHECK(cudaFreeHost(first) == cudaSuccess);
  CHECK(cudaFreeHost(second) == cudaSuccess);
}

__constant__ int coefficient = 3;
__device__ int counter;
__global__ void count(int* result) {
  counter += coefficient;
  *result = counter;
}

TEST_CASE("each device has its own variables") {
  const int seven = 7;
  int* results[3];
  for (int device = 0; device < 3; device++) {
    results[device] = int_on(device, 0);
    const int start = 100 * device;
    CHECK(cudaMemcpyToSymbol(counter, &start, sizeof(int)) == cudaSuccess);
    if (device == 1) CHECK(cudaMemcpyToSymbol(coefficient, &seven, sizeof(int)) == cudaSuccess);
  }
  for (int round = 0; round < 2; round++)
    for (int device = 0; device < 3; device++) {
      REQUIRE(cudaSetDevice(device) == cudaSuccess);
      count<<<1, 1>>>(results[device]);
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
    }
  // The constant was set on one device only.
  CHECK(value_of(results[0]) == 0 + 2 * 3);
  CHECK(value_of(results[1]) == 100 + 2 * 7);
  CHECK(value_of(results[2]) == 200 + 2 * 3);
  int value = -1;
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(int)) == cudaSuccess);
  CHECK(value == 114);
  for (int* result : results) CHECK(cudaFree(result) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("a host thread per device, again and again") {
  for (int round = 0; round < 100; round++) {
    int results[3] = {};
    std::vector<std::thread> threads;
    for (int device = 0; device < 3; device++)
      threads.emplace_back([device, &results] {
        int here = -1;
        cudaGetDevice(&here);
        if (here != 0) return;  // every thread begins with device 0
        int* x = nullptr;
        cudaSetDevice(device);
        cudaMalloc(&x, sizeof(int));
        cudaMemset(x, 0, sizeof(int));
        add<<<1, 256>>>(x, device + 1);
        cudaMemcpy(&results[device], x, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(x);
      });
    for (std::thread& thread : threads) thread.join();
    for (int device = 0; device < 3; device++) CHECK(results[device] % (device + 1) == 0);
    for (int result : results) CHECK(result > 0);
  }
}

// --------------------------------------------------------------------------- memory of the host

TEST_CASE("asynchronous copies and the kind of host memory") {
  const size_t bytes = 1000 * sizeof(int);
  std::vector<int> pageable(1000, 1);
  int *pinned = nullptr, *device = nullptr;
  cudaStream_t stream;
  REQUIRE(cudaMalloc(&device, bytes) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault) == cudaSuccess);
  const auto fetch = [&] {
    int value = -1;
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaMemcpy(&value, device + 999, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
  };
  // From pinned memory: late, so what is written afterwards counts.
  std::fill(pinned, pinned + 1000, 2);
  CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  std::fill(pinned, pinned + 1000, 3);
  CHECK(fetch() == 3);
  // From pageable memory: the driver has taken its own copy.
  CHECK(cudaMemcpyAsync(device, pageable.data(), bytes, cudaMemcpyHostToDevice, stream) ==
        cudaSuccess);
  std::fill(pageable.begin(), pageable.end(), 4);
  CHECK(fetch() == 1);
  // To pageable memory: done when the call returns; to pinned memory: late.
  CHECK(cudaMemcpyAsync(pageable.data(), device, bytes, cudaMemcpyDeviceToHost, stream) ==
        cudaSuccess);
  CHECK(pageable[999] == 1);
  CHECK(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(pinned[999] == 3);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(pinned[999] == 1);
  // Within the host: at once, pinned or not.
  std::fill(pageable.begin(), pageable.end(), 5);
  CHECK(cudaMemcpyAsync(pinned, pageable.data(), bytes, cudaMemcpyHostToHost, stream) ==
        cudaSuccess);
  CHECK(pinned[999] == 5);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("registered memory is pinned until it is unregistered") {
  std::vector<int> memory(5000, 1);
  int* device = nullptr;
  REQUIRE(cudaMalloc(&device, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaHostRegister(memory.data(), 4000 * sizeof(int), cudaHostRegisterMapped) ==
          cudaSuccess);
  CHECK(cudaMemcpyAsync(device, memory.data() + 3999, sizeof(int), cudaMemcpyHostToDevice) ==
        cudaSuccess);
  memory[3999] = 2;  // counts: the copy is late
  CHECK(value_of(device) == 2);
  int* mapped = nullptr;
  REQUIRE(cudaHostGetDevicePointer(&mapped, memory.data(), 0) == cudaSuccess);
  add<<<1, 1>>>(mapped, 10);
  CHECK(memory[0] == 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(memory[0] == 11);
  const std::string text = messages_of([&] {
    CHECK(cudaHostRegister(memory.data(), 8, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostRegister(memory.data() + 3999, 8, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaFreeHost(memory.data()) == cudaErrorInvalidValue);
    CHECK(cudaHostUnregister(memory.data() + 1) == cudaErrorHostMemoryNotRegistered);
  });
  CHECK_MESSAGE(course::contains(text, "call cudaHostUnregister()"), text);
  CHECK(cudaHostUnregister(memory.data()) == cudaSuccess);
  messages_of([&] {
    CHECK(cudaHostUnregister(memory.data()) == cudaErrorHostMemoryNotRegistered);
    CHECK(cudaHostGetDevicePointer(&mapped, memory.data(), 0) == cudaErrorInvalidValue);
  });
  // A range that runs into another one.
  REQUIRE(cudaHostRegister(memory.data() + 100, 400, 0) == cudaSuccess);
  messages_of([&] {
    CHECK(cudaHostRegister(memory.data(), 404, 0) == cudaErrorHostMemoryAlreadyRegistered);
  });
  CHECK(cudaHostRegister(memory.data(), 400, 0) == cudaSuccess);
  CHECK(cudaHostUnregister(memory.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(memory.data() + 100) == cudaSuccess);
  cudaGetLastError();
  CHECK(cudaFree(device) == cudaSuccess);
}

__constant__ int of_each_device[2];
__global__ void read_own(int* to) { *to = of_each_device[1]; }

TEST_CASE("each device has its own variables, so that copies to them need no order") {
  int* results[2];
  cudaStream_t streams[2];
  for (int device : {0, 1}) {
    REQUIRE(cudaSetDevice(device) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&streams[device]) == cudaSuccess);
    results[device] = int_on(device, 0);
  }
  int* const values[] = {int_on(0, 40), int_on(1, 41)};
  const std::string text = course::messages_of([&] {
    for (int device : {0, 1}) {
      CHECK(cudaSetDevice(device) == cudaSuccess);
      CHECK(cudaMemcpyToSymbolAsync(of_each_device, values[device], sizeof(int), sizeof(int),
                                    cudaMemcpyDeviceToDevice, streams[device]) == cudaSuccess);
      read_own<<<1, 1, 0, streams[device]>>>(results[device]);
    }
    for (int device : {0, 1}) {
      CHECK(cudaSetDevice(device) == cudaSuccess);
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
    }
  });
  CHECK(text == "");
  for (int device : {0, 1}) {
    CHECK(value_of(results[device]) == 40 + device);
    CHECK(cudaSetDevice(device) == cudaSuccess);
    CHECK(cudaFree(results[device]) == cudaSuccess);
    CHECK(cudaFree(values[device]) == cudaSuccess);
    CHECK(cudaStreamDestroy(streams[device]) == cudaSuccess);
  }
  CHECK(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("flags of pinned memory") {
  for (unsigned int flags = 0; flags < 8; flags++) {
    int *host = nullptr, *device = nullptr;
    REQUIRE(cudaHostAlloc(&host, sizeof(int), flags) == cudaSuccess);
    *host = 1;
    REQUIRE(cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess);
    add<<<1, 1>>>(device, 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(*host == 2);
    unsigned int found = 99;
    CHECK(cudaHostGetFlags(&found, host) == cudaSuccess);
    CHECK((found & flags) == flags);
    CHECK(cudaFreeHost(host) == cudaSuccess);
  }
  int* host = nullptr;
  messages_of([&] { CHECK(cudaHostAlloc(&host, 4, 8) == cudaErrorInvalidValue); });
  cudaGetLastError();
}

TEST_CASE("managed memory") {
  int* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 0) == cudaSuccess);  // as with CUDA 13 on an H200
  CHECK(managed == nullptr);
  REQUIRE(cudaMallocManaged(&managed, 100 * sizeof(int)) == cudaSuccess);
  managed[0] = 1;
  managed[99] = 2;
  CHECK(cudaMemAdvise(managed, 400, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 400, 1) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 400, cudaCpuDeviceId) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 400, cudaMemLocation{cudaMemLocationTypeDevice, 2}, 0) ==
        cudaSuccess);
  for (int device = 0; device < 3; device++) {  // all devices share it
    REQUIRE(cudaSetDevice(device) == cudaSuccess);
    add_from<<<1, 1>>>(managed, managed + 99);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(managed[0] == 7);
  int* device_memory = nullptr;
  REQUIRE(cudaMalloc(&device_memory, 400) == cudaSuccess);
  const std::string text = messages_of([&] {
    CHECK(cudaMemPrefetchAsync(device_memory, 400, 0) == cudaErrorInvalidValue);
    CHECK(cudaMemPrefetchAsync(managed + 1, 400, 0) == cudaErrorInvalidValue);
    CHECK(cudaMemPrefetchAsync(managed, 400, 3) == cudaErrorInvalidDevice);
    CHECK(cudaMemAdvise(device_memory, 4, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
  });
  CHECK_MESSAGE(course::contains(text, "cudaMallocManaged()"), text);
  cudaGetLastError();
  CHECK(cudaFree(device_memory) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
}
