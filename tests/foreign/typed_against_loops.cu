// In the manner of test suites for mixed precision: products and vectors of each combination of types, with all options, strides
// and both pointer modes; cublasLt's layouts and what comes after its product; cublasXt. Against loops, with small whole numbers,
// and with ties and values beyond the range of the result. What a call must not write is compared as well.
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

int wrong = 0;
std::mt19937 engine(47);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
char now[300];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#ifdef __CPU_DEVICE__
const bool on_cpu_device = true;
#else
const bool on_cpu_device = false;
#endif

size_t size_of(cudaDataType type) {
  return type == CUDA_R_64F ? 8 : type == CUDA_R_32F || type == CUDA_R_32I ? 4 : type == CUDA_R_16F || type == CUDA_R_16BF ? 2 : 1;
}
// A whole number in the range of the type, and how a number becomes one: the nearest one, of two the even one.
template <typename T>
double whole(double x) {
  const double nearest = std::nearbyint(x);
  return std::min<double>(std::max<double>(nearest, std::numeric_limits<T>::min()), std::numeric_limits<T>::max());
}
double rounded(cudaDataType type, double x) {
  switch (type) {
    case CUDA_R_8I:
      return whole<int8_t>(x);
    case CUDA_R_8U:
      return whole<uint8_t>(x);
    case CUDA_R_32I:
      return whole<int32_t>(x);
    default:
      return x;
  }
}
void put(cudaDataType type, void *to, size_t i, double x) {
  switch (type) {
    case CUDA_R_8I:
      static_cast<int8_t *>(to)[i] = static_cast<int8_t>(x);
      break;
    case CUDA_R_8U:
      static_cast<uint8_t *>(to)[i] = static_cast<uint8_t>(x);
      break;
    case CUDA_R_32I:
      static_cast<int32_t *>(to)[i] = static_cast<int32_t>(x);
      break;
    case CUDA_R_16F:
      static_cast<__half *>(to)[i] = __float2half(static_cast<float>(x));
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16 *>(to)[i] = __float2bfloat16(static_cast<float>(x));
      break;
    case CUDA_R_32F:
      static_cast<float *>(to)[i] = static_cast<float>(x);
      break;
    default:
      static_cast<double *>(to)[i] = x;
  }
}
double get(cudaDataType type, const void *from, size_t i) {
  switch (type) {
    case CUDA_R_8I:
      return static_cast<const int8_t *>(from)[i];
    case CUDA_R_8U:
      return static_cast<const uint8_t *>(from)[i];
    case CUDA_R_32I:
      return static_cast<const int32_t *>(from)[i];
    case CUDA_R_16F:
      return __half2float(static_cast<const __half *>(from)[i]);
    case CUDA_R_16BF:
      return __bfloat162float(static_cast<const __nv_bfloat16 *>(from)[i]);
    case CUDA_R_32F:
      return static_cast<const float *>(from)[i];
    default:
      return static_cast<const double *>(from)[i];
  }
}

const int kSize = 400, kFirst = 16;
// An array of a type on the device, and what it must contain; the call sees what begins at kFirst.
struct Array {
  cudaDataType type;
  std::vector<double> all;
  void *device = nullptr;
  explicit Array(cudaDataType of_type, int range = 7) : type(of_type), all(kSize) {
    for (double &x : all) x = type == CUDA_R_8U ? random_to(range) : random_to(2 * range - 1) - range + 1;
    cudaMalloc(&device, kSize * size_of(type));
    upload();
  }
  ~Array() { cudaFree(device); }
  Array(const Array &) = delete;
  double &operator[](int i) { return all[kFirst + i]; }
  void *first() { return static_cast<char *>(device) + kFirst * size_of(type); }
  void upload() {
    std::vector<char> bytes(kSize * size_of(type));
    for (int i = 0; i < kSize; i++) put(type, bytes.data(), i, all[i]);
    cudaMemcpy(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  }
  bool same(double tolerance = 0) {
    std::vector<char> bytes(kSize * size_of(type));
    cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost);
    if (type == CUDA_R_16F) tolerance = std::max(tolerance, 1e-3);
    if (type == CUDA_R_16BF) tolerance = std::max(tolerance, 8e-3);
    for (int i = 0; i < kSize; i++) {
      const double got = get(type, bytes.data(), i);
      if (std::abs(got - all[i]) <= tolerance * (1 + std::abs(all[i]))) continue;
      printf("element %d - %d: %g, expected %g; ", i, kFirst, got, all[i]);
      return false;
    }
    return true;
  }
};

// A factor of a type, on the host or the device.
struct Factor {
  double value;
  char host[8];
  void *device;
  Factor(cudaDataType type, double x) : value(x) {
    put(type, host, 0, x);
    cudaMalloc(&device, 8);
    cudaMemcpy(device, host, 8, cudaMemcpyHostToDevice);
  }
  ~Factor() { cudaFree(device); }
  Factor(const Factor &) = delete;
  const void *at(bool on_device) const { return on_device ? device : host; }
};

struct Types {
  cudaDataType ab, c, scale;
  cublasComputeType_t compute;
  bool everywhere;
};
const Types kTypes[] = {{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, true},
                        {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, true},
                        {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, true},
                        {CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, true},
                        {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, false},
                        {CUDA_R_8U, CUDA_R_8U, CUDA_R_32F, CUBLAS_COMPUTE_32F, false},
                        {CUDA_R_8U, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, false}};

void products(cublasHandle_t handle, const Types &t) {
  if (!t.everywhere && !on_cpu_device) return;
  // An H200 needs sizes and pitches that are multiples of 4 for integers.
  const int unit = t.ab == CUDA_R_8I ? 4 : 1;
  const int m = unit * (1 + random_to(2)), n = unit * (1 + random_to(2)), k = unit * (1 + random_to(2)), batches = 1 + random_to(3),
            apart = 100;
  const auto op_a = t.ab == CUDA_R_8I ? CUBLAS_OP_T : static_cast<cublasOperation_t>(random_to(2));
  const auto op_b = t.ab == CUDA_R_8I ? CUBLAS_OP_N : static_cast<cublasOperation_t>(random_to(2));
  const int lda = (op_a == CUBLAS_OP_N ? m : k) + unit * random_to(2), ldb = (op_b == CUBLAS_OP_N ? k : n) + unit * random_to(2);
  const int ldc = m + unit * random_to(2);
  const bool on_device = coin(), whole_factors = t.scale == CUDA_R_32I;
  const int way = random_to(t.scale == CUDA_R_32F && t.everywhere && t.ab != CUDA_R_8I ? 4 : 3);
  // Halves give ties; large ones exceed what 8 bits hold.
  const Factor alpha(t.scale, whole_factors ? random_to(2) : t.everywhere ? 1 + random_to(3) : (random_to(7) - 3) * 0.5);
  const Factor beta(t.scale, whole_factors ? random_to(2) : random_to(3) - 1);
  snprintf(now, sizeof now, "way %d of types %d %d %d, %d x %d x %d, operations %d %d, factors %g %g on the %s", way, t.ab, t.c,
           t.compute, m, n, k, op_a, op_b, alpha.value, beta.value, on_device ? "device" : "host");
  Array a(t.ab), b(t.ab), c(t.c);
  std::vector<double> before = c.all;
  cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
  const int count = way == 2 ? batches : 1;
  const auto as_data = t.scale;  // the older form names the type of the sums
  if (way == 0)
    GOOD(cublasGemmEx(handle, op_a, op_b, m, n, k, alpha.at(on_device), a.first(), t.ab, lda, b.first(), t.ab, ldb,
                      beta.at(on_device), c.first(), t.c, ldc, t.compute, CUBLAS_GEMM_DEFAULT));
#ifdef __CPU_DEVICE__
  if (way == 1)
    GOOD(cublasGemmEx(handle, op_a, op_b, m, n, k, alpha.at(on_device), a.first(), t.ab, lda, b.first(), t.ab, ldb,
                      beta.at(on_device), c.first(), t.c, ldc, as_data, CUBLAS_GEMM_DEFAULT));
#else
  (void)as_data;
  if (way == 1)
    GOOD(cublasGemmEx(handle, op_a, op_b, m, n, k, alpha.at(on_device), a.first(), t.ab, lda, b.first(), t.ab, ldb,
                      beta.at(on_device), c.first(), t.c, ldc, t.compute, CUBLAS_GEMM_DEFAULT));
#endif
  if (way == 2)
    GOOD(cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha.at(on_device), a.first(), t.ab, lda, apart, b.first(), t.ab,
                                    ldb, apart + 4, beta.at(on_device), c.first(), t.c, ldc, apart + 8, count, t.compute,
                                    CUBLAS_GEMM_DEFAULT));
  if (way == 3)
    GOOD(cublasSgemmEx(handle, op_a, op_b, m, n, k, static_cast<const float *>(alpha.at(on_device)), a.first(), t.ab, lda,
                       b.first(), t.ab, ldb, static_cast<const float *>(beta.at(on_device)), c.first(), t.c, ldc));
  for (int batch = 0; batch < count; batch++)
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++) {
        double sum = 0;
        for (int i = 0; i < k; i++)
          sum += a[batch * apart + (op_a == CUBLAS_OP_N ? row + i * lda : i + row * lda)] *
                 b[batch * (apart + 4) + (op_b == CUBLAS_OP_N ? i + column * ldb : column + i * ldb)];
        double &x = c[batch * (apart + 8) + row + column * ldc];
        x = rounded(t.c, alpha.value * sum + beta.value * x);
      }
  EXPECT(a.same() && b.same() && c.same());
}

// Values that a type cannot have, ties included, next to the ends of its range.
void ends_of_ranges(cublasHandle_t handle) {
#ifdef __CPU_DEVICE__
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  for (const cudaDataType type : {CUDA_R_8I, CUDA_R_8U})
    for (const double x : {-129.0, -128.5, -128.0, -127.5, -3.5,  -2.5,  -1.5,  -0.5,  0.5,   1.5,
                           2.5,    126.5,  127.0,  127.5,  128.0, 254.5, 255.0, 255.5, 256.0, 1e9}) {
      snprintf(now, sizeof now, "%g as type %d", x, type);
      Array one(CUDA_R_8I), c(type);
      one[0] = 1, one.upload();
      const float factor = static_cast<float>(x), none = 0;
      GOOD(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &factor, one.first(), CUDA_R_8I, 1, one.first(), CUDA_R_8I, 1,
                        &none, c.first(), type, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
      c[0] = rounded(type, x);
      EXPECT(c.same());
    }
#endif
}

void vectors(cublasHandle_t handle, cudaDataType type) {
  const int n = random_to(8), x_step = 1 + random_to(3), y_step = 1 + random_to(3);
  const bool on_device = coin();
  const cudaDataType compute = type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F;
  snprintf(now, sizeof now, "vectors of %d, type %d, steps %d %d, factors on the %s", n, type, x_step, y_step,
           on_device ? "device" : "host");
  cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
  Array x(type), y(type), result(type);
  const Factor alpha(compute, random_to(5) - 2);
  std::vector<char> host(kSize * 8);
  double sum = 0, squares = 0;
  for (int i = 0; i < n; i++) sum += x[i * x_step] * y[i * y_step], squares += x[i * x_step] * x[i * x_step];
  const auto expect = [&](double expected, int line) {
    if (on_device) {
      result[0] = expected;
      if (!result.same(1e-3)) failed(line, "the result on the device");
    } else if (!(std::abs(get(type, host.data(), 0) - expected) <= 1e-2 * (1 + std::abs(expected)))) {
      printf("%g, expected %g; ", get(type, host.data(), 0), expected);
      failed(line, "the result");
    }
  };
  void *const to = on_device ? result.first() : host.data();
  GOOD(cublasDotEx(handle, n, x.first(), type, x_step, y.first(), type, y_step, to, type, compute));
  expect(sum, __LINE__);
  GOOD(cublasNrm2Ex(handle, n, x.first(), type, x_step, to, type, compute));
  expect(std::sqrt(squares), __LINE__);
  GOOD(cublasAxpyEx(handle, n, alpha.at(on_device), compute, x.first(), type, x_step, y.first(), type, y_step, compute));
  for (int i = 0; i < n; i++) y[i * y_step] += alpha.value * x[i * x_step];
  EXPECT(x.same() && y.same());
  GOOD(cublasScalEx(handle, n, alpha.at(on_device), compute, x.first(), type, x_step, compute));
  for (int i = 0; i < n; i++) x[i * x_step] *= alpha.value;
  EXPECT(x.same() && y.same());
}

// ---- cublasLt ----

void set(cublasLtMatmulDesc_t what, cublasLtMatmulDescAttributes_t which, const void *value, size_t bytes) {
  GOOD(cublasLtMatmulDescSetAttribute(what, which, value, bytes));
}
struct Layout {
  int rows, columns, pitch, apart;
  int32_t order, batches;
  cublasLtMatrixLayout_t layout = nullptr;
  Layout(cudaDataType type, int r, int c, int32_t b, bool may_be_by_rows) : rows(r), columns(c), batches(b) {
    order = may_be_by_rows && coin() ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    pitch = (order == CUBLASLT_ORDER_ROW ? c : r) + random_to(3);
    apart = 100 + random_to(5);
    const int64_t stride = apart;
    GOOD(cublasLtMatrixLayoutCreate(&layout, type, r, c, pitch));
    GOOD(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    GOOD(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches));
    GOOD(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
    uint64_t got_rows = 0, got_columns = 0;
    int64_t got_pitch = 0, got_apart = 0;
    int32_t got_order = 9, got_batches = 0, got_type = -1;
    size_t written = 0;
    const auto get_it = [&](cublasLtMatrixLayoutAttribute_t which, auto *value) {
      GOOD(cublasLtMatrixLayoutGetAttribute(layout, which, value, sizeof *value, &written));
      EXPECT(written == sizeof *value);
    };
    get_it(CUBLASLT_MATRIX_LAYOUT_ROWS, &got_rows), get_it(CUBLASLT_MATRIX_LAYOUT_COLS, &got_columns),
        get_it(CUBLASLT_MATRIX_LAYOUT_LD, &got_pitch);
    get_it(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &got_apart), get_it(CUBLASLT_MATRIX_LAYOUT_ORDER, &got_order);
    get_it(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &got_batches), get_it(CUBLASLT_MATRIX_LAYOUT_TYPE, &got_type);
    EXPECT(got_rows == uint64_t(r) && got_columns == uint64_t(c) && got_pitch == pitch && got_apart == apart &&
           got_order == order && got_batches == b && got_type == type);
  }
  ~Layout() { GOOD(cublasLtMatrixLayoutDestroy(layout)); }
  Layout(const Layout &) = delete;
  int at(int batch, int row, int column) const {
    return batch * apart + (order == CUBLASLT_ORDER_ROW ? row * pitch + column : row + column * pitch);
  }
};

void light_products(cublasLtHandle_t handle) {
  const auto type = CUDA_R_32F;
  const int m = 1 + random_to(5), n = 1 + random_to(5), k = 1 + random_to(5), batches = 1 + random_to(3);
  const int32_t op_a = random_to(2), op_b = random_to(2), mode = random_to(2);
  const bool in_place = coin();
  const cublasLtEpilogue_t all[] = {CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
                                    CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU,          CUBLASLT_EPILOGUE_GELU_BIAS,
                                    CUBLASLT_EPILOGUE_GELU_AUX,  CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_BGRADA,
                                    CUBLASLT_EPILOGUE_BGRADB};
  const auto epilogue = all[on_cpu_device ? random_to(10) : 0];
  const bool with_bias = (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0,
             gradient = epilogue == CUBLASLT_EPILOGUE_BGRADA || epilogue == CUBLASLT_EPILOGUE_BGRADB;
  const bool with_aux = epilogue == CUBLASLT_EPILOGUE_GELU_AUX || epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
  const bool relu = epilogue == CUBLASLT_EPILOGUE_RELU || epilogue == CUBLASLT_EPILOGUE_RELU_BIAS;
  const bool gelu = !relu && !gradient && (epilogue & CUBLASLT_EPILOGUE_GELU) != 0;
  snprintf(now, sizeof now, "cublasLt, %d x %d x %d, %d batches, operations %d %d, epilogue %d, factors on the %s", m, n, k,
           batches, op_a, op_b, epilogue, mode ? "device" : "host");
  Layout la(type, op_a ? k : m, op_a ? m : k, batches, true), lb(type, op_b ? n : k, op_b ? k : n, batches, true),
      lc(type, m, n, batches, on_cpu_device);
  Layout ld(type, m, n, batches, on_cpu_device);
  const Layout &out = in_place ? lc : ld;
  Array a(type), b(type), c(type), d(type), bias(type), aux(type);
  // cuBLASLt of CUDA 13.0 leaves a D of one column as it is where alpha is 0 and C lies elsewhere.
  const int drawn = random_to(5) - 2;
  const Factor alpha(type, drawn == 0 && n == 1 && !on_cpu_device ? 1 : drawn), beta(type, random_to(3) - 1);
  cublasLtMatmulDesc_t what;
  GOOD(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, type));
  set(what, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, 4), set(what, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, 4),
      set(what, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, 4);
  set(what, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 4);
  void *const bias_pointer = bias.first(), *const aux_pointer = aux.first();
  const int64_t bias_apart = 20, aux_pitch = m + 1, aux_apart = 90;
  if (with_bias || gradient)
    set(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_pointer, 8),
        set(what, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, &bias_apart, 8);
  if (with_aux) {
    set(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux_pointer, 8),
        set(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_pitch, 8);
    set(what, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &aux_apart, 8);
  }
  Array &result = in_place ? c : d;
  GOOD(cublasLtMatmul(handle, what, alpha.at(mode), a.first(), la.layout, b.first(), lb.layout, beta.at(mode), c.first(), lc.layout,
                      result.first(), out.layout, nullptr, nullptr, 0, nullptr));
  cudaDeviceSynchronize();
  const auto of_a = [&](int batch, int row, int i) { return a[op_a ? la.at(batch, i, row) : la.at(batch, row, i)]; };
  const auto of_b = [&](int batch, int i, int column) { return b[op_b ? lb.at(batch, column, i) : lb.at(batch, i, column)]; };
  for (int batch = 0; batch < batches; batch++) {
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++) {
        double x = beta.value * c[lc.at(batch, row, column)];
        for (int i = 0; i < k; i++) x += alpha.value * of_a(batch, row, i) * of_b(batch, i, column);
        if (with_bias) x += bias[static_cast<int>(batch * bias_apart) + row];
        if (with_aux) aux[static_cast<int>(batch * aux_apart + column * aux_pitch) + row] = x;
        if (relu) x = std::max(x, 0.0);
        if (gelu) x = x * 0.5 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x)));
        result[out.at(batch, row, column)] = x;
      }
    if (gradient)
      for (int i = 0; i < (epilogue == CUBLASLT_EPILOGUE_BGRADA ? m : n); i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) sum += epilogue == CUBLASLT_EPILOGUE_BGRADA ? of_a(batch, i, j) : of_b(batch, j, i);
        bias[static_cast<int>(batch * bias_apart) + i] = sum;
      }
  }
  EXPECT(a.same() && b.same() && c.same(1e-4) && d.same(1e-4) && bias.same() && aux.same());
#ifdef __CPU_DEVICE__
  // What does not fit together.
  const auto product = [&](cublasLtMatrixLayout_t x, cublasLtMatrixLayout_t y, cublasLtMatrixLayout_t z,
                           cublasLtMatrixLayout_t to) {
    return cublasLtMatmul(handle, what, alpha.at(mode), a.first(), x, b.first(), y, beta.at(mode), c.first(), z, result.first(), to,
                          nullptr, nullptr, 0, nullptr);
  };
  Layout more_m(type, op_a ? k : m + 1, op_a ? m + 1 : k, batches, true),
      more_k(type, op_b ? n : k + 1, op_b ? k + 1 : n, batches, true);
  Layout wider(type, m, n + 1, batches, true), more(type, m, n, batches + 1, true);
  EXPECT(product(more_m.layout, lb.layout, lc.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(product(la.layout, more_k.layout, lc.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(product(la.layout, lb.layout, wider.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(product(la.layout, lb.layout, lc.layout, wider.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(product(la.layout, lb.layout, more.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(product(nullptr, lb.layout, lc.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  if (with_bias || gradient) {
    void *const none = nullptr;
    set(what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &none, 8);
    EXPECT(product(la.layout, lb.layout, lc.layout, out.layout) == CUBLAS_STATUS_INVALID_VALUE);
  }
  EXPECT(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, 8) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(a.same() && b.same() && c.same(1e-4) && d.same(1e-4));
#endif
  GOOD(cublasLtMatmulDescDestroy(what));
}

// Factors of the matrices, and the largest magnitude of the result.
void scaled_products(cublasLtHandle_t handle) {
#ifdef __CPU_DEVICE__
  const auto type = CUDA_R_32F;
  snprintf(now, sizeof now, "cublasLt with scales");
  for (int i = 0; i < 16; i++) {
    Array a(type), b(type), c(type), d(type), scales(type), largest(type);
    Layout l(type, 1, 1, 1, false);
    cublasLtMatmulDesc_t what;
    GOOD(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, type));
    const cublasLtMatmulDescAttributes_t names[] = {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
                                                    CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER};
    double factor[4] = {1, 1, 1, 1};
    for (int k = 0; k < 4; k++) {
      const void *const at = static_cast<float *>(scales.first()) + k;
      if (i >> k & 1) set(what, names[k], &at, 8), factor[k] = scales[k];
    }
    const void *const at = largest.first();
    set(what, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, &at, 8);
    const float alpha = 2, beta = 3;
    GOOD(cublasLtMatmul(handle, what, &alpha, a.first(), l.layout, b.first(), l.layout, &beta, c.first(), l.layout, d.first(),
                        l.layout, nullptr, nullptr, 0, nullptr));
    const double before = 2 * factor[0] * factor[1] * a[0] * b[0] + 3 * factor[2] * c[0];
    d[0] = before * factor[3], largest[0] = std::abs(before);
    EXPECT(d.same() && largest.same() && c.same());
    GOOD(cublasLtMatmulDescDestroy(what));
  }
#else
  (void)handle;
#endif
}

// ---- cublasXt: matrices of the host's ----

template <typename T>
struct Number {
  typedef std::complex<double> Value;
  static Value get(T x) { return x; }
  static T put(Value x) { return static_cast<T>(x.real()); }
};
template <>
struct Number<cuComplex> {
  static std::complex<double> get(cuComplex x) { return {x.x, x.y}; }
  static cuComplex put(std::complex<double> x) { return {static_cast<float>(x.real()), static_cast<float>(x.imag())}; }
};
template <>
struct Number<cuDoubleComplex> {
  static std::complex<double> get(cuDoubleComplex x) { return {x.x, x.y}; }
  static cuDoubleComplex put(std::complex<double> x) { return {x.real(), x.imag()}; }
};
template <typename T, typename Call>
void large_products(cublasXtHandle_t handle, const char *name, bool is_complex, Call call) {
  for (int round = 0; round < 20; round++) {
    const size_t m = random_to(6), n = random_to(6), k = random_to(6);
    const auto op_a = static_cast<cublasOperation_t>(random_to(3)), op_b = static_cast<cublasOperation_t>(random_to(3));
    const size_t rows_a = op_a == CUBLAS_OP_N ? m : k, rows_b = op_b == CUBLAS_OP_N ? k : n;
    const size_t lda = std::max<size_t>(1, rows_a) + random_to(3), ldb = std::max<size_t>(1, rows_b) + random_to(3),
                 ldc = std::max<size_t>(1, m) + random_to(3);
    snprintf(now, sizeof now, "%s, %zu x %zu x %zu, operations %d %d", name, m, n, k, op_a, op_b);
    typedef std::complex<double> Value;
    const auto some = [&] { return Value(random_to(7) - 3, is_complex ? random_to(7) - 3 : 0); };
    std::vector<T> a(100), b(100), c(100);
    for (auto *one : {&a, &b, &c})
      for (T &x : *one) x = Number<T>::put(some());
    const Value alpha = some(), beta = coin() ? Value(0) : some();
    const T first = Number<T>::put(alpha), second = Number<T>::put(beta);
    std::vector<T> expected = c;
    const auto turned = [](Value x, cublasOperation_t op) { return op == CUBLAS_OP_C ? std::conj(x) : x; };
    for (size_t row = 0; row < m; row++)
      for (size_t column = 0; column < n; column++) {
        Value sum = 0;
        for (size_t i = 0; i < k; i++)
          sum += turned(Number<T>::get(a[op_a == CUBLAS_OP_N ? row + i * lda : i + row * lda]), op_a) *
                 turned(Number<T>::get(b[op_b == CUBLAS_OP_N ? i + column * ldb : column + i * ldb]), op_b);
        T &x = expected[row + column * ldc];
        x = Number<T>::put(alpha * sum + beta * Number<T>::get(x));
      }
    GOOD(call(op_a, op_b, m, n, k, &first, a.data(), lda, b.data(), ldb, &second, c.data(), ldc));
    bool same = true;
    for (int i = 0; i < 100; i++) same = same && std::abs(Number<T>::get(c[i]) - Number<T>::get(expected[i])) < 1e-3;
#ifndef __CPU_DEVICE__
    if (k == 0) continue;  // cuBLASXt 13.0 leaves C as it was
#endif
    EXPECT(same);
    // A pitch that is one too small, of each matrix.
    if (rows_a > 1)
      EXPECT(call(op_a, op_b, m, n, k, &first, a.data(), rows_a - 1, b.data(), ldb, &second, c.data(), ldc) ==
             CUBLAS_STATUS_INVALID_VALUE);
    if (rows_b > 1)
      EXPECT(call(op_a, op_b, m, n, k, &first, a.data(), lda, b.data(), rows_b - 1, &second, c.data(), ldc) ==
             CUBLAS_STATUS_INVALID_VALUE);
    if (m > 1)
      EXPECT(call(op_a, op_b, m, n, k, &first, a.data(), lda, b.data(), ldb, &second, c.data(), m - 1) ==
             CUBLAS_STATUS_INVALID_VALUE);
  }
}
void several_devices() {
  cublasXtHandle_t handle;
  snprintf(now, sizeof now, "cublasXt");
  GOOD(cublasXtCreate(&handle));
  int present = 0, size = 0;
  cudaGetDeviceCount(&present);
  std::vector<int> ids;
  for (int i = 0; i < present; i++) ids.push_back(i);
#ifdef __CPU_DEVICE__
  for (const int bad : {-1, present}) {
    std::vector<int> list = ids;
    list.back() = bad;
    EXPECT(cublasXtDeviceSelect(handle, present, list.data()) == CUBLAS_STATUS_INVALID_VALUE);
  }
  EXPECT(cublasXtDeviceSelect(handle, 0, ids.data()) == CUBLAS_STATUS_INVALID_VALUE &&
         cublasXtDeviceSelect(handle, 1, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasXtDeviceSelect(nullptr, 1, ids.data()) == CUBLAS_STATUS_NOT_INITIALIZED);
#endif
  GOOD(cublasXtDeviceSelect(handle, 1, ids.data()));
  for (const int set : {64, 1, 300}) {
    GOOD(cublasXtSetBlockDim(handle, set)), GOOD(cublasXtGetBlockDim(handle, &size));
    EXPECT(size == set);
  }
  for (const int bad : {0, -1}) EXPECT(cublasXtSetBlockDim(handle, bad) == CUBLAS_STATUS_INVALID_VALUE);
  GOOD(cublasXtGetBlockDim(handle, &size));
  EXPECT(size == 300);
  large_products<float>(handle, "cublasXtSgemm", false, [&](auto... a) { return cublasXtSgemm(handle, a...); });
  large_products<double>(handle, "cublasXtDgemm", false, [&](auto... a) { return cublasXtDgemm(handle, a...); });
  large_products<cuComplex>(handle, "cublasXtCgemm", true, [&](auto... a) { return cublasXtCgemm(handle, a...); });
  large_products<cuDoubleComplex>(handle, "cublasXtZgemm", true, [&](auto... a) { return cublasXtZgemm(handle, a...); });
  GOOD(cublasXtDestroy(handle));
}

int main() {
  cublasHandle_t handle;
  cublasLtHandle_t light;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;  // no OpenBLAS
  GOOD(cublasLtCreate(&light));
  for (int i = 0; i < 30; i++)
    for (const Types &t : kTypes) products(handle, t);
  ends_of_ranges(handle);
  for (int i = 0; i < 30; i++)
    for (const cudaDataType type : {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F}) vectors(handle, type);
  for (int i = 0; i < 150; i++) light_products(light);
  scaled_products(light);
  several_devices();
  GOOD(cublasLtDestroy(light)), GOOD(cublasDestroy(handle));
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
