#include "typed_products.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../../include/cuda_bf16.h"
#include "../../include/cuda_fp8.h"
#include "cublas_internal.h"

namespace cpu_device {

size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F: return 8;
    default: return 0;
  }
}

double number_at(cudaDataType type, const void* data, size_t i) {
  switch (type) {
    case CUDA_R_8I: return static_cast<const int8_t*>(data)[i];
    case CUDA_R_8U: return static_cast<const uint8_t*>(data)[i];
    case CUDA_R_8F_E4M3: return static_cast<float>(static_cast<const __nv_fp8_e4m3*>(data)[i]);
    case CUDA_R_8F_E5M2: return static_cast<float>(static_cast<const __nv_fp8_e5m2*>(data)[i]);
    case CUDA_R_16F: return static_cast<float>(static_cast<const __half*>(data)[i]);
    case CUDA_R_16BF: return static_cast<float>(static_cast<const __nv_bfloat16*>(data)[i]);
    case CUDA_R_32F: return static_cast<const float*>(data)[i];
    case CUDA_R_32I: return static_cast<const int32_t*>(data)[i];
    case CUDA_R_64F: return static_cast<const double*>(data)[i];
    default: return 0;
  }
}

template <typename T>
static T whole_number(double value) {
  if (!(value > std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value > std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  return static_cast<T>(std::nearbyint(value));
}

void put_number(cudaDataType type, void* data, size_t i, double value) {
  switch (type) {
    case CUDA_R_8I: static_cast<int8_t*>(data)[i] = whole_number<int8_t>(value); break;
    case CUDA_R_8U: static_cast<uint8_t*>(data)[i] = whole_number<uint8_t>(value); break;
    case CUDA_R_8F_E4M3: static_cast<__nv_fp8_e4m3*>(data)[i] = __nv_fp8_e4m3(static_cast<float>(value)); break;
    case CUDA_R_8F_E5M2: static_cast<__nv_fp8_e5m2*>(data)[i] = __nv_fp8_e5m2(static_cast<float>(value)); break;
    case CUDA_R_16F: static_cast<__half*>(data)[i] = __half(value); break;
    case CUDA_R_16BF: static_cast<__nv_bfloat16*>(data)[i] = __nv_bfloat16(value); break;
    case CUDA_R_32F: static_cast<float*>(data)[i] = static_cast<float>(value); break;
    case CUDA_R_32I: static_cast<int32_t*>(data)[i] = whole_number<int32_t>(value); break;
    case CUDA_R_64F: static_cast<double*>(data)[i] = value; break;
    default: break;
  }
}

std::vector<double> numbers_of(const TypedMatrix& m, bool transposed) {
  std::vector<double> numbers(m.rows * m.columns);
  for (size_t column = 0; column < m.columns; column++)
    for (size_t row = 0; row < m.rows; row++)
      numbers[transposed ? row * m.columns + column : column * m.rows + row] =
          number_at(m.type, m.data, m.at(row, column));
  return numbers;
}

template <typename T>
static std::vector<T> multiplied(const std::vector<T>& a, const std::vector<T>& b, size_t m, size_t n, size_t k) {
  std::vector<T> c(m * n);
  if (m > 0 && n > 0)
    blas(letter<T>, "gemm", kByColumns, of(CUBLAS_OP_N), of(CUBLAS_OP_N), static_cast<int>(m), static_cast<int>(n),
         static_cast<int>(k), T(1), a.data(), static_cast<int>(std::max<size_t>(m, 1)), b.data(),
         static_cast<int>(std::max<size_t>(k, 1)), T(0), c.data(), static_cast<int>(m));
  return c;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t m, size_t n, size_t k,
                            bool exact) {
  if (exact) return multiplied(a, b, m, n, k);
  const std::vector<float> c = multiplied(std::vector<float>(a.begin(), a.end()),
                                          std::vector<float>(b.begin(), b.end()), m, n, k);
  return {c.begin(), c.end()};
}

}  // namespace cpu_device
