#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/lock_counter.cu"
#undef main

#include "lock_check.h"

// As the book's listings use it: by value, and as an array that is copied to the device.
__global__ void count_with_array(Lock* locks, int* counters, int count) {
  const int i = (threadIdx.x + blockIdx.x) % count;
  locks[i].lock();
  counters[i]++;
  locks[i].unlock();
}

TEST_CASE("many locks in device memory") {
  constexpr int kLocks = 5;
  Lock locks[kLocks];
  Lock* dev_locks;
  int* dev_counters;
  REQUIRE(cudaMalloc(&dev_locks, sizeof locks) == cudaSuccess);
  REQUIRE(cudaMalloc(&dev_counters, kLocks * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(dev_locks, locks, sizeof locks, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset(dev_counters, 0, kLocks * sizeof(int)) == cudaSuccess);
  count_with_array<<<20, 100>>>(dev_locks, dev_counters, kLocks);
  int counters[kLocks];
  REQUIRE(cudaMemcpy(counters, dev_counters, sizeof counters, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  for (int counter : counters) CHECK(counter == 20 * 100 / kLocks);
  CHECK(cudaFree(dev_locks) == cudaSuccess);
  CHECK(cudaFree(dev_counters) == cudaSuccess);
}

TEST_CASE("copies do not free what they did not allocate") {
  const Lock original;
  {
    const Lock copy(original), copy_of_copy(copy), borrowed(original.mutex);
    CHECK(copy.mutex == original.mutex);
    CHECK(copy_of_copy.mutex == original.mutex);
    CHECK(borrowed.mutex == original.mutex);
  }
  int value = -1;  // the memory is still there, and the lock is free
  CHECK(cudaMemcpy(&value, original.mutex, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 0);
}

TEST_CASE("the loop finds what goes wrong, and what is not given back") {
  int rounds = 0;
  CHECK(soak(0, [&] { return ++rounds > 0; }));
  CHECK(rounds == 6);
  rounds = 0;
  CHECK_FALSE(soak(0, [&] { return ++rounds < 4; }));
  CHECK(rounds == 4);

  // What other processes do with the device's memory at the same time may hide the loss.
  const size_t bytes = size_t(20) << 20;
  bool noticed = false;
  for (int attempt = 0; attempt < 20 && !noticed; attempt++) {
    std::vector<void*> kept;
    noticed = !soak(0, [&] {
      kept.push_back(nullptr);
      return cudaMalloc(&kept.back(), bytes) == cudaSuccess;
    });
    for (void* pointer : kept) CHECK(cudaFree(pointer) == cudaSuccess);
  }
  CHECK(noticed);
  // Memory that is taken once is no loss, although the device has less of it in each quarter than at first.
  void* once = nullptr;
  int calls = 0;
  CHECK(soak(0, [&] { return ++calls != 3 || cudaMalloc(&once, 5 * bytes) == cudaSuccess; }));
  CHECK((once != nullptr && cudaFree(once) == cudaSuccess));
  std::vector<std::vector<char>> kept_by_host;
  CHECK_FALSE(soak(0, [&] {
    kept_by_host.emplace_back(bytes, 'x');
    return true;
  }));
}
