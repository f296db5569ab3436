// What pools say of themselves: random calls on two pools, and after each one all attributes, by the names of the
// runtime and of the driver, against a model. Link with -lcuda on a GPU.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int wrong = 0;
void failed(int step, int pool, const char *name, uint64_t got, uint64_t expected) {
  if (wrong++ < 20)
    printf("step %d, pool %d: %s is %llu, not %llu\n", step, pool, name, (unsigned long long)got, (unsigned long long)expected);
}

struct Model {
  uint64_t used = 0, used_high = 0, reserved_high = 0, threshold = 0;
  int reuse[3] = {1, 1, 1};  // by events, opportunistic, by dependencies within
  std::vector<std::pair<void *, uint64_t>> taken;
};
struct Wide {
  const char *name;
  cudaMemPoolAttr runtime;
  CUmemPool_attribute driver;
};
const Wide kUsed{"used", cudaMemPoolAttrUsedMemCurrent, CU_MEMPOOL_ATTR_USED_MEM_CURRENT};
const Wide kUsedHigh{"used, high", cudaMemPoolAttrUsedMemHigh, CU_MEMPOOL_ATTR_USED_MEM_HIGH};
const Wide kReserved{"reserved", cudaMemPoolAttrReservedMemCurrent, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT};
const Wide kReservedHigh{"reserved, high", cudaMemPoolAttrReservedMemHigh, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH};
const Wide kThreshold{"threshold", cudaMemPoolAttrReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD};
const Wide kReuse[3] = {
    {"reuse by events", cudaMemPoolReuseFollowEventDependencies, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES},
    {"reuse if possible", cudaMemPoolReuseAllowOpportunistic, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC},
    {"reuse by dependencies", cudaMemPoolReuseAllowInternalDependencies, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}};

template <typename T>
void compare(int step, int number, cudaMemPool_t pool, const Wide &which, T expected) {
  T one = T(~T(0)), other = T(~T(0));
  if (cudaMemPoolGetAttribute(pool, which.runtime, &one) != cudaSuccess) failed(step, number, which.name, 0, 1);
  if (cuMemPoolGetAttribute(pool, which.driver, &other) != CUDA_SUCCESS) failed(step, number, which.name, 0, 2);
  if (one != expected) failed(step, number, which.name, uint64_t(one), uint64_t(expected));
  if (other != expected) failed(step, number, which.name, uint64_t(other), uint64_t(expected));
}

int main() {
  std::mt19937 random(22);
  if (cuInit(0) != CUDA_SUCCESS) return 2;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pools[2];
  Model models[2];
  for (cudaMemPool_t &pool : pools) {
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location.type = cudaMemLocationTypeDevice;
    if (cudaMemPoolCreate(&pool, &how) != cudaSuccess) return 1;
  }
  for (int step = 0; step < 600; step++) {
    const int number = random() % 2;
    cudaMemPool_t pool = pools[number];
    Model &m = models[number];
    const bool by_driver = random() % 2 != 0;
    auto set = [&](const Wide &which, auto value) {
      const bool good = by_driver ? cuMemPoolSetAttribute(pool, which.driver, &value) == CUDA_SUCCESS
                                  : cudaMemPoolSetAttribute(pool, which.runtime, &value) == cudaSuccess;
      if (!good) failed(step, number, which.name, 0, 3);
    };
    switch (random() % 8) {
      case 0:
      case 1: {
        const uint64_t bytes = 4096 * (1 + random() % 16);
        void *memory = nullptr;
        if (by_driver) {
          CUdeviceptr address = 0;
          cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
          memory = reinterpret_cast<void *>(address);
        } else {
          cudaMallocFromPoolAsync(&memory, bytes, pool, stream);
        }
        m.taken.push_back({memory, bytes});
        m.used += bytes;
        m.used_high = std::max(m.used_high, m.used);
        m.reserved_high = std::max(m.reserved_high, m.used);
        break;
      }
      case 2:
      case 3: {
        if (m.taken.empty()) break;
        std::swap(m.taken[random() % m.taken.size()], m.taken.back());
        cudaFreeAsync(m.taken.back().first, stream);
        m.used -= m.taken.back().second;
        m.taken.pop_back();
        break;
      }
      case 4: set(kUsedHigh, uint64_t(0)), m.used_high = m.used; break;
      case 5: set(kReservedHigh, uint64_t(0)), m.reserved_high = m.used; break;
      case 6: set(kThreshold, m.threshold = random()); break;
      case 7: {
        const int i = random() % 3;
        set(kReuse[i], m.reuse[i] = int(random() % 2));
        break;
      }
    }
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 2; i++) {
      compare(step, i, pools[i], kUsed, models[i].used);
      compare(step, i, pools[i], kUsedHigh, models[i].used_high);
      compare(step, i, pools[i], kThreshold, models[i].threshold);
      for (int j = 0; j < 3; j++) compare(step, i, pools[i], kReuse[j], models[i].reuse[j]);
#ifdef __CPU_DEVICE__  // nothing is kept for later
      compare(step, i, pools[i], kReserved, models[i].used);
      compare(step, i, pools[i], kReservedHigh, models[i].reserved_high);
#else  // in steps of the GPU
      for (const Wide *which : {&kReserved, &kReservedHigh}) {
        uint64_t reserved = 0;
        cudaMemPoolGetAttribute(pools[i], which->runtime, &reserved);
        compare(step, i, pools[i], *which, reserved);
        if (reserved < models[i].used) failed(step, i, which->name, reserved, models[i].used);
      }
#endif
    }
  }
  for (Model &m : models)
    for (auto &one : m.taken) cudaFreeAsync(one.first, stream);
  cudaStreamSynchronize(stream);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
