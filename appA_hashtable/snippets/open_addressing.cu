// Builds a hash table that supports lookups: linear probing in one array, with atomicCAS.
// Topic: hash tables
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

using Slot = unsigned long long;       // the key in the upper half, the value in the lower half
constexpr Slot kEmpty = ~Slot(0);      // no key may be 0xffffffff
constexpr unsigned int kSlots = 4096;  // a power of two, larger than the number of keys

__device__ unsigned int first_slot(unsigned int key) {  // spreads keys over the slots
  key = (key ^ key >> 16) * 0x85ebca6bu;
  return (key ^ key >> 13) * 0xc2b2ae35u >> 20;
}

__device__ void insert(Slot* slots, unsigned int key, unsigned int value) {
  const Slot entry = static_cast<Slot>(key) << 32 | value;
  for (unsigned int slot = first_slot(key);; slot = (slot + 1) % kSlots) {
    const Slot found = atomicCAS(&slots[slot], kEmpty, entry);
    if (found == kEmpty || found >> 32 == key) return;  // inserted, or already there
  }
}

// The value of the key, or `missing`. Only for kernels that run after all insertions.
__device__ unsigned int find(const Slot* slots, unsigned int key, unsigned int missing) {
  for (unsigned int slot = first_slot(key);; slot = (slot + 1) % kSlots) {
    const Slot found = slots[slot];
    if (found == kEmpty) return missing;
    if (found >> 32 == key) return static_cast<unsigned int>(found);
  }
}

__global__ void insert_all(Slot* slots, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) insert(slots, 7u * i, i);  // key 7 * i has value i
}

__global__ void count_found(const Slot* slots, int n, int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && find(slots, 7u * i, ~0u) == static_cast<unsigned int>(i)) atomicAdd(found, 1);
  if (i < n && find(slots, 7u * i + 1, ~0u) != ~0u) atomicAdd(found, 1000000);  // not inserted
}

int main() {
  Slot* slots;
  int found = 0, *dev_found;
  HANDLE_ERROR(cudaMalloc(&slots, kSlots * sizeof(Slot)));
  HANDLE_ERROR(cudaMalloc(&dev_found, sizeof(int)));
  HANDLE_ERROR(cudaMemset(slots, 0xff, kSlots * sizeof(Slot)));  // every slot kEmpty
  HANDLE_ERROR(cudaMemset(dev_found, 0, sizeof(int)));
  insert_all<<<8, 256>>>(slots, 2000);
  count_found<<<8, 256>>>(slots, 2000, dev_found);
  HANDLE_ERROR(cudaMemcpy(&found, dev_found, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d of 2000 keys found\n", found);
  return found == 2000 ? 0 : 1;
}
