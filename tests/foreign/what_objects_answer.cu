// In the manner of a test suite for streams, events and pools: each is made with every valid and invalid value next to the
// limits, and what it says of itself afterwards must be what was asked for.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

static int bad = 0;
#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) bad++, printf("line %d: ", __LINE__), printf(__VA_ARGS__), printf("\n");     \
  } while (0)

static int between(int low, int value, int high) { return value < low ? low : value > high ? high : value; }

static void streams() {
  int least = 7, greatest = 7;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  CHECK(greatest < least && least == 0, "priorities %d to %d", least, greatest);
  for (unsigned flags = 0; flags < 4; flags++)
    for (int priority = greatest - 2; priority <= least + 2; priority++) {
      cudaStream_t stream = nullptr;
      const cudaError_t error = cudaStreamCreateWithPriority(&stream, flags, priority);
      CHECK(error == (flags < 2 ? cudaSuccess : cudaErrorInvalidValue), "flags %u: %d", flags, error);
      cudaGetLastError();
      if (error != cudaSuccess) continue;
      unsigned said = 9;
      int got = 9;
      cudaStreamGetFlags(stream, &said);
      cudaStreamGetPriority(stream, &got);
      CHECK(said == flags, "flags %u, not %u", said, flags);
      CHECK(got == between(greatest, priority, least), "priority %d of %d", got, priority);
      cudaStreamDestroy(stream);
    }
}

__global__ void work(int *a) { *a = 1; }

static void events(int *a) {
  for (unsigned flags = 0; flags < 20; flags++) {
    if ((flags & 6) == 4) continue;  // one for other processes must not measure time
    cudaEvent_t event;
    const cudaError_t error = cudaEventCreateWithFlags(&event, flags);
    CHECK(error == (flags < 8 ? cudaSuccess : cudaErrorInvalidValue), "flags %u: %d", flags, error);
    if (error == cudaSuccess) cudaEventDestroy(event);
  }
  cudaGetLastError();
  // Each of two events: its flags, and whether it was recorded.
  const unsigned flags_of[] = {cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming, cudaEventBlockingSync | cudaEventDisableTiming};
  for (int start = 0; start < 8; start++)
    for (int stop = 0; stop < 8; stop++) {
      cudaEvent_t both[2];
      for (int i = 0; i < 2; i++) {
        const int how = i == 0 ? start : stop;
        cudaEventCreateWithFlags(&both[i], flags_of[how % 4]);
        if (how < 4) cudaEventRecord(both[i]);
        CHECK(cudaEventSynchronize(both[i]) == cudaSuccess && cudaEventQuery(both[i]) == cudaSuccess, "an event of kind %d", how);
        work<<<1, 1>>>(a);
      }
      float ms = -1;
      const cudaError_t error = cudaEventElapsedTime(&ms, both[0], both[1]);
      CHECK(error == (start < 2 && stop < 2 ? cudaSuccess : cudaErrorInvalidResourceHandle), "%d to %d: %d", start, stop, error);
      CHECK((ms >= 0) == (error == cudaSuccess), "%d to %d: %g ms", start, stop, ms);
      cudaEventDestroy(both[0]), cudaEventDestroy(both[1]);
    }
  cudaGetLastError();
}

static void pools() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  for (int device = -1; device <= devices; device++) {
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location.type = cudaMemLocationTypeDevice;
    how.location.id = device;
    cudaMemPool_t pool = nullptr;
    const cudaError_t error = cudaMemPoolCreate(&pool, &how);
    CHECK((error == cudaSuccess) == (device >= 0 && device < devices), "a pool of device %d: %d", device, error);
    cudaGetLastError();
    if (error != cudaSuccess) continue;
    // Switches are ints, sizes have 64 bits: what stands behind a switch stays.
    for (int which = cudaMemPoolReuseFollowEventDependencies; which <= cudaMemPoolReuseAllowInternalDependencies; which++)
      for (int set : {1, 0, 1}) {
        int value[2] = {set, 77}, got[2] = {-1, 77};
        CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(which), value) == cudaSuccess, "switch %d", which);
        CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttr(which), got) == cudaSuccess && got[0] == set && got[1] == 77,
              "switch %d of a pool: %d and %d, expected %d and 77", which, got[0], got[1], set);
      }
    const unsigned long long threshold = 5ull << 32 | 3;
    unsigned long long wide = threshold, back = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &wide) == cudaSuccess, "the threshold of device %d", device);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back) == cudaSuccess && back == threshold, "threshold %llu", back);
#if CUDART_VERSION > 13000 || defined(__CPU_DEVICE__)  // newer attributes
    for (int which = cudaMemPoolAttrAllocationType; which <= cudaMemPoolAttrLocationType; which++) {
      int value = 0;
      CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(which), &value) != cudaSuccess, "attribute %d is set, though it is fixed", which);
      cudaGetLastError();
    }
    int id = -1;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrLocationId, &id) == cudaSuccess && id == device, "a pool of device %d: %d", device, id);
#endif
    CHECK(cudaDeviceSetMemPool(device, pool) == cudaSuccess, "a pool for device %d", device);
    cudaMemPool_t now = nullptr;
    cudaDeviceGetMemPool(&now, device);
    CHECK(now == pool, "the pool of device %d", device);
    cudaSetDevice(device);
    void *memory = nullptr;
    cudaMallocAsync(&memory, 1000, 0);
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, memory) == cudaSuccess && about.device == device, "memory of device %d", device);
    cudaFreeAsync(memory, 0), cudaDeviceSynchronize(), cudaMemPoolDestroy(pool);
  }
  cudaSetDevice(0);
}

__global__ void beyond(int *a) { a[threadIdx.x + (1u << 28)] = 1; }

// After a kernel has failed, the context is lost: all of these say so, and go on saying so.
static void after_a_failure(int *a) {
  cudaEvent_t before;
  cudaStream_t stream;
  cudaEventCreate(&before), cudaStreamCreate(&stream);
  cudaEventRecord(before, stream);
  beyond<<<1, 1, 0, stream>>>(a);
  const cudaError_t lost = cudaDeviceSynchronize();
  CHECK(lost == cudaErrorIllegalAddress, "the kernel: %d", lost);
  int host = 0;
  void *memory;
  for (int again = 0; again < 2; again++) {
    const cudaError_t came[] = {cudaEventQuery(before), cudaEventSynchronize(before), cudaStreamQuery(stream), cudaStreamSynchronize(stream),
                                cudaMalloc(&memory, 4), cudaMemcpy(&host, a, 4, cudaMemcpyDeviceToHost),
                                cudaMemset(a, 0, 4), cudaDeviceSynchronize(), cudaPeekAtLastError()};
    for (unsigned i = 0; i < sizeof came / sizeof *came; i++) CHECK(came[i] == lost, "call %u says %d", i, came[i]);
  }
}

int main(int, char **argv) {
  // Three devices, where there is no GPU. Read before main() begins, so the program starts itself once more.
  if (getenv("CPU_DEVICE_COUNT") == nullptr) {
    setenv("CPU_DEVICE_COUNT", "3", 1);
    execv("/proc/self/exe", argv);
  }
  int *a;
  cudaMalloc(&a, 4);
  streams();
  events(a);
  pools();
  after_a_failure(a);
  printf(bad ? "wrong\n" : "right\n");
  return bad != 0;
}
