// cuBLASLt: one product of matrices and what comes right after it.
#include "../../include/cublasLt.h"

#include <cmath>
#include <cstring>

#include "cublas_internal.h"
#include "typed_products.h"

using namespace cpu_device;

namespace {

// What lies in the structs that are opaque to programs.
struct Layout {
  int32_t type, order;
  uint64_t rows, columns;
  int64_t pitch, batch_stride;
  int32_t batches;
};
struct Description {
  int32_t compute, scale, pointer_mode, op_a, op_b, op_c, fill, epilogue, bias_type, fast;
  void *bias, *aux;
  int64_t bias_stride, aux_pitch, aux_stride;
  const void *a_scale, *b_scale, *c_scale, *d_scale;
  void* largest;  // of |D|
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Description) <= sizeof(cublasLtMatmulDescOpaque_t));

Layout& of(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<Layout*>(layout); }
Description& of(cublasLtMatmulDesc_t what) { return *reinterpret_cast<Description*>(what); }

struct Member {
  void* place = nullptr;
  size_t bytes = 0;
};
template <typename T>
Member member(T& it) {
  return {&it, sizeof it};
}
Member member_of(Layout& l, cublasLtMatrixLayoutAttribute_t which) {
  switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return member(l.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return member(l.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return member(l.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return member(l.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: return member(l.pitch);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return member(l.batches);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return member(l.batch_stride);
    default: return {};
  }
}
Member member_of(Description& d, cublasLtMatmulDescAttributes_t which) {
  switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return member(d.compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return member(d.scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return member(d.pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA: return member(d.op_a);
    case CUBLASLT_MATMUL_DESC_TRANSB: return member(d.op_b);
    case CUBLASLT_MATMUL_DESC_TRANSC: return member(d.op_c);
    case CUBLASLT_MATMUL_DESC_FILL_MODE: return member(d.fill);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return member(d.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return member(d.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return member(d.bias_stride);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return member(d.aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return member(d.aux_pitch);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return member(d.aux_stride);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return member(d.a_scale);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return member(d.b_scale);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return member(d.c_scale);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return member(d.d_scale);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return member(d.largest);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return member(d.bias_type);
    default: return {};
  }
}
// FAST_ACCUM is a byte, and like the number of multiprocessors it changes nothing here.
bool has_no_effect(cublasLtMatmulDescAttributes_t which) {
  return which == CUBLASLT_MATMUL_DESC_FAST_ACCUM || which == CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET;
}

constexpr int kRelu = CUBLASLT_EPILOGUE_RELU, kBias = CUBLASLT_EPILOGUE_BIAS, kGelu = CUBLASLT_EPILOGUE_GELU, kAux = 128;

bool is_supported(const Description& d, const Layout& a, const Layout& b, const Layout& c, const Layout& out,
                  Site site) {
  for (const Layout* layout : {&a, &b, &c, &out}) {
    if (bytes_of(static_cast<cudaDataType>(layout->type)) == 0) {
      explain(site, format("cublasLtMatmul: the CPU device does not support matrices of type %d", layout->type),
              "use real numbers of 8 to 64 bits: CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, "
              "CUDA_R_8F_E4M3 ...");
      return false;
    }
    if (layout->order > CUBLASLT_ORDER_ROW) {
      explain(site, "cublasLtMatmul: the CPU device does not support this order of elements",
              "use CUBLASLT_ORDER_COL or CUBLASLT_ORDER_ROW.");
      return false;
    }
  }
  switch (d.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB: return true;
    default: break;
  }
  explain(site, format("cublasLtMatmul: the CPU device does not support the epilogue %d", d.epilogue),
          "use bias, ReLU or GELU (also with AUX), bias with one of them, or the gradients BGRADA and BGRADB.");
  return false;
}

// A factor of the scale's type.
double factor_at(const Description& d, const void* pointer) {
  return number_at(static_cast<cudaDataType>(d.scale), pointer, 0);
}
double scale_at(const void* pointer) { return pointer == nullptr ? 1 : *static_cast<const float*>(pointer); }
// By the formula with tanh, as cuBLASLt has it.
double gelu(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

TypedMatrix matrix_in_batch(const Layout& l, const void* data, int64_t batch) {
  const auto type = static_cast<cudaDataType>(l.type);
  auto* const first = static_cast<char*>(const_cast<void*>(data));
  const int64_t offset = batch * l.batch_stride * static_cast<int64_t>(bytes_of(type));
  return {type, first == nullptr ? nullptr : first + offset, l.rows, l.columns, static_cast<size_t>(l.pitch),
          l.order == CUBLASLT_ORDER_ROW};
}
void add_touched(const char* name, const Layout& l, const void* data, bool is_read, bool is_written,
                 std::vector<Matrix>* touched) {
  for (int64_t batch = 0; batch < std::max(1, l.batches); batch++) {
    const TypedMatrix m = matrix_in_batch(l, data, batch);
    touched->push_back({name, m.data, bytes_of(m.type), m.by_rows ? m.columns : m.rows, m.by_rows ? m.rows : m.columns,
                        m.pitch, is_read, is_written});
  }
}

struct Multiplication {
  Description what;
  Layout a_layout, b_layout, c_layout, d_layout;
  const void *a, *b, *c;
  void* d;

  cudaDataType bias_type() const {
    return what.bias_type >= 0 ? static_cast<cudaDataType>(what.bias_type) : static_cast<cudaDataType>(d_layout.type);
  }
  void run(double alpha, double beta, int64_t batch) const;
  double finished(double value, size_t row, size_t column, int64_t batch) const;
  void put_gradient(const std::vector<double>& a_numbers, const std::vector<double>& b_numbers, size_t m, size_t n,
                    size_t k, int64_t batch) const;
};

double Multiplication::finished(double value, size_t row, size_t column, int64_t batch) const {
  if ((what.epilogue & kBias) != 0)
    value += number_at(bias_type(), what.bias, static_cast<size_t>(batch * what.bias_stride) + row);
  if ((what.epilogue & kAux) != 0)
    put_number(static_cast<cudaDataType>(d_layout.type), what.aux,
               static_cast<size_t>(batch * what.aux_stride) + column * static_cast<size_t>(what.aux_pitch) + row, value);
  if ((what.epilogue & kRelu) != 0) return value > 0 ? value : value != value ? value : 0;
  if ((what.epilogue & kGelu) != 0) return gelu(value);
  return value;
}

// The sums over k of op(A), or of op(B).
void Multiplication::put_gradient(const std::vector<double>& a_numbers, const std::vector<double>& b_numbers, size_t m,
                                  size_t n, size_t k, int64_t batch) const {
  const bool of_a = what.epilogue == CUBLASLT_EPILOGUE_BGRADA;
  for (size_t i = 0; i < (of_a ? m : n); i++) {
    double sum = 0;
    for (size_t j = 0; j < k; j++) sum += of_a ? a_numbers[j * m + i] : b_numbers[i * k + j];
    put_number(bias_type(), what.bias, static_cast<size_t>(batch * what.bias_stride) + i, sum);
  }
}

void Multiplication::run(double alpha, double beta, int64_t batch) const {
  const TypedMatrix out = matrix_in_batch(d_layout, d, batch), in = matrix_in_batch(c_layout, c, batch);
  const bool transpose_a = what.op_a != CUBLAS_OP_N, transpose_b = what.op_b != CUBLAS_OP_N;
  const size_t m = out.rows, n = out.columns, k = transpose_a ? a_layout.rows : a_layout.columns;
  const std::vector<double> a_numbers = numbers_of(matrix_in_batch(a_layout, a, batch), transpose_a);
  const std::vector<double> b_numbers = numbers_of(matrix_in_batch(b_layout, b, batch), transpose_b);
  const bool exact = (what.scale != CUDA_R_32F && what.scale != CUDA_R_16F) || a_layout.type == CUDA_R_8I;
  const std::vector<double> sums = product(a_numbers, b_numbers, m, n, k, exact);
  alpha *= scale_at(what.a_scale) * scale_at(what.b_scale);
  beta *= scale_at(what.c_scale);
  double largest = 0;
  for (size_t column = 0; column < n; column++)
    for (size_t row = 0; row < m; row++) {
      double value = alpha * sums[column * m + row];
      if (beta != 0) value += beta * number_at(in.type, in.data, in.at(row, column));
      value = finished(value, row, column, batch);
      largest = std::max(largest, std::fabs(value));
      put_number(out.type, out.data, out.at(row, column), value * scale_at(what.d_scale));
    }
  if (what.largest != nullptr) *static_cast<float*>(what.largest) = static_cast<float>(largest);
  if (what.epilogue == CUBLASLT_EPILOGUE_BGRADA || what.epilogue == CUBLASLT_EPILOGUE_BGRADB)
    put_gradient(a_numbers, b_numbers, m, n, k, batch);
}

// Empty, or what does not fit together.
std::string mismatch(const Description& d, const Layout& a, const Layout& b, const Layout& c, const Layout& out) {
  const bool pa = d.op_a == CUBLAS_OP_N, pb = d.op_b == CUBLAS_OP_N;
  const uint64_t m = pa ? a.rows : a.columns, k = pa ? a.columns : a.rows;
  const uint64_t k_of_b = pb ? b.rows : b.columns, n = pb ? b.columns : b.rows;
  const auto sizes = [](uint64_t rows, uint64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  };
  if (k != k_of_b) return "op(A) is " + sizes(m, k) + ", and op(B) is " + sizes(k_of_b, n);
  if (out.rows != m || out.columns != n)
    return "the product is " + sizes(m, n) + ", but D is " + sizes(out.rows, out.columns);
  if (c.rows != m || c.columns != n) return "the product is " + sizes(m, n) + ", but C is " + sizes(c.rows, c.columns);
  for (const Layout* layout : {&a, &b, &c, &out})
    if (layout->batches != out.batches) return "A, B, C and D have different numbers of batches";
  if ((d.epilogue & (kBias | 768)) != 0 && d.bias == nullptr) return "the epilogue needs CUBLASLT_MATMUL_DESC_BIAS_POINTER";
  if (d.epilogue == CUBLASLT_EPILOGUE_DEFAULT && d.bias != nullptr)
    return "CUBLASLT_EPILOGUE_DEFAULT adds no bias, but there is a CUBLASLT_MATMUL_DESC_BIAS_POINTER";
  if ((d.epilogue & kAux) != 0 && d.aux == nullptr) return "the epilogue needs CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER";
  return {};
}

}  // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle, Site site) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle), site);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows,
                                        uint64_t columns, int64_t pitch) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  memset(layout, 0, sizeof *layout);
  of(layout) = {type, CUBLASLT_ORDER_COL, rows, columns, pitch, 0, 1};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t pitch) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = new cublasLtMatrixLayoutOpaque_t;
  return cublasLtMatrixLayoutInit(*layout, type, rows, columns, pitch);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                const void* value, size_t bytes) {
  if (layout == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Member to = member_of(of(layout), which);
  if (to.place == nullptr || to.bytes != bytes) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(to.place, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                void* value, size_t bytes, size_t* written) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Member from = member_of(of(layout), which);
  if (written != nullptr) *written = from.bytes;
  if (from.place == nullptr || (bytes != 0 && bytes < from.bytes)) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0) memcpy(value, from.place, from.bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t what, cublasComputeType_t compute, cudaDataType_t scale) {
  if (what == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  memset(what, 0, sizeof *what);
  Description& d = of(what);
  d.compute = compute;
  d.scale = scale;
  d.fill = -1;
  d.bias_type = -1;
  d.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* what, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (what == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *what = new cublasLtMatmulDescOpaque_t;
  return cublasLtMatmulDescInit(*what, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t what) {
  delete what;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t what, cublasLtMatmulDescAttributes_t which,
                                              const void* value, size_t bytes) {
  if (what == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (has_no_effect(which)) return CUBLAS_STATUS_SUCCESS;
  const Member to = member_of(of(what), which);
  if (to.place == nullptr || to.bytes != bytes) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(to.place, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t what,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found, Site site) {
  CHECK_HANDLE;
  if (what == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || results == nullptr ||
      found == nullptr || wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  if (!is_supported(of(what), of(a), of(b), of(c), of(d), site)) return CUBLAS_STATUS_NOT_SUPPORTED;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t what, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*, size_t,
                              cudaStream_t stream, Site site) {
  CHECK_HANDLE;
  if (what == nullptr || alpha == nullptr || beta == nullptr || a_layout == nullptr || b_layout == nullptr ||
      c_layout == nullptr || d_layout == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_supported(of(what), of(a_layout), of(b_layout), of(c_layout), of(d_layout), site))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const std::string wrong_sizes = mismatch(of(what), of(a_layout), of(b_layout), of(c_layout), of(d_layout));
  if (!wrong_sizes.empty()) return wrong(__func__, wrong_sizes, site);
  const Multiplication work{of(what),     of(a_layout), of(b_layout), of(c_layout),
                            of(d_layout), a,            b,            c,            d};
  const bool later = work.what.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  const double factor = later ? 0 : factor_at(work.what, alpha), keep = later ? 1 : factor_at(work.what, beta);
  std::vector<Matrix> touched;
  add_touched("A", work.a_layout, a, true, false, &touched);
  add_touched("B", work.b_layout, b, true, false, &touched);
  if (keep != 0) add_touched("C", work.c_layout, c, true, false, &touched);
  add_touched("D", work.d_layout, d, false, true, &touched);
  return status_of(run_in_stream(stream, __func__, std::move(touched), false, site, [=] {
    const double alpha_now = later ? factor_at(work.what, alpha) : factor;
    const double beta_now = later ? factor_at(work.what, beta) : keep;
    for (int64_t batch = 0; batch < std::max(1, work.d_layout.batches); batch++) work.run(alpha_now, beta_now, batch);
  }));
}
