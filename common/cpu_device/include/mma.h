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

// What products are taken and added in.
template <typename T>
using Exact = std::conditional_t<std::is_integral_v<T>, int,
                                 std::conditional_t<std::is_same_v<T, double>, double, float>>;

// What a lane brings to a product, and where it wants its share of the result.
template <typename A, typename C, typename D>
struct Shares {
  typedef D Result;
  const A *a, *b;
  const C* c;
  D* d;
  bool is_multiplied;
};

// The whole matrix `all`, from the lanes' shares. Lanes that have left the kernel bring zeros.
template <int elements, typename Shares, typename T, typename Number>
CPU_DEVICE_UNCHECKED inline void gather(Shares* const (&lanes)[32], const T* Shares::*share,
                                        Number* all) {
  for (int lane = 0; lane < 32; lane++)
    for (int e = 0; e < elements; e++)
      all[e * 32 + lane] =
          lanes[lane] != nullptr ? static_cast<Number>((lanes[lane]->*share)[e]) : Number(0);
}

// Multiplies for all lanes, which have brought the addresses of their Shares.
template <int M, int N, int K, typename Number, typename Shares>
CPU_DEVICE_UNCHECKED inline void multiply(const cpu_device::WarpExchange& brought) {
  Shares* lanes[32];
  for (int lane = 0; lane < 32; lane++)
    lanes[lane] = (brought.mask >> lane & 1) != 0 ? cpu_device::from_word<Shares*>(brought.value[lane])
                                                  : nullptr;
  Number a[M * K], b[K * N], sum[M * N];
  gather<M * K / 32>(lanes, &Shares::a, a);
  gather<K * N / 32>(lanes, &Shares::b, b);
  gather<M * N / 32>(lanes, &Shares::c, sum);
  typedef Number Row __attribute__((vector_size(N * sizeof(Number))));
  for (int row = 0; row < M; row++) {
    Row row_of_sum, row_of_b;
    __builtin_memcpy(&row_of_sum, sum + row * N, sizeof(Row));
    for (int k = 0; k < K; k++) {
      __builtin_memcpy(&row_of_b, b + k * N, sizeof(Row));
      row_of_sum += a[row * K + k] * row_of_b;
    }
    __builtin_memcpy(sum + row * N, &row_of_sum, sizeof(Row));
  }
  for (int lane = 0; lane < 32; lane++) {
    if (lanes[lane] == nullptr) continue;
    for (int e = 0; e < M * N / 32; e++)
      lanes[lane]->d[e] = static_cast<typename Shares::Result>(sum[e * 32 + lane]);
    lanes[lane]->is_multiplied = true;
  }
}

}  // namespace details

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& it, const Value& value) {
  for (auto& element : it.x)
    element = static_cast<typename fragment<Use, M, N, K, T, Layout>::element_type>(value);
}

// These are calls: kernels unroll their loops over fragments, and the compiler would take four times as long for them.
//
// `stride`: elements from one row (of a col_major matrix: column) to the next.
template <typename Use, int M, int N, int K, typename T, typename Layout>
__attribute__((noinline))
void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& it,
                             const typename details::Stored<T>::type* memory, unsigned int stride,
                             CPU_DEVICE_SITE) {
  __syncwarp(0xffffffffu, site);
  details::each_place(it, stride, details::is_col_major<Layout>,
                      [&](auto& element, size_t place) { element = memory[place]; });
}
template <int M, int N, int K, typename T>
__attribute__((noinline))
void load_matrix_sync(fragment<accumulator, M, N, K, T>& it, const T* memory,
                             unsigned int stride, layout_t layout, CPU_DEVICE_SITE) {
  __syncwarp(0xffffffffu, site);
  details::each_place(it, stride, details::by_columns(layout),
                      [&](auto& element, size_t place) { element = memory[place]; });
}
template <int M, int N, int K, typename T>
__attribute__((noinline))
void store_matrix_sync(T* memory, const fragment<accumulator, M, N, K, T>& it,
                              unsigned int stride, layout_t layout, CPU_DEVICE_SITE) {
  details::each_place(it, stride, details::by_columns(layout),
                      [&](const auto& element, size_t place) { memory[place] = element; });
  __syncwarp(0xffffffffu, site);
}

// d = a * b + c. The lane that comes last runs on while the others still wait. It multiplies for all of them: that
// takes one exchange, where 32 products of their own would take one for each element.
template <int M, int N, int K, typename D, typename A, typename LayoutA, typename LayoutB,
          typename C>
__attribute__((noinline))
void mma_sync(fragment<accumulator, M, N, K, D>& d,
                     const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                     const fragment<matrix_b, M, N, K, A, LayoutB>& b,
                     const fragment<accumulator, M, N, K, C>& c, bool saturate = false,
                     CPU_DEVICE_SITE) {
  (void)saturate;
  using Number = details::Exact<typename details::Stored<A>::type>;
  using Shares = details::Shares<typename details::Stored<A>::type, C, D>;
  Shares mine = {a.x, b.x, c.x, d.x, false};
  const cpu_device::WarpExchange& all =
      cpu_device::exchange(0xffffffffu, cpu_device::to_word(&mine), site);
  if (!mine.is_multiplied) details::multiply<M, N, K, Number, Shares>(all);
}

// The nearest number with the 10 bits behind the point that tf32 keeps.
inline float __float_to_tf32(float value) {
  const unsigned int bits = __float_as_uint(value);
  return std::isfinite(value) ? __uint_as_float((bits + 0x1000u) & ~0x1fffu) : value;
}

}  // namespace wmma
}  // namespace nvcuda

#undef CPU_DEVICE_SITE
