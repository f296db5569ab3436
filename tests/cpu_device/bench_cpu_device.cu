// How fast is the device, compared with a plain loop on one core? Made for the CPU device, whose
// targets it shows; it runs on a GPU as well.
//
//   cmake --build build/cpu --target benchmarks && build/cpu/tests/bench_cpu_device
//
// Counters of the Julia set, 1000 x 1000:
//   of_serial_per_core   time / (time of the plain loop / cores); 1 would be perfect
// Counters of the dot product, 33 * 1024 elements, 32 blocks of 256 threads, 9 barriers:
//   ns_per_barrier       time * cores / (threads * barriers): nanoseconds of one core for one
//   thread
//                        and one barrier

#define main julia_main
#include "../../ch04_parallel/julia_threads.cu"
#undef main

#include <benchmark/benchmark.h>

#include <thread>

namespace {

const View kView{1000, 1.5f, {-0.8f, 0.156f}};
constexpr size_t kBytes = size_t(4) * 1000 * 1000;

// Milliseconds of the plain loop on one core, measured once, before everything else.
double serial_ms = 0;

void julia_serial(benchmark::State& state) {
  std::vector<unsigned char> rgba(kBytes);
  for (auto _ : state) {
    draw_on_cpu(kView, rgba.data());
    benchmark::ClobberMemory();
  }
}

void julia_device(benchmark::State& state, int side) {
  const dim3 threads(side, side);
  const dim3 grid((kView.size + threads.x - 1) / threads.x,
                  (kView.size + threads.y - 1) / threads.y);
  std::vector<unsigned char> rgba(kBytes), expected(kBytes);
  draw_on_cpu(kView, expected.data());
  draw_on_device(kView, threads, rgba.data());
  if (!course::verify("the picture", rgba.data(), expected.data(), kBytes)) {
    state.SkipWithError("wrong result");
    return;
  }
  unsigned char* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, kBytes));
  double total_ms = 0;
  for (auto _ : state) {
    course::Stopwatch watch;
    draw<<<grid, threads>>>(kView, dev_rgba);
    HANDLE_ERROR(cudaDeviceSynchronize());
    const double ms = watch.elapsed_ms();
    state.SetIterationTime(ms * 1e-3);
    total_ms += ms;
  }
  HANDLE_ERROR(cudaFree(dev_rgba));
  state.counters["of_serial_per_core"] =
      total_ms / static_cast<double>(state.iterations()) / (serial_ms / course::multiprocessors());
}

constexpr int kElements = 33 * 1024, kThreads = 256, kBlocks = 32, kBarriers = 9;

// A dot product in the usual shape: each block adds its products up in shared memory.
__global__ void dot(const float* a, const float* b, float* sums, int n) {
  __shared__ float cache[kThreads];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
  cache[t] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) cache[t] += cache[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = cache[0];
}

void dot_barriers(benchmark::State& state) {
  std::vector<float> a(kElements), b(kElements), sums(kBlocks);
  double expected = 0;
  for (int i = 0; i < kElements; i++) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5);
    expected += static_cast<double>(a[i]) * b[i];  // small whole numbers: exact in float as well
  }
  float *dev_a, *dev_b, *dev_sums;
  HANDLE_ERROR(cudaMalloc(&dev_a, kElements * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_b, kElements * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_sums, kBlocks * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_a, a.data(), kElements * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b.data(), kElements * sizeof(float), cudaMemcpyHostToDevice));

  double total_ms = 0;
  for (auto _ : state) {
    course::Stopwatch watch;
    dot<<<kBlocks, kThreads>>>(dev_a, dev_b, dev_sums, kElements);
    HANDLE_ERROR(cudaDeviceSynchronize());
    const double ms = watch.elapsed_ms();
    state.SetIterationTime(ms * 1e-3);
    total_ms += ms;
  }
  state.counters["ns_per_barrier"] = total_ms * 1e6 / static_cast<double>(state.iterations()) *
                                     course::multiprocessors() /
                                     (1.0 * kBlocks * kThreads * kBarriers);

  HANDLE_ERROR(cudaMemcpy(sums.data(), dev_sums, kBlocks * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (float one : sums) sum += one;
  if (!course::verify("the sum", &sum, &expected, 1)) state.SkipWithError("wrong result");
  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_sums));
}

}  // namespace

BENCHMARK(julia_serial)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(julia_device, 1x1_threads, 1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(julia_device, 16x16_threads, 16)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(dot_barriers)->UseManualTime()->Unit(benchmark::kMillisecond);

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return course::kExitUsage;
  std::vector<unsigned char> rgba(kBytes);
  serial_ms = course::measure_host_ms([&] { draw_on_cpu(kView, rgba.data()); }, 7);
  printf("%s; the plain loop takes %.1f ms on one core\n", course::device_name().c_str(),
         serial_ms);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
