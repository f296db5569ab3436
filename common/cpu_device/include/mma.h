// nvcuda::wmma: small matrices that a warp multiplies together, on a GPU by its tensor cores. Each
// lane holds its share of a matrix; products and sums are taken in float (double, int), as exactly
// as on a GPU or more so. Which lane holds which element is the CPU device's business, as CUDA says
// it may be.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major = 0, mem_col_major = 1 };

namespace precision {
struct tf32 {};
struct s4;
struct u4;
struct b1;
}  // namespace precision

namespace details {
template <typename T>
struct Stored {
  typedef T type;
};
template <>
struct Stored<precision::tf32> {
  typedef float type;
};
template <typename Use, int M, int N, int K>
inline constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
template <typename Use, int M, int N, int K>
inline constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
template <int M, int N, int K, typename T>
inline constexpr bool is_shape = std::is_same_v<T, precision::tf32> ? M == 16 && N == 16 && K == 8
                                 : std::is_same_v<T, double>
                                     ? M == 8 && N == 8 && K == 4
                                     : K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) ||
                                                   (M == 8 && N == 32)) ||
                                           (M == 16 && N == 16 && K == 8) ||
                                           (M == 8 && N == 8 && K == 4);
}  // namespace details

// Element e of lane l is the matrix's element e * 32 + l, counted by rows.
template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment {
  static_assert(
      details::is_shape<M, N, K, T>,
      "tensor cores multiply 16x16x16, 32x8x16 or 8x32x16 matrices (16x16x8 of tf32, 8x8x4 of "
      "double)");
  static_assert(std::is_same_v<Use, accumulator> || !std::is_void_v<Layout>,
                "a fragment of matrix_a or matrix_b is row_major or col_major");

 public:
  typedef typename details::Stored<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int rows = details::rows<Use, M, N, K>, columns = details::columns<Use, M, N, K>;
  static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;
  element_type x[num_elements];
};

namespace details {

inline bool by_columns(layout_t layout) { return layout == mem_col_major; }
template <typename Layout>
inline constexpr bool is_col_major = std::is_same_v<Layout, col_major>;

// Calls function(element of the fragment, its place in memory).
template <typename Fragment, typename Function>
inline void each_place(Fragment& it, unsigned int stride, bool by_columns, Function function) {
  for (int e = 0; e < Fragment::num_elements; e++) {
    const unsigned int place = static_cast<unsigned int>(e) * 32 + cpu_device::lane();
    const unsigned int row = place / Fragment::columns, column = place % Fragment::columns;
    function(it.x[e], by_columns ? static_cast<size_t>(column) * stride + row
                                 : static_cast<size_t>(row) * stride + column);
  }
}

// The whole matrix, from all lanes.
template <typename T, typename Fragment>
inline void gather(const Fragment& it, T* all, cpu_device::Site site) {
  for (int e = 0; e < Fragment::num_elements; e++) {
    const cpu_device::WarpExchange& brought =
        cpu_device::exchange(0xffffffffu, cpu_device::to_word(it.x[e]), site);
    for (int lane = 0; lane < 32; lane++)
      all[e * 32 + lane] = static_cast<T>(
          cpu_device::from_word<typename Fragment::element_type>(brought.value[lane]));
  }
}

// What products are taken and added in.
template <typename T>
using Exact = std::conditional_t<std::is_integral_v<T>, int,
                                 std::conditional_t<std::is_same_v<T, double>, double, float>>;

}  // namespace details

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& it, const Value& value) {
  for (auto& element : it.x)
    element = static_cast<typename fragment<Use, M, N, K, T, Layout>::element_type>(value);
}

// `stride`: elements from one row (of a col_major matrix: column) to the next.
template <typename Use, int M, int N, int K, typename T, typename Layout>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& it,
                             const typename details::Stored<T>::type* memory, unsigned int stride,
                             CPU_DEVICE_SITE) {
  __syncwarp(0xffffffffu, site);
  details::each_place(it, stride, details::is_col_major<Layout>,
                      [&](auto& element, size_t place) { element = memory[place]; });
}
template <int M, int N, int K, typename T>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& it, const T* memory,
                             unsigned int stride, layout_t layout, CPU_DEVICE_SITE) {
  __syncwarp(0xffffffffu, site);
  details::each_place(it, stride, details::by_columns(layout),
                      [&](auto& element, size_t place) { element = memory[place]; });
}
template <int M, int N, int K, typename T>
inline void store_matrix_sync(T* memory, const fragment<accumulator, M, N, K, T>& it,
                              unsigned int stride, layout_t layout, CPU_DEVICE_SITE) {
  details::each_place(it, stride, details::by_columns(layout),
                      [&](const auto& element, size_t place) { memory[place] = element; });
  __syncwarp(0xffffffffu, site);
}

// d = a * b + c
template <int M, int N, int K, typename D, typename A, typename LayoutA, typename LayoutB,
          typename C>
inline void mma_sync(fragment<accumulator, M, N, K, D>& d,
                     const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                     const fragment<matrix_b, M, N, K, A, LayoutB>& b,
                     const fragment<accumulator, M, N, K, C>& c, bool saturate = false,
                     CPU_DEVICE_SITE) {
  (void)saturate;
  using Number = details::Exact<typename details::Stored<A>::type>;
  Number all_a[M * K], all_b[K * N];
  details::gather(a, all_a, site);
  details::gather(b, all_b, site);
  for (int e = 0; e < fragment<accumulator, M, N, K, D>::num_elements; e++) {
    const int place = e * 32 + static_cast<int>(cpu_device::lane());
    Number sum = static_cast<Number>(c.x[e]);
    for (int k = 0; k < K; k++) sum += all_a[place / N * K + k] * all_b[k * N + place % N];
    d.x[e] = static_cast<D>(sum);
  }
}

// The nearest number with the 10 bits behind the point that tf32 keeps.
inline float __float_to_tf32(float value) {
  const unsigned int bits = __float_as_uint(value);
  return std::isfinite(value) ? __uint_as_float((bits + 0x1000u) & ~0x1fffu) : value;
}

}  // namespace wmma
}  // namespace nvcuda

#undef CPU_DEVICE_SITE
