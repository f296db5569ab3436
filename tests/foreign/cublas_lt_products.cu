// cuBLASLt in the manner of programs for neural networks: y = act(W^T x + b), in half precision and in batches,
// matrices by rows, the gradient of a bias; and cuBLAS's functions that are told their types.
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    const int code = static_cast<int>(call);                               \
    if (code != 0) return printf("%s:%d: %d\n", __FILE__, __LINE__, code), 1; \
  } while (0)

template <typename T>
T* managed(size_t n) {
  T* memory = nullptr;
  return cudaMallocManaged(&memory, n * sizeof(T)) == cudaSuccess ? memory : nullptr;
}
float value_at(int i) { return static_cast<float>(i * 7 % 11 - 5) / 4; }
float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

constexpr int m = 5, n = 7, k = 9, batches = 3;
constexpr int64_t kept_pitch = 8, kept_stride = kept_pitch * n + 16;

// D (m x n) = act(A^T B + bias), all by columns; A is k x m. Each batch has the bias, or one of its own; what is given to
// act is kept, too, if the epilogue says so.
template <typename T>
int layer(cublasLtHandle_t handle, cudaDataType type, cublasLtEpilogue_t epilogue, float tolerance, int64_t bias_stride = 0) {
  T *a = managed<T>(batches * k * m), *b = managed<T>(batches * k * n), *d = managed<T>(batches * m * n);
  T *bias = managed<T>(batches * m), *kept = managed<T>(batches * kept_stride);
  for (int i = 0; i < batches * k * m; i++) a[i] = T(value_at(i));
  for (int i = 0; i < batches * k * n; i++) b[i] = T(value_at(3 * i + 1));
  for (int i = 0; i < batches * m; i++) bias[i] = T(value_at(i + 4));
  cublasLtMatmulDesc_t what;
  cublasLtMatrixLayout_t la, lb, ld;
  CHECK(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasOperation_t transposed = CUBLAS_OP_T;
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  if (epilogue & CUBLASLT_EPILOGUE_BIAS)
    CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
  if (bias_stride > 0)
    CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, &bias_stride, sizeof bias_stride));
  const bool keeps = epilogue == CUBLASLT_EPILOGUE_GELU_AUX || epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
  if (keeps) {
    CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &kept, sizeof kept));
    CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &kept_pitch, sizeof kept_pitch));
    CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &kept_stride, sizeof kept_stride));
  }
  CHECK(cublasLtMatrixLayoutCreate(&la, type, k, m, k));
  CHECK(cublasLtMatrixLayoutCreate(&lb, type, k, n, k));
  CHECK(cublasLtMatrixLayoutCreate(&ld, type, m, n, m));
  const int32_t count = batches;
  const int64_t strides[] = {k * m, k * n, m * n};
  const cublasLtMatrixLayout_t layouts[] = {la, lb, ld};
  for (int i = 0; i < 3; i++) {
    CHECK(cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    CHECK(cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &strides[i],
                                           sizeof strides[i]));
  }
  cublasLtMatmulPreference_t preference;
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  const size_t bytes = 0;
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                             sizeof bytes));
  cublasLtMatmulHeuristicResult_t found;
  int results = 0;
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, what, la, lb, ld, ld, preference, 1, &found, &results));
#ifndef __CPU_DEVICE__
  if (results == 0 && (bias_stride > 0 || keeps)) return 0;  // a GPU may not have it for these sizes and types
#endif
  if (results != 1) return printf("no algorithm\n"), 1;
  const float alpha = 2, beta = 0;
  CHECK(cublasLtMatmul(handle, what, &alpha, a, la, b, lb, &beta, d, ld, d, ld, &found.algo, nullptr, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int batch = 0; batch < batches; batch++)
    for (int column = 0; column < n; column++)
      for (int row = 0; row < m; row++) {
        float sum = 0;
        for (int j = 0; j < k; j++)
          sum += float(a[batch * k * m + row * k + j]) * float(b[batch * k * n + column * k + j]);
        sum *= alpha;
        if (epilogue & CUBLASLT_EPILOGUE_BIAS) sum += float(bias[batch * bias_stride + row]);
        if (keeps && !(fabsf(float(kept[batch * kept_stride + column * kept_pitch + row]) - sum) <= tolerance * (1 + fabsf(sum))))
          return printf("type %d, epilogue %d, (%d, %d) of batch %d: %g is not kept\n", type, epilogue, row, column, batch, sum), 1;
        if (epilogue & CUBLASLT_EPILOGUE_RELU) sum = sum > 0 ? sum : 0;
        if (epilogue & CUBLASLT_EPILOGUE_GELU) sum = gelu(sum);
        const float got = float(d[batch * m * n + column * m + row]);
        if (!(fabsf(got - sum) <= tolerance * (1 + fabsf(sum))))
          return printf("type %d, epilogue %d, (%d, %d) of batch %d: %g, expected %g\n", type, epilogue, row, column,
                        batch, got, sum), 1;
      }
  // A bias that the epilogue does not add.
  const cublasLtEpilogue_t none = CUBLASLT_EPILOGUE_DEFAULT;
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE, &none, sizeof none));
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
  if (cublasLtMatmul(handle, what, &alpha, a, la, b, lb, &beta, d, ld, d, ld, nullptr, nullptr, 0, nullptr) != CUBLAS_STATUS_INVALID_VALUE)
    return printf("a bias that nothing adds\n"), 1;
  CHECK(cublasLtMatmulPreferenceDestroy(preference));
  for (const cublasLtMatrixLayout_t layout : layouts) CHECK(cublasLtMatrixLayoutDestroy(layout));
  return cublasLtMatmulDescDestroy(what);
}

int by_rows(cublasLtHandle_t handle) {
  float *a = managed<float>(m * k), *b = managed<float>(k * n), *c = managed<float>(m * n), *sums = managed<float>(n);
  for (int i = 0; i < m * k; i++) a[i] = value_at(i);
  for (int i = 0; i < k * n; i++) b[i] = value_at(i + 2);
  for (int i = 0; i < m * n; i++) c[i] = value_at(i + 5);
  const std::vector<float> before(c, c + m * n);
  cublasLtMatmulDesc_t what;
  cublasLtMatrixLayout_t la, lb, lc;
  CHECK(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasLtEpilogue_t gradient = CUBLASLT_EPILOGUE_BGRADB;
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_EPILOGUE, &gradient, sizeof gradient));
  CHECK(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &sums, sizeof sums));
  CHECK(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, m, k, k));
  CHECK(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, k, n, n));
  CHECK(cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, m, n, n));
  const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
  for (const cublasLtMatrixLayout_t layout : {la, lb, lc})
    CHECK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  const float alpha = 1, beta = 0.5f;
  const cublasStatus_t status = cublasLtMatmul(handle, what, &alpha, a, la, b, lb, &beta, c, lc, c, lc, nullptr, nullptr, 0, nullptr);
#ifndef __CPU_DEVICE__
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return 0;  // an H200: no gradient of matrices by rows
#endif
  CHECK(status);
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      float sum = beta * before[row * n + column];
      for (int j = 0; j < k; j++) sum += a[row * k + j] * b[j * n + column];
      if (!(fabsf(c[row * n + column] - sum) <= 1e-4f)) return printf("by rows: (%d, %d)\n", row, column), 1;
    }
  for (int column = 0; column < n; column++) {
    float sum = 0;
    for (int j = 0; j < k; j++) sum += b[j * n + column];
    if (!(fabsf(sums[column] - sum) <= 1e-4f)) return printf("gradient: column %d\n", column), 1;
  }
  // A is m x k and B k x n: with B in the place of A, nothing fits.
  if (cublasLtMatmul(handle, what, &alpha, b, lb, a, la, &beta, c, lc, c, lc, nullptr, nullptr, 0, nullptr) !=
      CUBLAS_STATUS_INVALID_VALUE)
    return printf("matrices that do not fit were multiplied\n"), 1;
  return 0;
}

int typed(cublasHandle_t handle) {
  signed char *a = managed<signed char>(4 * 3), *b = managed<signed char>(4 * 2);
  int* c = managed<int>(3 * 2);
  for (int i = 0; i < 12; i++) a[i] = static_cast<signed char>(100 - 9 * i);
  for (int i = 0; i < 8; i++) b[i] = static_cast<signed char>(120 - 5 * i);
  const int one = 1, zero = 0;
  CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, 4, &one, a, CUDA_R_8I, 4, b, CUDA_R_8I, 4, &zero, c,
                     CUDA_R_32I, 3, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 6; i++) {
    int sum = 0;
    for (int j = 0; j < 4; j++) sum += a[i % 3 * 4 + j] * b[i / 3 * 4 + j];
    if (c[i] != sum) return printf("int8: %d, expected %d\n", c[i], sum), 1;
  }
  __half *x = managed<__half>(10), *y = managed<__half>(10);
  for (int i = 0; i < 10; i++) x[i] = __half(i * 0.5f), y[i] = __half(2.0f);
  __half product;
  CHECK(cublasDotEx(handle, 10, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &product, CUDA_R_16F, CUDA_R_32F));
  if (float(product) != 45) return printf("dot: %g, expected 45\n", float(product)), 1;
  const float half = 0.5f;
  CHECK(cublasAxpyEx(handle, 10, &half, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, CUDA_R_32F));
  CHECK(cudaDeviceSynchronize());
  return float(y[9]) == 4.25f ? 0 : 1;
}

int main() {
  cublasLtHandle_t handle;
  if (cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;
  for (const cublasLtEpilogue_t epilogue : {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU_BIAS,
                                            CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_BIAS}) {
    if (layer<float>(handle, CUDA_R_32F, epilogue, 1e-5f) != 0) return 1;
    if (layer<__half>(handle, CUDA_R_16F, epilogue, 2e-3f) != 0) return 1;
    if (layer<__nv_bfloat16>(handle, CUDA_R_16BF, epilogue, 1e-2f) != 0) return 1;
  }
  for (const cublasLtEpilogue_t epilogue : {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS}) {
    const int64_t stride = epilogue & CUBLASLT_EPILOGUE_BIAS ? m : 0;
    if (layer<float>(handle, CUDA_R_32F, epilogue, 1e-5f, stride) != 0) return 1;
    if (layer<__half>(handle, CUDA_R_16F, epilogue, 2e-3f, stride) != 0) return 1;
  }
  if (by_rows(handle) != 0) return 1;
  CHECK(cublasLtDestroy(handle));
  cublasHandle_t plain;
  if (cublasCreate(&plain) != CUBLAS_STATUS_SUCCESS) return 77;
  return typed(plain);
}
