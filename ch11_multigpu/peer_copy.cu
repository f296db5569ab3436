// Copies data from device to device: through the host, and directly.
//
// Not in the book, whose devices never exchange data. What to look at: cudaMemcpyPeer works between
// any two devices. Without peer access it goes through the host's memory. After
// cudaDeviceEnablePeerAccess it goes directly from device to device, and a kernel on one device may
// access the other device's memory through an ordinary pointer.
//
//   ./course run peer_copy --devices 2

#include <stdio.h>

#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"
#include "devices.h"

// Runs on one device and reads the memory of another.
__global__ void copy_words(const unsigned int* from, unsigned int* to, size_t n) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    to[i] = from[i];
}

// GB/s (10^9 bytes per second) from one device to another. Without peer access, `direct` and
// `by_kernel` are 0.
struct PeerSpeed {
  double through_host = 0, direct = 0, by_kernel = 0;
  bool verified = false;
};

double gb_per_s(size_t bytes, double ms) { return course::billions_per_second(double(bytes), ms); }

// Copies `words` from device `from` to device `to` in all three ways. Returns the speeds.
PeerSpeed measure_pair(int from, int to, const std::vector<unsigned int>& words) {
  const size_t n = words.size(), bytes = n * sizeof(unsigned int);
  unsigned int *source, *target;
  HANDLE_ERROR(cudaSetDevice(from));
  HANDLE_ERROR(cudaMalloc(&source, bytes));
  HANDLE_ERROR(cudaMemcpy(source, words.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaSetDevice(to));  // everything below is done by the receiver
  HANDLE_ERROR(cudaMalloc(&target, bytes));

  PeerSpeed speed;
  speed.verified = true;
  std::vector<unsigned int> received(n);
  const auto measure = [&](const char* way, const std::function<void()>& send) {
    HANDLE_ERROR(cudaMemset(target, 0, bytes));
    const double ms = course::measure_host_ms([&] {
      send();
      HANDLE_ERROR(cudaDeviceSynchronize());
    });
    HANDLE_ERROR(cudaMemcpy(received.data(), target, bytes, cudaMemcpyDeviceToHost));
    speed.verified = speed.verified && course::verify(way, received.data(), words.data(), n);
    return gb_per_s(bytes, ms);
  };
  const auto copy = [&] { HANDLE_ERROR(cudaMemcpyPeer(target, to, source, from, bytes)); };
  speed.through_host = measure("what came through the host", copy);

  int can_access = 0;
  HANDLE_ERROR(cudaDeviceCanAccessPeer(&can_access, to, from));
  if (can_access != 0) {
    HANDLE_ERROR(cudaDeviceEnablePeerAccess(from, 0));
    speed.direct = measure("what came directly", copy);
    speed.by_kernel = measure("what the kernel fetched", [&] {
      copy_words<<<1024, 256>>>(source, target, n);
      HANDLE_ERROR(cudaGetLastError());
    });
    HANDLE_ERROR(cudaDeviceDisablePeerAccess(from));
  }
  HANDLE_ERROR(cudaFree(target));
  HANDLE_ERROR(cudaSetDevice(from));
  HANDLE_ERROR(cudaFree(source));
  HANDLE_ERROR(cudaSetDevice(0));
  return speed;
}

int main(int argc, char** argv) {
  size_t n = 16 << 20;
  int devices = 2;
  course::Options options("Speed of copies from device to device.");
  options.number("size", &n, 1, 1LL << 34, "words of 4 bytes");
  options.number("devices", &devices, 2, 64, "devices");
  options.parse(argc, argv);
  course::require_devices(devices);
  course::require_memory(4.0 * n, 2 * 4.0 * n);

  std::vector<unsigned int> words(n);
  course::Random random(11);
  for (unsigned int& word : words) word = random.bits();
  printf("%s; %d x %s\n", course::count_of(n, "word").c_str(), devices, course::device_name().c_str());
  printf("%-10s %16s %16s %16s\n", "", "through the host", "directly", "by a kernel");
  for (int from = 0; from < devices; from++)
    for (int to = 0; to < devices; to++) {
      if (from == to) continue;
      const PeerSpeed speed = measure_pair(from, to, words);
      if (!speed.verified) return course::kExitWrong;
      if (speed.direct > 0)
        printf("%2d to %2d   %11.2f GB/s %11.2f GB/s %11.2f GB/s, verified\n", from, to,
               speed.through_host, speed.direct, speed.by_kernel);
      else
        printf("%2d to %2d   %11.2f GB/s      no peer access, verified\n", from, to,
               speed.through_host);
    }
  return 0;
}
