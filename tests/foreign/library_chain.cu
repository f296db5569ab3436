// In the manner of library courses: cuRAND fills matrices, cuBLAS multiplies them in row-major order, cuFFT convolves, all in
// one stream.
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#define CUDA(x) if ((x) != cudaSuccess) { printf("CUDA: line %d\n", __LINE__); return EXIT_FAILURE; }
#define BLAS(x) if ((x) != CUBLAS_STATUS_SUCCESS) { printf("cuBLAS: line %d\n", __LINE__); return EXIT_FAILURE; }
#define RAND(x) if ((x) != CURAND_STATUS_SUCCESS) { printf("cuRAND: line %d\n", __LINE__); return EXIT_FAILURE; }
#define FFT(x) if ((x) != CUFFT_SUCCESS) { printf("cuFFT: line %d\n", __LINE__); return EXIT_FAILURE; }

__global__ void multiply_spectra(cufftComplex* a, const cufftComplex* b, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const cufftComplex x = a[i], y = b[i];
  a[i] = make_cuComplex((x.x * y.x - x.y * y.y) * scale, (x.x * y.y + x.y * y.x) * scale);
}

int main() {
  const int m = 33, n = 21, k = 50;
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  float *A, *B, *C;
  CUDA(cudaMalloc((void**)&A, m * k * sizeof(float)));
  CUDA(cudaMalloc((void**)&B, k * n * sizeof(float)));
  CUDA(cudaMalloc((void**)&C, m * n * sizeof(float)));
  curandGenerator_t generator;
  RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
  RAND(curandSetStream(generator, stream));
  RAND(curandGenerateUniform(generator, A, m * k));
  RAND(curandGenerateNormal(generator, B, k * n, 0.0f, 1.0f));
  cublasHandle_t blas;
  BLAS(cublasCreate(&blas));
  BLAS(cublasSetStream(blas, stream));
  BLAS(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH));
  const float one = 1.0f, zero = 0.0f;
  // Row-major C = A * B is column-major C^T = B^T * A^T.
  BLAS(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
  float norm = 0, dot = 0;
  int largest = 0;
  BLAS(cublasSnrm2(blas, m * n, C, 1, &norm));
  BLAS(cublasSdot(blas, m * n, C, 1, C, 1, &dot));
  BLAS(cublasIsamax(blas, m * n, C, 1, &largest));
  std::vector<float> a(m * k), b(k * n), c(m * n);
  CUDA(cudaMemcpyAsync(a.data(), A, a.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaMemcpyAsync(b.data(), B, b.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaMemcpyAsync(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  bool right = true;
  double sum = 0, most = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double expected = 0;
      for (int l = 0; l < k; l++) expected += (double)a[i * k + l] * b[l * n + j];
      right = right && std::fabs(c[i * n + j] - expected) < 1e-4 * (1 + std::fabs(expected));
      sum += (double)c[i * n + j] * c[i * n + j];
      most = std::fmax(most, std::fabs(c[i * n + j]));
    }
  right = right && std::fabs(norm - std::sqrt(sum)) < 1e-3 * norm && std::fabs(dot - sum) < 1e-3 * sum &&
          std::fabs(c[largest - 1]) == (float)most;
  printf("product: %s\n", right ? "right" : "wrong");
  for (float u : a) right = right && u > 0.0f && u <= 1.0f;

  const int size = 256;
  std::vector<float> signal(size), filter(size, 0.0f), result(size);
  for (int i = 0; i < size; i++) signal[i] = std::sin(0.1f * i) + (i % 7 == 0);
  filter[0] = 0.5f, filter[1] = 0.25f, filter[size - 1] = 0.25f;
  cufftReal *ds, *df;
  cufftComplex *fs, *ff;
  CUDA(cudaMalloc(&ds, size * sizeof(cufftReal)));
  CUDA(cudaMalloc(&df, size * sizeof(cufftReal)));
  CUDA(cudaMalloc(&fs, (size / 2 + 1) * sizeof(cufftComplex)));
  CUDA(cudaMalloc(&ff, (size / 2 + 1) * sizeof(cufftComplex)));
  CUDA(cudaMemcpyAsync(ds, signal.data(), size * 4, cudaMemcpyHostToDevice, stream));
  CUDA(cudaMemcpyAsync(df, filter.data(), size * 4, cudaMemcpyHostToDevice, stream));
  cufftHandle forward, inverse;
  FFT(cufftPlan1d(&forward, size, CUFFT_R2C, 1));
  FFT(cufftPlan1d(&inverse, size, CUFFT_C2R, 1));
  FFT(cufftSetStream(forward, stream));
  FFT(cufftSetStream(inverse, stream));
  FFT(cufftExecR2C(forward, ds, fs));
  FFT(cufftExecR2C(forward, df, ff));
  multiply_spectra<<<(size / 2 + 128) / 128, 128, 0, stream>>>(fs, ff, size / 2 + 1, 1.0f / size);
  FFT(cufftExecC2R(inverse, fs, ds));
  CUDA(cudaMemcpyAsync(result.data(), ds, size * 4, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < size; i++) {
    float expected = 0.5f * signal[i] + 0.25f * (signal[(i + 1) % size] + signal[(i + size - 1) % size]);
    right = right && std::fabs(result[i] - expected) < 1e-5f;
  }
  // Batches in two dimensions, there and back.
  cufftHandle plan;
  int dims[2] = {8, 12};
  FFT(cufftPlanMany(&plan, 2, dims, NULL, 1, 96, NULL, 1, 96, CUFFT_Z2Z, 3));
  std::vector<std::complex<double>> grid(3 * 96), back(3 * 96);
  for (size_t i = 0; i < grid.size(); i++) grid[i] = {double(i % 13), -double(i % 5)};
  cufftDoubleComplex* dg;
  CUDA(cudaMalloc(&dg, grid.size() * sizeof(cufftDoubleComplex)));
  CUDA(cudaMemcpy(dg, grid.data(), grid.size() * 16, cudaMemcpyHostToDevice));
  FFT(cufftExecZ2Z(plan, dg, dg, CUFFT_FORWARD));
  FFT(cufftExecZ2Z(plan, dg, dg, CUFFT_INVERSE));
  CUDA(cudaMemcpy(back.data(), dg, grid.size() * 16, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < grid.size(); i++) right = right && std::abs(back[i] / 96.0 - grid[i]) < 1e-12;
  cufftDestroy(forward), cufftDestroy(inverse), cufftDestroy(plan);
  curandDestroyGenerator(generator);
  cublasDestroy(blas);
  cudaFree(A), cudaFree(B), cudaFree(C), cudaFree(ds), cudaFree(df), cudaFree(fs), cudaFree(ff), cudaFree(dg);
  cudaStreamDestroy(stream);
  printf("%s\n", right ? "Test PASSED" : "Test FAILED");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
