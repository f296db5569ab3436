// Three devices: which of them a call waits for, what a reset or a failure of one leaves of the others, and memory of each to
// the last byte.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

int wrong = 0;
void failed(int line, const std::string &what) { wrong++, printf("line %d: %s\n", line, what.c_str()); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

constexpr int kDevices = 3;
int count = 0;
volatile int done[kDevices];
void finish(void *which) { done[*static_cast<int *>(which)] = 1; }
int numbers[kDevices] = {0, 1, 2};

__global__ void write(int *p, int value) { *p = value; }

struct Case {
  const char *name;
  std::function<void()> prepare;
  std::function<cudaError_t()> call;
  int current;
  std::vector<int> waits;  // for these devices at least
};

void waits() {
  void *memory[kDevices] = {}, *host = nullptr, *managed = nullptr;
  std::vector<char> plain(4096);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  std::vector<Case> cases;
  const std::vector<int> all = {0, 1, 2};
  for (int current = 0; current < count; current++) {
    for (int owner = 0; owner < count; owner++) {
      cases.push_back({"cudaFree", [&, owner] { cudaSetDevice(owner), GOOD(cudaMalloc(&memory[0], 64)); },
                       [&] { return cudaFree(memory[0]); }, current, {owner}});
      cases.push_back({"cudaFreeArray", [&, owner] { cudaSetDevice(owner), GOOD(cudaMallocArray(&array, &format, 4, 4)); },
                       [&] { return cudaFreeArray(array); }, current, {owner}});
      cases.push_back({"cudaFreeHost", [&, owner] { cudaSetDevice(owner), GOOD(cudaMallocHost(&host, 64)); },
                       [&] { return cudaFreeHost(host); }, current, all});
      cases.push_back({"cudaFree of managed memory", [&, owner] { cudaSetDevice(owner), GOOD(cudaMallocManaged(&managed, 64)); },
                       [&] { return cudaFree(managed); }, current, all});
      cases.push_back({"cudaHostUnregister",
                       [&, owner] { cudaSetDevice(owner), GOOD(cudaHostRegister(plain.data(), 64, 0)); },
                       [&] { return cudaHostUnregister(plain.data()); }, current, all});
      cases.push_back({"cudaDeviceDisablePeerAccess",
                       [&, current, owner] {
                         cudaSetDevice(current);
                         if (owner != current) GOOD(cudaDeviceEnablePeerAccess(owner, 0));
                       },
                       [current, owner] { return owner == current ? cudaDeviceSynchronize() : cudaDeviceDisablePeerAccess(owner); },
                       current,
                       {current}});
      for (int to = 0; to < count; to++)
        cases.push_back({"cudaMemcpyPeer",
                         [&, owner, to] {
                           cudaSetDevice(owner), GOOD(cudaMalloc(&memory[1], 64));
                           cudaSetDevice(to), GOOD(cudaMalloc(&memory[2], 64));
                         },
                         [&, owner, to] { return cudaMemcpyPeer(memory[2], to, memory[1], owner, 64); }, current, {current, owner, to}});
    }
    cases.push_back({"cudaDeviceSynchronize", [] {}, [] { return cudaDeviceSynchronize(); }, current, {current}});
  }
  for (const Case &one : cases) {
    one.prepare();
    cudaStream_t streams[kDevices];
    for (int d = 0; d < count; d++) {
      done[d] = 0;
      GOOD(cudaSetDevice(d));
      GOOD(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
      GOOD(cudaLaunchHostFunc(streams[d], finish, &numbers[d]));
    }
    GOOD(cudaSetDevice(one.current));
    GOOD(one.call());
    for (const int d : one.waits)
      if (!done[d]) failed(__LINE__, std::string(one.name) + ": device " + std::to_string(one.current) + " is current, and it does not wait for device " + std::to_string(d));
    int device = -1;
    GOOD(cudaGetDevice(&device));
    EXPECT(device == one.current);
    for (int d = 0; d < count; d++) {
      GOOD(cudaSetDevice(d));
      GOOD(cudaStreamDestroy(streams[d]));
      GOOD(cudaDeviceSynchronize());
      EXPECT(done[d]);
    }
    if (strcmp(one.name, "cudaMemcpyPeer") == 0) {
      GOOD(cudaFree(memory[1]));
      GOOD(cudaFree(memory[2]));
    }
  }
}

// What the host may read at once, without a wait of its own.
void managed_memory() {
  int *a, *b;
  GOOD(cudaMallocManaged(&a, 64));
  GOOD(cudaMallocManaged(&b, 64));
  for (int round = 1; round < 4; round++) {
    GOOD(cudaMemset(a, round, 64));
    for (int i = 0; i < 16; i++) EXPECT(a[i] == round * 0x01010101);
#ifdef __CPU_DEVICE__
    GOOD(cudaMemcpy(b, a, 64, cudaMemcpyDeviceToDevice));
    for (int i = 0; i < 16; i++) EXPECT(b[i] == round * 0x01010101);
#endif
  }
  GOOD(cudaFree(a));
  GOOD(cudaFree(b));
}

void memory_to_the_last_byte() {
#ifdef __CPU_DEVICE__  // a GPU hands out pages
  for (int d = 0; d < count; d++) {
    GOOD(cudaSetDevice(d));
    size_t free_now = 0, total = 0, same = 0;
    GOOD(cudaMemGetInfo(&free_now, &total));
    void *most = nullptr, *more = &most;
    EXPECT(cudaMalloc(&more, free_now + 1) == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
    EXPECT(more == nullptr);
    GOOD(cudaMalloc(&most, free_now));
    GOOD(cudaMemGetInfo(&same, &total));
    EXPECT(same == 0);
    EXPECT(cudaMalloc(&more, 1) == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
    GOOD(cudaMallocHost(&more, 100));  // of the host's
    GOOD(cudaFreeHost(more));
    GOOD(cudaFree(most));
    GOOD(cudaMemGetInfo(&same, &total));
    EXPECT(same == free_now);
  }
#endif
}

void failures_and_resets() {
  int *own[kDevices], value = 0;
  for (int broken = 0; broken < count; broken++) {
    for (int d = 0; d < count; d++) {
      GOOD(cudaSetDevice(d));
      GOOD(cudaMalloc(&own[d], sizeof(int)));
      write<<<1, 1>>>(own[d], 10 + d);
      GOOD(cudaDeviceSynchronize());
    }
    GOOD(cudaSetDevice(broken));
    write<<<1, 1>>>(nullptr, 1);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
    const int other = (broken + 1) % count;
    const auto others_are_there = [&] {
      for (int d = 0; d < count; d++) {
        if (d == broken) continue;
        GOOD(cudaSetDevice(d));
        GOOD(cudaMemcpy(&value, own[d], sizeof(int), cudaMemcpyDeviceToHost));
        EXPECT(value == 10 + d);
      }
    };
    others_are_there();
    GOOD(cudaSetDevice(other));
    GOOD(cudaDeviceReset());
    GOOD(cudaMalloc(&own[other], sizeof(int)));
    write<<<1, 1>>>(own[other], 10 + other);
    others_are_there();
    GOOD(cudaSetDevice(broken));  // which the reset of another does not mend
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    GOOD(cudaDeviceReset());
    GOOD(cudaDeviceSynchronize());
    others_are_there();
    for (int d = 0; d < count; d++) {
      if (d == broken) continue;
      GOOD(cudaFree(own[d]));
    }
  }
}

int main() {
  setenv("CPU_DEVICE_COUNT", "3", 1);  // for a machine without a GPU
  setenv("CPU_DEVICE_MEMORY", "67108864", 1);
  GOOD(cudaGetDeviceCount(&count));
  if (count > kDevices) count = kDevices;
  if (count < 2) return printf("needs two devices\n"), wrong != 0;
  waits();
  managed_memory();
  memory_to_the_last_byte();
#ifdef __CPU_DEVICE__  // on GPUs, a failure is one of the whole process
  failures_and_resets();
#endif
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
