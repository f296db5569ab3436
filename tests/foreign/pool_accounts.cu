// In the manner of programs that look what their memory pools hold: the account of the device's pool and of one's own.
#include <cstdint>
#include <cstdio>

int wrong = 0;
void expect(cudaMemPool_t pool, cudaMemPoolAttr which, uint64_t value, int line) {
  uint64_t got = ~uint64_t(0);
  if (cudaMemPoolGetAttribute(pool, which, &got) == cudaSuccess && got == value) return;
  printf("line %d: %llu, not %llu\n", line, (unsigned long long)got, (unsigned long long)value);
  wrong++;
}
#define EXPECT(POOL, WHICH, VALUE) expect(POOL, cudaMemPoolAttr##WHICH, VALUE, __LINE__)

int main() {
  const size_t kilo = 1024;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t usual, own, current;
  cudaDeviceGetDefaultMemPool(&usual, 0);
  float *a, *b, *c;
  cudaMallocAsync(&a, 64 * kilo, stream);
  cudaMallocAsync(&b, 32 * kilo, stream);
  EXPECT(usual, UsedMemCurrent, 96 * kilo);
  cudaFreeAsync(a, stream);
  cudaStreamSynchronize(stream);
  EXPECT(usual, UsedMemCurrent, 32 * kilo);
  EXPECT(usual, UsedMemHigh, 96 * kilo);
  uint64_t zero = 0;
  cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemHigh, &zero);
  EXPECT(usual, UsedMemHigh, 32 * kilo);
  if (cudaMemPoolSetAttribute(usual, cudaMemPoolAttrUsedMemCurrent, &zero) == cudaSuccess) wrong++;
  cudaGetLastError();

  cudaMemPoolProps how = {};
  how.allocType = cudaMemAllocationTypePinned;
  how.location.type = cudaMemLocationTypeDevice;
  how.location.id = 0;
  if (cudaMemPoolCreate(&own, &how) != cudaSuccess) return 1;
  cudaMallocFromPoolAsync(&a, 16 * kilo, own, stream);
  EXPECT(own, UsedMemCurrent, 16 * kilo);
  cudaDeviceSetMemPool(0, own);
  cudaDeviceGetMemPool(&current, 0);
  wrong += current != own;
  cudaMallocAsync(&c, 8 * kilo, stream);
  EXPECT(own, UsedMemHigh, 24 * kilo);
  EXPECT(usual, UsedMemCurrent, 32 * kilo);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(a, stream);  // cudaFree() leaves it counted on an H200
  cudaFreeAsync(c, stream);
  cudaFreeAsync(b, stream);
  cudaStreamSynchronize(stream);
  EXPECT(own, UsedMemCurrent, 0);
  EXPECT(usual, UsedMemCurrent, 0);
  cudaMemPoolDestroy(own);
  cudaDeviceGetMemPool(&current, 0);
  wrong += current != usual;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
