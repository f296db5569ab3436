// In the manner of applications that give each library a stream and set it up further afterwards, or before: whatever comes
// between, the work stays in the stream that was set last. What is captured from the stream shows it.
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstdio>
#include <functional>

static int wrong = 0;

// The nodes that a piece of work adds to a graph captured from this stream.
static size_t nodes_of(cudaStream_t stream, const std::function<int()> &work) {
  cudaGraph_t graph = nullptr;
  size_t nodes = 0;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) != cudaSuccess) return 0;
  const int status = work();
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || status != 0) return cudaGetLastError(), 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphDestroy(graph);
  return nodes;
}
static void stays(const char *what, cudaStream_t stream, cudaStream_t other, const std::function<int()> &work) {
  const size_t here = nodes_of(stream, work), there = nodes_of(other, work);
  if (here == 0 || there != 0) wrong++, printf("%s: %zu nodes in its stream, %zu in the other\n", what, here, there);
}

int main() {
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  const int n = 64;
  float *x, *y;
  cufftComplex *z;
  cudaMalloc(&x, n * n * sizeof(float));
  cudaMalloc(&y, n * n * sizeof(float));
  cudaMalloc(&z, n * n * sizeof(cufftComplex));
  cudaMemset(x, 0, n * n * sizeof(float));
  cudaMemset(y, 0, n * n * sizeof(float));
  cudaMemset(z, 0, n * n * sizeof(cufftComplex));
  cudaDeviceSynchronize();
  const float one = 1;

  for (const int order : {0, 1, 2}) {  // the stream first, last, or twice
    const auto set = [&](int when, const std::function<void(cudaStream_t)> &setter) {
      if (order == 2 && when == 0) setter(other);
      if (order == when || (order == 2 && when == 1)) setter(stream);
    };
    printf("order %d\n", order);
    cublasHandle_t blas;
    cublasCreate(&blas);
    set(0, [&](cudaStream_t s) { cublasSetStream(blas, s); });
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST);
    cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH);
    cublasSetAtomicsMode(blas, CUBLAS_ATOMICS_ALLOWED);
    set(1, [&](cudaStream_t s) { cublasSetStream(blas, s); });
    stays("cuBLAS", stream, other, [&] { return cublasSaxpy(blas, n, &one, x, 1, y, 1); });
    cublasDestroy(blas);

    for (const int rank : {1, 2, 3}) {
      cufftHandle plan;
      size_t bytes = 0;
      int sizes[] = {4, 8, 16};
      cufftCreate(&plan);
      set(0, [&](cudaStream_t s) { cufftSetStream(plan, s); });
      if (rank == 1) cufftMakePlan1d(plan, n, CUFFT_C2C, 2, &bytes);
      if (rank == 2) cufftMakePlan2d(plan, 8, 16, CUFFT_C2C, &bytes);
      if (rank == 3) cufftMakePlanMany(plan, 3, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 2, &bytes);
      set(1, [&](cudaStream_t s) { cufftSetStream(plan, s); });
      stays("cuFFT", stream, other, [&] { return cufftExecC2C(plan, z, z, CUFFT_FORWARD); });
      cufftDestroy(plan);
    }

    cusparseHandle_t sparse;
    cusparseCreate(&sparse);
    set(0, [&](cudaStream_t s) { cusparseSetStream(sparse, s); });
    cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_HOST);
    set(1, [&](cudaStream_t s) { cusparseSetStream(sparse, s); });
    int *starts = reinterpret_cast<int *>(x);  // zeros: rows without values
    stays("cuSPARSE", stream, other, [&] { return cusparseXcoo2csr(sparse, starts, 4, 4, starts + 8, CUSPARSE_INDEX_BASE_ZERO); });
    cusparseDestroy(sparse);

    // Random numbers: what stands in the stream before them has not run yet, and they wait for it.
    curandGenerator_t random;
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    set(0, [&](cudaStream_t s) { curandSetStream(random, s); });
    curandSetPseudoRandomGeneratorSeed(random, 7);
    curandSetGeneratorOffset(random, 0);
    set(1, [&](cudaStream_t s) { curandSetStream(random, s); });
    curandGenerateUniform(random, y, n);  // the states are made
    cudaDeviceSynchronize();
    stays("cuRAND", stream, other, [&] { return curandGenerateUniform(random, y, n); });
    curandDestroyGenerator(random);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
