// In the manner of a test suite for libraries: each array is exactly as long as a call needs it, with strides, pitches, batches
// and sizes of 0. The CPU device refuses each that is one element shorter; nobody knows what a GPU does then. Link with -lcublas
// -lcufft -lcurand -lcusparse on a GPU.
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#ifdef __CPU_DEVICE__
const bool on_cpu_device = true;
#else
const bool on_cpu_device = false;
#endif

int wrong = 0;

// The arrays of one call.
typedef std::vector<void *> Arrays;

// `call` returns the status for arrays of so many bytes each, of which the last elements have `last` bytes.
void exactly(const std::string &what, const std::vector<size_t> &bytes, const std::vector<size_t> &last, const std::function<int(const Arrays &)> &call) {
  for (int shorter = -1; shorter < (on_cpu_device ? static_cast<int>(bytes.size()) : 0); shorter++) {
    if (shorter >= 0 && bytes[shorter] < 2 * last[shorter]) continue;  // nothing would be left
    Arrays arrays;
    for (size_t i = 0; i < bytes.size(); i++) {
      void *array = nullptr;
      const size_t size = bytes[i] - (static_cast<int>(i) == shorter ? last[i] : 0);
      if (cudaMalloc(&array, size + (size == 0)) != cudaSuccess || cudaMemset(array, 0, size) != cudaSuccess) exit(2);
      arrays.push_back(array);
    }
    const int status = call(arrays);
    if ((status == 0 && cudaDeviceSynchronize() == cudaSuccess) != (shorter < 0))
      wrong++, printf("%s, array %d is shorter: %d\n", what.c_str(), shorter, status);
    for (void *array : arrays) cudaFree(array);
  }
}

template <typename T>
T *of(void *array) {
  return static_cast<T *>(array);
}

void blas() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return;  // no OpenBLAS
  const float alpha = 1, beta = 0;
  const auto bytes = [](int n, int step) { return sizeof(float) * (n > 0 ? 1 + (n - 1) * (step < 0 ? -step : step) : 0); };
  const auto text = [](const char *name, int a, int b, int c) {
    return std::string(name) + " " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c);
  };
  for (const int n : {0, 1, 2, 5})
    for (const int x : {1, 2, -1, -3})
      for (const int y : {1, 3, -2}) {
        exactly(text("cublasSaxpy", n, x, y), {bytes(n, x), bytes(n, y)}, {4, 4},
                [&](const Arrays &a) { return cublasSaxpy(handle, n, &alpha, of<float>(a[0]), x, of<float>(a[1]), y); });
        exactly(text("cublasScopy", n, x, y), {bytes(n, x), bytes(n, y)}, {4, 4},
                [&](const Arrays &a) { return cublasScopy(handle, n, of<float>(a[0]), x, of<float>(a[1]), y); });
      }
  for (const int m : {1, 3, 4})
    for (const int n : {1, 2, 5})
      for (const int more : {0, 1, 3}) {
        const int k = 2;
        exactly(text("cublasSgemv", m, n, more), {sizeof(float) * ((m + more) * (n - 1) + m), bytes(n, 2), bytes(m, 3)}, {4, 4, 4}, [&](const Arrays &a) {
          return cublasSgemv(handle, CUBLAS_OP_N, m, n, &alpha, of<float>(a[0]), m + more, of<float>(a[1]), 2, &beta, of<float>(a[2]), 3);
        });
        exactly(text("cublasSgemm", m, n, more),
                {sizeof(float) * ((m + more) * (k - 1) + m), sizeof(float) * ((n + more) * (k - 1) + n), sizeof(float) * ((m + more) * (n - 1) + m)}, {4, 4, 4},
                [&](const Arrays &a) {
                  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, of<float>(a[0]), m + more, of<float>(a[1]), n + more, &beta,
                                     of<float>(a[2]), m + more);
                });
      }
  cublasDestroy(handle);
}

void transforms() {
  for (const int n : {1, 2, 5, 8})
    for (const int batch : {1, 3}) {
      const size_t real = sizeof(float) * n * batch, spectrum = sizeof(cufftComplex) * (n / 2 + 1) * batch, complex = sizeof(cufftComplex) * n * batch;
      const auto plan = [&](cufftType type, const std::function<int(cufftHandle)> &run) {
        cufftHandle made;
        int status = cufftPlan1d(&made, n, type, batch);
        if (status != 0) return status;
        status = run(made);
        cufftDestroy(made);
        return status;
      };
      const std::string text = std::to_string(batch) + " transforms of " + std::to_string(n) + ", ";
      exactly(text + "C2C", {complex, complex}, {8, 8}, [&](const Arrays &a) {
        return plan(CUFFT_C2C, [&](cufftHandle p) { return cufftExecC2C(p, of<cufftComplex>(a[0]), of<cufftComplex>(a[1]), CUFFT_FORWARD); });
      });
      exactly(text + "R2C", {real, spectrum}, {4, 8}, [&](const Arrays &a) {
        return plan(CUFFT_R2C, [&](cufftHandle p) { return cufftExecR2C(p, of<float>(a[0]), of<cufftComplex>(a[1])); });
      });
      exactly(text + "C2R", {spectrum, real}, {8, 4}, [&](const Arrays &a) {
        return plan(CUFFT_C2R, [&](cufftHandle p) { return cufftExecC2R(p, of<cufftComplex>(a[0]), of<float>(a[1])); });
      });
    }
}

void random_numbers() {
  curandGenerator_t generator;
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW) != CURAND_STATUS_SUCCESS) return;
  for (const size_t n : {2, 10, 1000}) {
    const std::string text = std::to_string(n) + " numbers, ";
    exactly(text + "int", {n * 4}, {4}, [&](const Arrays &a) { return curandGenerate(generator, of<unsigned>(a[0]), n); });
    exactly(text + "float", {n * 4}, {4}, [&](const Arrays &a) { return curandGenerateUniform(generator, of<float>(a[0]), n); });
    exactly(text + "double", {n * 8}, {8}, [&](const Arrays &a) { return curandGenerateUniformDouble(generator, of<double>(a[0]), n); });
    exactly(text + "normal", {n * 4}, {4}, [&](const Arrays &a) { return curandGenerateNormal(generator, of<float>(a[0]), n, 0, 1); });
    exactly(text + "Poisson", {n * 4}, {4}, [&](const Arrays &a) { return curandGeneratePoisson(generator, of<unsigned>(a[0]), n, 3); });
  }
  curandDestroyGenerator(generator);
}

// A matrix that has values where (row + 2 * column) % 3 is 0, in its formats.
void sparse() {
  cusparseHandle_t handle;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return;
  for (const int rows : {0, 1, 4})
    for (const int columns : {1, 3, 6})
      for (const cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
        std::vector<int> starts(1, base), row_of, column_of, of_columns(1, base), rows_by_column;
        for (int row = 0; row < rows; row++) {
          for (int column = 0; column < columns; column++)
            if ((row + 2 * column) % 3 == 0) row_of.push_back(row + base), column_of.push_back(column + base);
          starts.push_back(static_cast<int>(row_of.size()) + base);
        }
        for (int column = 0; column < columns; column++) {
          for (int row = 0; row < rows; row++)
            if ((row + 2 * column) % 3 == 0) rows_by_column.push_back(row + base);
          of_columns.push_back(static_cast<int>(rows_by_column.size()) + base);
        }
        const int n = static_cast<int>(row_of.size());
        const size_t s = sizeof(int);
        const std::string text = std::to_string(rows) + " x " + std::to_string(columns) + " from " + std::to_string(base) + ", ";
        const auto put = [](void *to, const std::vector<int> &from, size_t bytes) { cudaMemcpy(to, from.data(), bytes, cudaMemcpyHostToDevice); };
        const auto same = [&](const char *what, const void *from, const std::vector<int> &expected) {
          std::vector<int> got(expected.size());
          cudaMemcpy(got.data(), from, s * got.size(), cudaMemcpyDeviceToHost);
          if (got != expected) wrong++, printf("%s%s\n", text.c_str(), what);
          return 0;
        };
        const auto room = [&](void *array, size_t bytes) {  // what the array has; it may be shorter
          for (; bytes > 0 && on_cpu_device; bytes -= s) {
            cudaPointerAttributes about;
            if (cudaPointerGetAttributes(&about, static_cast<char *>(array) + bytes - 1) == cudaSuccess && about.type == cudaMemoryTypeDevice) break;
          }
          return bytes;
        };
        exactly(text + "cusparseXcsr2coo", {s * (rows + 1), s * n}, {s, s}, [&](const Arrays &a) {
          put(a[0], starts, room(a[0], s * (rows + 1)));
          const int status = cusparseXcsr2coo(handle, of<int>(a[0]), n, rows, of<int>(a[1]), base);
          return status != 0 ? status : same("cusparseXcsr2coo", a[1], row_of);
        });
        if (rows == 0) continue;  // nothing is written then
        exactly(text + "cusparseXcoo2csr", {s * n, s * (rows + 1)}, {s, s}, [&](const Arrays &a) {
          put(a[0], row_of, room(a[0], s * n));
          const int status = cusparseXcoo2csr(handle, of<int>(a[0]), n, rows, of<int>(a[1]), base);
          return status != 0 ? status : same("cusparseXcoo2csr", a[1], starts);
        });
        if (n == 0) continue;
        exactly(text + "cusparseCsr2cscEx2", {s * (rows + 1), s * n, s * (columns + 1), s * n, 4u * n, 4u * n}, {s, s, s, s, 4, 4}, [&](const Arrays &a) {
          put(a[0], starts, room(a[0], s * (rows + 1)));
          put(a[1], column_of, room(a[1], s * n));
          size_t bytes = 0;
          void *work = nullptr;
          cusparseCsr2cscEx2_bufferSize(handle, rows, columns, n, a[4], of<int>(a[0]), of<int>(a[1]), a[5], of<int>(a[2]), of<int>(a[3]), CUDA_R_32F,
                                        CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes);
          cudaMalloc(&work, bytes + 1);
          const int status = cusparseCsr2cscEx2(handle, rows, columns, n, a[4], of<int>(a[0]), of<int>(a[1]), a[5], of<int>(a[2]), of<int>(a[3]), CUDA_R_32F,
                                                CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG_DEFAULT, work);
          if (status != 0) return status;
          same("the starts of the columns", a[2], of_columns), same("the rows by columns", a[3], rows_by_column);
          cudaFree(work);
          return 0;
        });
      }
  // The first size that is none.
  int *memory;
  cudaMalloc(&memory, 64);
  cudaMemset(memory, 0, 64);
  for (const int size : {-1, 0}) {
    cusparseDnVecDescr_t vector;
    cusparseDnMatDescr_t matrix;
    cusparseSpMatDescr_t sparse;
    const bool good = size == 0;
    const auto expect = [&](const char *what, int status) {
      if ((status == 0) != good) wrong++, printf("%s of size %d: %d\n", what, size, status);
    };
    expect("cusparseXcsr2coo, values", cusparseXcsr2coo(handle, memory, size, 1, memory + 8, CUSPARSE_INDEX_BASE_ZERO));
    expect("cusparseXcsr2coo, rows", cusparseXcsr2coo(handle, memory, 0, size, memory + 8, CUSPARSE_INDEX_BASE_ZERO));
    expect("cusparseXcoo2csr, values", cusparseXcoo2csr(handle, memory, size, 1, memory + 8, CUSPARSE_INDEX_BASE_ZERO));
    expect("cusparseXcoo2csr, rows", cusparseXcoo2csr(handle, memory, 0, size, memory + 8, CUSPARSE_INDEX_BASE_ZERO));
    expect("cusparseCreateDnVec", cusparseCreateDnVec(&vector, size, memory, CUDA_R_32F));
    expect("cusparseCreateDnMat, rows", cusparseCreateDnMat(&matrix, size, 2, 2, memory, CUDA_R_32F, CUSPARSE_ORDER_COL));
    expect("cusparseCreateDnMat, columns", cusparseCreateDnMat(&matrix, 2, size, 2, memory, CUDA_R_32F, CUSPARSE_ORDER_COL));
    expect("cusparseCreateDnMat, pitch of columns", cusparseCreateDnMat(&matrix, 3, 2, 3 + size, memory, CUDA_R_32F, CUSPARSE_ORDER_COL));
    expect("cusparseCreateDnMat, pitch of rows", cusparseCreateDnMat(&matrix, 2, 3, 3 + size, memory, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    for (int which = 0; which < 3; which++)
      expect("cusparseCreateCsr", cusparseCreateCsr(&sparse, which == 0 ? size : 1, which == 1 ? size : 1, which == 2 ? size : 0, memory, memory, memory,
                                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  }
  cusparseDestroy(handle);
}

int main() {
  blas();
  transforms();
  random_numbers();
  sparse();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
