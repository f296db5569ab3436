// Work in pieces gives what it gives at once, and handles do not wear out: the numbers of cuRAND (in any pieces on the CPU device,
// in those of a multiple of its threads on a GPU), plans of cuFFT, handles of cuBLAS, instances of graphs, generators in kernels.
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static int failures = 0;
static void require(bool good, const std::string &what) {
  if (good) return;
  fprintf(stderr, "wrong: %s\n", what.c_str());
  failures++;
}
static void ok(int status, const char *what) {
  if (status == 0) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(1);
}

static const int kCount = 24;  // a multiple of what any generator makes at a time

template <typename T>
static std::vector<T> drawn(curandRngType_t type, std::vector<int> pieces, const std::function<int(curandGenerator_t, T *, size_t)> &draw,
                            bool on_host, unsigned long long seed) {
  curandGenerator_t generator;
  ok(on_host ? curandCreateGeneratorHost(&generator, type) : curandCreateGenerator(&generator, type), "create");
  if (type < CURAND_RNG_QUASI_DEFAULT) ok(curandSetPseudoRandomGeneratorSeed(generator, seed), "seed");
  std::vector<T> all(kCount);
  T *device;
  ok(cudaMalloc(&device, kCount * sizeof(T)), "cudaMalloc");
  int at = 0;
  for (int piece : pieces) {
    ok(draw(generator, on_host ? all.data() + at : device + at, piece), "draw");
    at += piece;
  }
  if (!on_host) ok(cudaMemcpy(all.data(), device, kCount * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  ok(cudaFree(device), "cudaFree");
  ok(curandDestroyGenerator(generator), "destroy");
  return all;
}

template <typename T>
static void numbers(const char *name, const std::function<int(curandGenerator_t, T *, size_t)> &draw, bool quasi_too) {
  std::vector<curandRngType_t> types = {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                        CURAND_RNG_PSEUDO_MTGP32};
  if (quasi_too) types.push_back(CURAND_RNG_QUASI_SOBOL32);
  for (curandRngType_t type : types)
    for (bool on_host : {false, true}) {
      const auto whole = drawn<T>(type, {kCount}, draw, on_host, 1234);
      for (const std::vector<int> &pieces : {std::vector<int>{12, 12}, {4, 20}, {8, 8, 8}, {20, 4}})
        require(drawn<T>(type, pieces, draw, on_host, 1234) == whole, std::string(name) + " in pieces");
      const auto other = drawn<T>(type, {kCount}, draw, !on_host, 1234);  // whose logarithm may round otherwise
      bool is_near = true;
      for (int i = 0; i < kCount; i++) is_near = is_near && std::fabs(double(other[i]) - double(whole[i])) <= 1e-4 * (1 + std::fabs(double(whole[i])));
      require(is_near, std::string(name) + " of the host and of the device");
      bool repeats = true;
      for (int i = 0; i < kCount / 2; i++) repeats = repeats && whole[i] == whole[i + kCount / 2];
      require(!repeats, std::string(name) + " repeats itself");
      if (type < CURAND_RNG_QUASI_DEFAULT)
        require(drawn<T>(type, {kCount}, draw, on_host, 1235) != whole, std::string(name) + " with another seed");
    }
}

// A quasirandom generator of several dimensions: each call gives so many points, first the first coordinate of all of them.
template <typename T>
static void points(const char *name, curandRngType_t type, const std::function<int(curandGenerator_t, T *, size_t)> &draw) {
  for (int dimensions : {1, 2, 3, 7})
    for (bool on_host : {false, true}) {
      const auto drawn_points = [&](const std::vector<int> &pieces) {
        curandGenerator_t generator;
        ok(on_host ? curandCreateGeneratorHost(&generator, type) : curandCreateGenerator(&generator, type), "create");
        ok(curandSetQuasiRandomGeneratorDimensions(generator, dimensions), "dimensions");
        std::vector<std::vector<T>> coordinates(dimensions);
        for (int piece : pieces) {
          std::vector<T> got(piece * dimensions);
          T *device;
          ok(cudaMalloc(&device, got.size() * sizeof(T)), "cudaMalloc");
          ok(draw(generator, on_host ? got.data() : device, got.size()), "draw");
          if (!on_host) ok(cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
          ok(cudaFree(device), "cudaFree");
          for (int d = 0; d < dimensions; d++)
            coordinates[d].insert(coordinates[d].end(), got.begin() + d * piece, got.begin() + (d + 1) * piece);
        }
        ok(curandDestroyGenerator(generator), "destroy");
        return coordinates;
      };
      const auto whole = drawn_points({kCount});
      for (const std::vector<int> &pieces : {std::vector<int>{12, 12}, {4, 20}, {8, 8, 8}, {20, 4}})
        require(drawn_points(pieces) == whole, std::string(name) + ", " + std::to_string(dimensions) + " dimensions, in pieces");
    }
}

// One number after the other, or with skips.
template <typename State>
__global__ void in_kernel(unsigned *out, int skip) {
  State state;
  curand_init(42, threadIdx.x, 0, &state);
  for (int i = 0; i < 16; i++) {
    if (skip) curand_init(42, threadIdx.x, 0, &state), skipahead(i, &state);
    out[threadIdx.x * 16 + i] = curand(&state);
  }
}
template <typename State>
static void skips(const char *name) {
  std::vector<unsigned> out[2];
  for (int skip : {0, 1}) {
    unsigned *device;
    out[skip].resize(8 * 16);
    ok(cudaMalloc(&device, 8 * 16 * 4), "cudaMalloc");
    in_kernel<State><<<1, 8>>>(device, skip);
    ok(cudaMemcpy(out[skip].data(), device, 8 * 16 * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    ok(cudaFree(device), "cudaFree");
  }
  require(out[0] == out[1], std::string("skips of ") + name);
}

static void transforms() {
  const int n = 60, batches = 5;
  std::vector<float2> in(n * batches), whole(in.size()), parts(in.size()), again(in.size());
  for (size_t i = 0; i < in.size(); i++) in[i] = {float(i % 11), float(i % 7)};
  float2 *from, *to;
  ok(cudaMalloc(&from, in.size() * 8), "cudaMalloc");
  ok(cudaMalloc(&to, in.size() * 8), "cudaMalloc");
  ok(cudaMemcpy(from, in.data(), in.size() * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
  cufftHandle all, one;
  ok(cufftPlan1d(&all, n, CUFFT_C2C, batches), "plan");
  ok(cufftPlan1d(&one, n, CUFFT_C2C, 1), "plan");
  ok(cufftExecC2C(all, from, to, CUFFT_FORWARD), "exec");
  ok(cudaMemcpy(whole.data(), to, in.size() * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (int b = batches - 1; b >= 0; b--) ok(cufftExecC2C(one, from + b * n, to + b * n, CUFFT_FORWARD), "exec");
  ok(cudaMemcpy(parts.data(), to, in.size() * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
  ok(cufftExecC2C(all, from, to, CUFFT_INVERSE), "exec");
  ok(cufftExecC2C(all, from, to, CUFFT_FORWARD), "exec");
  ok(cudaMemcpy(again.data(), to, in.size() * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const auto same = [](const std::vector<float2> &a, const std::vector<float2> &b) {
    for (size_t i = 0; i < a.size(); i++)
      if (a[i].x != b[i].x || a[i].y != b[i].y) return false;
    return true;
  };
  require(same(whole, parts), "batches of a transform, one after the other");
  require(same(whole, again), "a plan used again");
  ok(cufftDestroy(all), "destroy");
  ok(cufftDestroy(one), "destroy");
  cudaFree(from), cudaFree(to);
}

// Columns of a product at once, and one by one; alpha and beta change from call to call.
static void products() {
  const int m = 7, n = 6, k = 9;
  std::vector<double> a(m * k), b(k * n), c(m * n, 1.0), whole(m * n), parts(m * n);
  for (size_t i = 0; i < a.size(); i++) a[i] = double(i % 5) - 2;
  for (size_t i = 0; i < b.size(); i++) b[i] = double(i % 4) - 1;
  double *da, *db, *dc;
  ok(cudaMalloc(&da, a.size() * 8), "cudaMalloc");
  ok(cudaMalloc(&db, b.size() * 8), "cudaMalloc");
  ok(cudaMalloc(&dc, c.size() * 8), "cudaMalloc");
  ok(cudaMemcpy(da, a.data(), a.size() * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
  ok(cudaMemcpy(db, b.data(), b.size() * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
  cublasHandle_t blas;
  ok(cublasCreate(&blas), "create");
  for (const auto &[alpha, beta] : {std::pair<double, double>{1, 0}, {2, 3}, {0, 1}, {-1, 0.5}}) {
    ok(cudaMemcpy(dc, c.data(), c.size() * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
    ok(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da, m, db, k, &beta, dc, m), "product");
    ok(cudaMemcpy(whole.data(), dc, c.size() * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    ok(cudaMemcpy(dc, c.data(), c.size() * 8, cudaMemcpyHostToDevice), "cudaMemcpy");
    for (int j = 0; j < n; j++) ok(cublasDgemv(blas, CUBLAS_OP_N, m, k, &alpha, da, m, db + j * k, 1, &beta, dc + j * m, 1), "product");
    ok(cudaMemcpy(parts.data(), dc, c.size() * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    require(whole == parts, "columns of a product");
  }
  ok(cublasDestroy(blas), "destroy");
  cudaFree(da), cudaFree(db), cudaFree(dc);
}

__global__ void append(int *list, int *count, int value) { list[(*count)++] = value; }

static void graphs() {
  int *list, *count, got[9], length;
  ok(cudaMalloc(&list, sizeof got), "cudaMalloc");
  ok(cudaMalloc(&count, sizeof(int)), "cudaMalloc");
  ok(cudaMemset(count, 0, sizeof(int)), "cudaMemset");
  cudaStream_t stream;
  ok(cudaStreamCreate(&stream), "stream");
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  for (int i = 0; i < 3; i++) append<<<1, 1, 0, stream>>>(list, count, i);
  ok(cudaStreamEndCapture(stream, &graph), "capture");
  ok(cudaGraphInstantiate(&instance, graph, 0), "instantiate");
  for (int i = 0; i < 3; i++) ok(cudaGraphLaunch(instance, stream), "launch");
  ok(cudaStreamSynchronize(stream), "wait");
  ok(cudaMemcpy(got, list, sizeof got, cudaMemcpyDeviceToHost), "cudaMemcpy");
  ok(cudaMemcpy(&length, count, sizeof length, cudaMemcpyDeviceToHost), "cudaMemcpy");
  require(length == 9, "three launches of a graph");
  for (int i = 0; i < 9; i++) require(got[i] == i % 3, "the order of a graph's launches");
  ok(cudaGraphExecDestroy(instance), "destroy");
  ok(cudaGraphDestroy(graph), "destroy");
  ok(cudaStreamDestroy(stream), "destroy");
  cudaFree(list), cudaFree(count);
}

int main() {
  numbers<unsigned>("curandGenerate", [](auto g, auto *p, size_t n) { return curandGenerate(g, p, n); }, true);
  numbers<float>("curandGenerateUniform", [](auto g, auto *p, size_t n) { return curandGenerateUniform(g, p, n); }, true);
  numbers<double>("curandGenerateUniformDouble", [](auto g, auto *p, size_t n) { return curandGenerateUniformDouble(g, p, n); }, true);
  numbers<float>("curandGenerateNormal", [](auto g, auto *p, size_t n) { return curandGenerateNormal(g, p, n, 1, 2); }, true);
  numbers<double>("curandGenerateNormalDouble", [](auto g, auto *p, size_t n) { return curandGenerateNormalDouble(g, p, n, 1, 2); }, true);
  numbers<float>("curandGenerateLogNormal", [](auto g, auto *p, size_t n) { return curandGenerateLogNormal(g, p, n, 0, 1); }, true);
  numbers<unsigned>("curandGeneratePoisson", [](auto g, auto *p, size_t n) { return curandGeneratePoisson(g, p, n, 50); }, false);
  for (curandRngType_t type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32}) {
    points<unsigned>("curandGenerate", type, [](auto g, auto *p, size_t n) { return curandGenerate(g, p, n); });
    points<float>("curandGenerateUniform", type, [](auto g, auto *p, size_t n) { return curandGenerateUniform(g, p, n); });
    points<double>("curandGenerateNormalDouble", type, [](auto g, auto *p, size_t n) { return curandGenerateNormalDouble(g, p, n, 1, 2); });
  }
  for (curandRngType_t type : {CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    points<unsigned long long>("curandGenerateLongLong", type, [](auto g, auto *p, size_t n) { return curandGenerateLongLong(g, p, n); });
    points<double>("curandGenerateUniformDouble", type, [](auto g, auto *p, size_t n) { return curandGenerateUniformDouble(g, p, n); });
  }
  skips<curandStateXORWOW_t>("XORWOW");
  skips<curandStatePhilox4_32_10_t>("Philox");
  skips<curandStateMRG32k3a_t>("MRG32k3a");
  transforms();
  products();
  graphs();
  printf(failures ? "wrong\n" : "right\n");
  return failures != 0;
}
