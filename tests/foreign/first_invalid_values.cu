// In the manner of programs that check each status: the last value that a function takes, and the first one that it does not,
// as the documentation names them.
#include <cublas_v2.h>
#include <curand.h>
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

int wrong = 0;

void expect(const char *what, double value, int got, int expected) {
  if (got == expected) return;
  wrong++;
  fprintf(stderr, "%s of %g: %d, expected %d\n", what, value, got, expected);
}

void generators() {
  const struct {
    curandRngType_t type;
    bool quasi, wide;
  } all[] = {{CURAND_RNG_PSEUDO_DEFAULT, false, false},      {CURAND_RNG_PSEUDO_XORWOW, false, false},
             {CURAND_RNG_PSEUDO_MRG32K3A, false, false},     {CURAND_RNG_PSEUDO_MTGP32, false, false},
             {CURAND_RNG_PSEUDO_MT19937, false, false},      {CURAND_RNG_PSEUDO_PHILOX4_32_10, false, false},
             {CURAND_RNG_QUASI_DEFAULT, true, false},        {CURAND_RNG_QUASI_SOBOL32, true, false},
             {CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, true, false}, {CURAND_RNG_QUASI_SOBOL64, true, true},
             {CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true, true}};
  unsigned *numbers;
  unsigned long long *wide_numbers;
  cudaMalloc(&numbers, 40 * sizeof *numbers);
  cudaMalloc(&wide_numbers, 40 * sizeof *wide_numbers);
  for (const auto &one : all) {
    curandGenerator_t generator;
    expect("curandCreateGenerator", one.type, curandCreateGenerator(&generator, one.type), CURAND_STATUS_SUCCESS);
    expect("curandSetPseudoRandomGeneratorSeed", one.type, curandSetPseudoRandomGeneratorSeed(generator, 5),
           one.quasi ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_SUCCESS);
    for (unsigned dimensions : {0u, 1u, 20000u, 20001u})
      expect("curandSetQuasiRandomGeneratorDimensions", dimensions, curandSetQuasiRandomGeneratorDimensions(generator, dimensions),
             !one.quasi                                ? CURAND_STATUS_TYPE_ERROR
             : dimensions >= 1 && dimensions <= 20000 ? CURAND_STATUS_SUCCESS
                                                       : CURAND_STATUS_OUT_OF_RANGE);
    if (one.quasi) curandSetQuasiRandomGeneratorDimensions(generator, 2);
    expect("curandGenerate", one.type, curandGenerate(generator, numbers, 40), one.wide ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_SUCCESS);
    expect("curandGenerateLongLong", one.type, curandGenerateLongLong(generator, wide_numbers, 40),
           one.wide ? CURAND_STATUS_SUCCESS : CURAND_STATUS_TYPE_ERROR);
    expect("curandDestroyGenerator", one.type, curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
  }
  for (int set = 100; set <= 105; set++) {
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    const bool of_32 = set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 || set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
    const bool of_64 = set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 || set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
    expect("curandGetDirectionVectors32", set, curandGetDirectionVectors32(&narrow, curandDirectionVectorSet_t(set)),
           of_32 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE);
    expect("curandGetDirectionVectors64", set, curandGetDirectionVectors64(&wide, curandDirectionVectorSet_t(set)),
           of_64 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE);
  }
  cudaFree(numbers), cudaFree(wide_numbers);
}

void matrices() {
  std::vector<float> host(16, 1);
  float *device;
  cudaMalloc(&device, 16 * sizeof *device);
  for (int size : {-1, 0, 1, 4}) {
    const int expected = size < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    expect("cublasSetMatrix, rows", size, cublasSetMatrix(size, 2, sizeof(float), host.data(), 4, device, 4), expected);
    expect("cublasSetMatrix, columns", size, cublasSetMatrix(2, size, sizeof(float), host.data(), 4, device, 4), expected);
    expect("cublasGetMatrix, rows", size, cublasGetMatrix(size, 2, sizeof(float), device, 4, host.data(), 4), expected);
  }
  for (int size : {-1, 0, 1, 4}) {
    const int expected = size < 1 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    expect("cublasSetMatrix, bytes of an element", size, cublasSetMatrix(2, 2, size, host.data(), 4, device, 4), expected);
    expect("cublasSetVector, bytes of an element", size, cublasSetVector(2, size, host.data(), 1, device, 1), expected);
  }
  cudaFree(device);
}

// As many rows as columns, and one less.
void singular_values() {
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return;  // no OpenBLAS
  double *a, *values, *u, *vt, *work;
  int *info, size = 0;
  cudaMallocManaged(&a, 9 * sizeof *a);
  cudaMallocManaged(&values, 3 * sizeof *values);
  cudaMalloc(&u, 9 * sizeof *u);
  cudaMalloc(&vt, 9 * sizeof *vt);
  cudaMalloc(&info, sizeof *info);
  for (int n = 1; n <= 3; n++) {
    cusolverDnDgesvd_bufferSize(handle, n, n, &size);
    cudaMalloc(&work, (size + 1) * sizeof *work);
    for (int i = 0; i < n * n; i++) a[i] = i % (n + 1) == 0 ? 2 : 0;
    expect("cusolverDnDgesvd", n, cusolverDnDgesvd(handle, 'A', 'A', n, n, a, n, values, u, n, vt, n, work, size, nullptr, info),
           CUSOLVER_STATUS_SUCCESS);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
      if (std::fabs(values[i] - 2) > 1e-12) wrong++, fprintf(stderr, "singular value %d of %d: %g\n", i, n, values[i]);
    expect("cusolverDnDgesvd, one row less", n,
           cusolverDnDgesvd(handle, 'N', 'N', n - 1, n, a, n, values, u, n, vt, n, work, size, nullptr, info),
           n == 1 ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE);
    cudaFree(work);
  }
  cusolverDnDestroy(handle);
}

// Numbers 7 and 8 are the driver's, for graphics; no program of the runtime interface knows them.
void limits() {
  for (int limit = 0; limit <= cudaLimitPersistingL2CacheSize; limit++) {
    size_t value = 0;
    const bool there = limit != cudaLimitDevRuntimeSyncDepth;  // not with compute capability 9.0
    const cudaError_t got = cudaDeviceGetLimit(&value, cudaLimit(limit));
    if ((got == cudaSuccess) != there) wrong++, fprintf(stderr, "cudaDeviceGetLimit of %d: %d\n", limit, got);
    const cudaError_t set = cudaDeviceSetLimit(cudaLimit(limit), value);
    if ((set == cudaSuccess) != there) wrong++, fprintf(stderr, "cudaDeviceSetLimit of %d: %d\n", limit, set);
    cudaGetLastError();
  }
  if (cudaDeviceSetLimit(cudaLimit(cudaLimitPersistingL2CacheSize + 1), 0) == cudaSuccess) wrong++, fprintf(stderr, "one limit too many\n");
  cudaGetLastError();
}

int main() {
  generators();
  matrices();
  singular_values();
  limits();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
