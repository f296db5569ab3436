#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "book.h"

namespace detail {
struct Free {
  void operator()(void* p) const noexcept { cudaFree(p); }
};
template <class T>
using device_ptr = std::unique_ptr<T[], Free>;

template <class T>
[[nodiscard]] device_ptr<T> make_device(std::size_t n) {
  T* p = nullptr;
  if (n) HANDLE_ERROR(cudaMalloc(&p, n * sizeof(T)));
  return device_ptr<T>(p);
}

[[nodiscard]] constexpr std::pair<int, int> launch(int n) noexcept {
  constexpr int threads = 1 << 7;
  return {(n + threads - 1) / threads, threads};
}
}  // namespace detail

template <typename T, typename Op>
__global__ void transform(const T* a, const T* b, T* c, int n, Op op) {
  auto mine = [=](int i) { return i < n; };
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; mine(i)) c[i] = op(a[i], b[i]);
}

struct Plus {
  template <typename T>
  __device__ constexpr auto operator()(T x, T y) const -> T { return x + y; }
};

void vector_add(const float* a, const float* b, float* c, int n) {
  const auto [blocks, threads] = detail::launch(n);
  if (blocks == 0) return;
  auto da = detail::make_device<float>(n), db = detail::make_device<float>(n), dc = detail::make_device<float>(n);
  for (auto&& [to, from] : std::vector<std::pair<float*, const float*>>{{da.get(), a}, {db.get(), b}})
    HANDLE_ERROR(cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice));
  transform<<<blocks, threads>>>(da.get(), db.get(), dc.get(), n, Plus{});
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(c, dc.get(), n * sizeof(float), cudaMemcpyDeviceToHost));
}
