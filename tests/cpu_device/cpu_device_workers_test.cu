// Many workers, as on machines with many cores: their threads' stacks, and blocks that wait for
// each other.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "../harness/run_program.h"

using course::contains;
using course::messages_of;

namespace {

// 64 workers with 1024 waiting threads each: as many stacks as a process may have mappings.
const int kWorkers = [] {
  setenv("CPU_DEVICE_THREADS", "64", 0);
  return atoi(getenv("CPU_DEVICE_THREADS"));
}();

// Each thread waits until all threads of all blocks have come, with something on its stack.
__global__ void meet(int* arrived, int* sums) {
  int mine[8];
  for (int i = 0; i < 8; i++) mine[i] = static_cast<int>(threadIdx.x) + i;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x)) {
    }
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += mine[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct Meeting {
  Meeting(int blocks, int threads) : sums(static_cast<size_t>(blocks) * threads) {
    REQUIRE(cudaMalloc(&arrived, sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(arrived, 0, sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMalloc(&dev_sums, sums.size() * sizeof(int)) == cudaSuccess);
    meet<<<blocks, threads>>>(arrived, dev_sums);
    error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
      cudaMemcpy(sums.data(), dev_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaDeviceReset();
  }
  int *arrived = nullptr, *dev_sums = nullptr;
  std::vector<int> sums;
  cudaError_t error = cudaSuccess;
};

}  // namespace

__device__ int deeper(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? room[0] : deeper(depth - 1) + room[0];
}
__global__ void recurse(int* out, int depth) {
  __syncthreads();
  out[threadIdx.x] = deeper(depth);
}

// First: before Linux 6.13 only so many stacks have a page below that nobody may touch, and the
// first ones do.
TEST_CASE("a stack that is full is noticed") {
  // The sanitizers end the program themselves at such faults.
  if (getenv("UBSAN_OPTIONS") != nullptr) return;
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, 64 * sizeof(int)) == cudaSuccess);
  cudaError_t error = cudaSuccess;
  const std::string text = messages_of([&] {
    recurse<<<2, 64>>>(out, 1000);
    error = cudaDeviceSynchronize();
  });
  CHECK(error == cudaErrorIllegalAddress);
  CHECK_MESSAGE(contains(text, "stack overflow in kernel"), text);
  cudaDeviceReset();
}

TEST_CASE("every worker has stacks for a block of every size") {
  for (int threads : {1, 33, 1024}) {
    const Meeting meeting(kWorkers, threads);
    REQUIRE(meeting.error == cudaSuccess);
    int wrong = 0;
    for (size_t i = 0; i < meeting.sums.size(); i++)
      wrong += meeting.sums[i] != 8 * static_cast<int>(i % threads) + 28;
    CHECK(wrong == 0);
  }
}

TEST_CASE("a barrier across more blocks than fit is explained") {
  cudaError_t error = cudaSuccess;
  const std::string text = messages_of([&] { error = Meeting(10000, 32).error; });
  CHECK(error == cudaErrorLaunchFailure);
  CHECK(contains(text, "wait for blocks that have not started"));
  CHECK(contains(text, "of 10000 blocks have started"));
  CHECK(contains(text, "Use fewer blocks, each with a loop over the data"));
}

// Run alone by the test below, because stacks that are there once are kept.
TEST_CASE("child: a launch without memory for stacks" * doctest::skip()) {
  int* out = nullptr;
  REQUIRE(cudaMalloc(&out, 32 * sizeof(int)) == cudaSuccess);
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + (4 << 20);
  const rlimit limit{bytes, bytes};
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  recurse<<<4, 32>>>(out, 0);  // nor for the threads of other workers
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchOutOfResources);
}

TEST_CASE("a worker that gets no stack at all says so, and nobody waits for it") {
  // The sanitizers need terabytes of addresses.
  if (getenv("UBSAN_OPTIONS") != nullptr) return;
  const course::RunResult result =
      course::run({"/proc/self/exe", "--no-skip", "--test-case=child: a launch*"});
  CHECK_MESSAGE(result.exit_code == 0, result.out);
  CHECK_MESSAGE(contains(result.err, "not enough memory for the stacks of the block's threads"), result.err);
}
