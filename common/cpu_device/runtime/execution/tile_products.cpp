// Products of matrices for tile kernels: cuda::tiles::mma() (include/cpu_device/tile_products.h).
//
// A patch of c with a few rows and two vectors' width stays in registers while it goes along k. The code is
// compiled for three kinds of vector instructions. The machine that runs it chooses.
#include <stddef.h>
#include <string.h>

#include <algorithm>

namespace cpu_device {

void multiply_add(float* c, const float* a, const float* b, size_t m, size_t n, size_t k);
void multiply_add(double* c, const double* a, const double* b, size_t m, size_t n, size_t k);
void multiply_add(int* c, const int* a, const int* b, size_t m, size_t n, size_t k);

namespace {

#define ALWAYS_INLINE __attribute__((always_inline)) inline

// kRows rows and kWide vectors of c, all of k.
template <typename T, int kBytes, int kRows, int kWide>
ALWAYS_INLINE void patch(T* c, const T* a, const T* b, size_t n, size_t k) {
  typedef T Vector __attribute__((vector_size(kBytes)));
  constexpr size_t kLanes = kBytes / sizeof(T);
  Vector sum[kRows][kWide];
  for (int y = 0; y < kRows; y++)
    for (int x = 0; x < kWide; x++)
      memcpy(&sum[y][x], c + static_cast<size_t>(y) * n + x * kLanes, kBytes);
  for (size_t i = 0; i < k; i++) {
    Vector row[kWide];
    for (int x = 0; x < kWide; x++) memcpy(&row[x], b + i * n + x * kLanes, kBytes);
    for (int y = 0; y < kRows; y++) {
      const Vector factor = a[static_cast<size_t>(y) * k + i] - Vector{};  // in all lanes
      for (int x = 0; x < kWide; x++) sum[y][x] += factor * row[x];
    }
  }
  for (int y = 0; y < kRows; y++)
    for (int x = 0; x < kWide; x++)
      memcpy(c + static_cast<size_t>(y) * n + x * kLanes, &sum[y][x], kBytes);
}

// Sizes are powers of two, so that patches fit or nothing does.
template <typename T, int kBytes, int kRows>
ALWAYS_INLINE void product(T* c, const T* a, const T* b, size_t m, size_t n, size_t k) {
  constexpr size_t kLanes = kBytes / sizeof(T);
  if (n < kLanes) {
    for (size_t y = 0; y < m; y++)
      for (size_t i = 0; i < k; i++)
        for (size_t x = 0; x < n; x++) c[y * n + x] += a[y * k + i] * b[i * n + x];
    return;
  }
  if (m < kRows || n < 2 * kLanes) {
    for (size_t x = 0; x < n; x += kLanes)
      for (size_t y = 0; y < m; y++)
        patch<T, kBytes, 1, 1>(c + y * n + x, a + y * k, b + x, n, k);
    return;
  }
  for (size_t x = 0; x < n; x += 2 * kLanes)
    for (size_t y = 0; y < m; y += kRows)
      patch<T, kBytes, kRows, 2>(c + y * n + x, a + y * k, b + x, n, k);
}

#ifdef __x86_64__
template <typename T>
__attribute__((target("avx512f"))) void product_512(T* c, const T* a, const T* b, size_t m,
                                                    size_t n, size_t k) {
  product<T, 64, 8>(c, a, b, m, n, k);
}
template <typename T>
__attribute__((target("avx2"))) void product_256(T* c, const T* a, const T* b, size_t m, size_t n,
                                                 size_t k) {
  product<T, 32, 4>(c, a, b, m, n, k);
}
#endif
template <typename T>
void product_128(T* c, const T* a, const T* b, size_t m, size_t n, size_t k) {
  product<T, 16, 4>(c, a, b, m, n, k);
}

template <typename T>
void multiply(T* c, const T* a, const T* b, size_t m, size_t n, size_t k) {
#ifdef __x86_64__
  static const int level = __builtin_cpu_supports("avx512f") ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0;
  if (level == 2) return product_512(c, a, b, m, n, k);
  if (level == 1) return product_256(c, a, b, m, n, k);
#endif
  product_128(c, a, b, m, n, k);
}

}  // namespace

void multiply_add(float* c, const float* a, const float* b, size_t m, size_t n, size_t k) {
  multiply(c, a, b, m, n, k);
}
void multiply_add(double* c, const double* a, const double* b, size_t m, size_t n, size_t k) {
  multiply(c, a, b, m, n, k);
}
// Whole numbers wrap around, as on a GPU.
void multiply_add(int* c, const int* a, const int* b, size_t m, size_t n, size_t k) {
  const auto bits = [](auto* p) { return reinterpret_cast<unsigned*>(const_cast<int*>(p)); };
  multiply<unsigned>(bits(c), bits(a), bits(b), m, n, k);
}

}  // namespace cpu_device
