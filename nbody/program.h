// What the programs have in common: options, checks and times.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "bodies.h"
#include "body.h"
#include "double_precision_reference.h"
#include "simulation.h"

namespace nbody {

// Options that every program with a Simulation has.
struct Request {
  Start start;
  Settings settings;

  // `more`: initial systems that only this program has.
  void add_options(course::Options& options, const std::vector<std::string>& more = {}) {
    settings.softening = start.softening;
    start.add_options(options, more);
    options.real("dt", &settings.dt, 0, 1000, "time of a step")
        .number("threads", &settings.threads, 1, 1024, "threads per block")
        .number("devices", &settings.devices, 1, 64, "devices that share the bodies");
  }

  // After the options have been parsed: makes the bodies, and ends the program with one line if
  // this machine cannot hold them in a simulation with any of the versions, besides `other_bytes`
  // of device memory and as much of the host's.
  Bodies make_bodies(const std::vector<Version>& versions, double other_bytes = 0) {
    settings.softening = start.softening;
    course::require_devices(settings.devices);
    if (start.file.empty()) require_memory_for(start.size, versions, other_bytes);
    const Bodies bodies = start.make();
    if (!start.file.empty()) require_memory_for(bodies.count(), versions, other_bytes);
    return bodies;
  }

 private:
  void require_memory_for(int n, const std::vector<Version>& versions, double other_bytes) const {
    double bytes = 0;
    for (const Version& version : versions)
      bytes =
          std::max(bytes, Simulation::device_bytes(n, version, settings.devices, settings.threads));
    course::require_memory(bytes + other_bytes, 100.0 * n + other_bytes);
  }
};

// Milliseconds per step, over `steps` steps after one to warm up. Events measure one device, and
// the host's clock measures several.
template <typename AnySimulation>
double measure_step_ms(AnySimulation& simulation, int steps, int devices) {
  if (steps == 0 || simulation.count() == 0) return 0;
  simulation.step(1);
  simulation.wait();
  if (devices > 1) {
    course::Stopwatch watch;
    simulation.step(steps);
    simulation.wait();
    return watch.elapsed_ms() / steps;
  }
  course::EventTimer timer(simulation.stream());
  timer.start();
  simulation.step(steps);
  return timer.stop() / steps;
}

inline double interactions_per_second(int n, double ms) {
  return ms > 0 ? static_cast<double>(n) * n / (ms * 1e-3) : 0;
}

// Multiplies and adds as fast as the device can: kChains independent sums per thread, so that no
// instruction waits for the previous one.
constexpr int kChains = 32;
static __global__ void multiply_add_kernel(float* out, float factor, int rounds) {
  float sum[kChains];
  for (int k = 0; k < kChains; k++) sum[k] = static_cast<float>(threadIdx.x + k);
  for (int round = 0; round < rounds; round++)
    for (int k = 0; k < kChains; k++) sum[k] = sum[k] * factor + 1.0f;
  float total = 0;
  for (int k = 0; k < kChains; k++) total += sum[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// Operations per second, if `blocks` blocks of `threads` threads of that kernel do `rounds` rounds
// in so many milliseconds; a multiply-add is two.
inline double multiply_add_operations(double rounds, int threads, int blocks, double ms) {
  return 2.0 * kChains * rounds * threads * blocks / (ms * 1e-3);
}

// What the threads with threadIdx.x = `thread` of that kernel write. Each round brings a sum nearer to 1 / (1 - factor), by the
// factor. `factor` is less than 1.
inline double multiply_add_total(int thread, float factor, int rounds) {
  const double limit = 1 / (1 - static_cast<double>(factor));
  const double distance = thread + (kChains - 1) / 2.0 - limit;  // of the mean of the sums, at first
  return kChains * (limit + distance * std::pow(factor, rounds));
}

// Operations per second of multiply-adds alone on the current device: on a GPU, the most it can do.
// Ends the program if the last thread's result is wrong.
inline double measure_peak_operations() {
  const int threads = 256, blocks = 8 * course::multiprocessors();
  const float factor = 0.999f;
  float* out = nullptr;
  HANDLE_ERROR(cudaMalloc(&out, sizeof(float) * threads * blocks));
  int rounds = 256;
  double ms = 0;
  for (;; rounds *= 4) {  // until it takes long enough to be measured
    ms = course::measure_device_ms(
        [=] { multiply_add_kernel<<<blocks, threads>>>(out, factor, rounds); });
    if (ms > 5 || rounds > 1 << 20) break;
  }
  float total = 0;
  HANDLE_ERROR(cudaMemcpy(&total, out + threads * blocks - 1, sizeof total, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(out));
  const double expected = multiply_add_total(threads - 1, factor, rounds);
  if (!(std::abs(total - expected) <= 1e-3 * expected)) {
    fprintf(stderr, "multiply-adds alone: the last thread computed %g, not %g\n", total, expected);
    exit(course::kExitWrong);
  }
  return multiply_add_operations(rounds, threads, blocks, ms);
}

// "1.23 ms per step, 13.6 G interactions/s, 273 GFLOP/s" and the share of multiply-adds
// alone.
inline void print_speed(int n, double ms, int devices) {
  if (ms == 0) return;
  const double interactions = interactions_per_second(n, ms);
  const double operations = kOperationsPerInteraction * interactions;
  const double peak = measure_peak_operations() * devices;
  printf(
      "%.4g ms per step, %.4g G interactions/s, %.4g GFLOP/s: %.3g %% of the %.4g GFLOP/s of "
      "multiply-adds alone%s\n",
      ms, interactions * 1e-9, operations * 1e-9, 100 * operations / peak, peak * 1e-9,
      devices == 1 ? "" : " on these devices");
}

inline void print_accuracy(const Accuracy& accuracy, int n) {
  printf("accelerations right: relative error %.2g against double precision",
         accuracy.relative_error);
  if (accuracy.compared < n)
    printf(" (%d of %d bodies compared)\n", accuracy.compared, n);
  else
    printf("\n");
}

// The accelerations of the bodies, for tests, and for your own programs that call a
// version.
inline std::vector<float3> accelerations(const Version& version, const Bodies& bodies,
                                         float softening, int threads = 256) {
  Settings settings;
  settings.softening = softening;
  settings.threads = threads;
  return Simulation(bodies, version, settings).accelerations();
}

// main() of the programs that show one version: the accelerations are verified at the beginning and
// at the end, and the steps between are timed. choose() is called once the options are parsed.
// Returns the exit code.
inline int run_version(course::Options options, int argc, char** argv,
                       const std::function<Version()>& choose) {
  Request request;
  request.start.initial = "cube";
  int steps = 20;
  request.add_options(options);
  options.number("steps", &steps, 0, 1000000000, "steps to time");
  options.parse(argc, argv);

  const Version version = choose();
  const Bodies bodies = request.make_bodies({version});
  const Settings& settings = request.settings;
  const int threads = version.own_threads > 0 ? version.own_threads : settings.threads;
  printf("%s, %s\n%s, %s per block\n", bodies_in_words(bodies.count()).c_str(),
         course::device_name().c_str(), version.memory,
         course::count_of(threads, "thread").c_str());
  Simulation simulation(bodies, version, settings);
  Accuracy accuracy;
  if (!verify_accelerations(version.name, bodies.positions, simulation.accelerations(),
                            settings.softening, &accuracy))
    return course::kExitWrong;
  print_accuracy(accuracy, bodies.count());

  const double ms = measure_step_ms(simulation, steps, settings.devices);
  if (!verify_accelerations(
          std::string(version.name) + " after " + std::to_string(steps + 1) + " steps",
          simulation.bodies().positions, simulation.accelerations(), settings.softening))
    return course::kExitWrong;
  print_speed(bodies.count(), ms, settings.devices);
  return 0;
}

}  // namespace nbody
