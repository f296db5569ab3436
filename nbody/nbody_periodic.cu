// Moves bodies in a flat box whose sides are joined: only the nearest image of each body pulls.
//
// After an article on a 2-D N-body in a periodic box. What to look at: nearest() and wrap() in
// periodic.h, which need no `if`, and the tile, which is larger than the block, so that each thread
// loads several bodies. The energies at the start and at the end show whether the steps are small
// enough. (Gravity in an endless lattice is the sum over all images, which needs Ewald's method.)
//
//   ./course run nbody_periodic --size 4096 --steps 1000
//   ./course run nbody_periodic --as-the-source          # close pairs eject each other

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/random.h"
#include "../common/program/timing.h"
#include "bodies.h"
#include "body.h"
#include "periodic.h"

namespace nbody {

// The box is 1 x 1; positions are from 0 up to, but not including, 1.
struct Box {
  std::vector<float2> positions, velocities;
  std::vector<float> masses;
  int count() const { return static_cast<int>(positions.size()); }
};

// The formula of the chapter with dz = 0: (mass / distance^2), softened, in two dimensions.
__host__ __device__ inline void attract_nearest(float3& sum, float2 me, float2 other, float mass,
                                                float softening_squared) {
  attract(sum, nearest(other.x - me.x), nearest(other.y - me.y), 0.0f, mass, softening_squared);
}

// One step on the CPU: accelerations of all, then symplectic Euler.
inline void step_cpu(Box& box, float softening_squared, float dt) {
  const int n = box.count();
  for (int i = 0; i < n; i++) {
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++)
      attract_nearest(sum, box.positions[i], box.positions[j], box.masses[j], softening_squared);
    box.velocities[i].x += dt * sum.x;
    box.velocities[i].y += dt * sum.y;
  }
  for (int i = 0; i < n; i++) {
    box.positions[i].x = wrap(box.positions[i].x + dt * box.velocities[i].x);
    box.positions[i].y = wrap(box.positions[i].y + dt * box.velocities[i].y);
  }
}

// The accelerations, one thread per body, from global memory.
static __global__ void periodic_kernel_global(const float2* positions, const float* masses, int n,
                                              float softening_squared, float2* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 sum = make_float3(0, 0, 0);
#pragma unroll 8
  for (int j = 0; j < n; j++)
    attract_nearest(sum, positions[i], positions[j], masses[j], softening_squared);
  accelerations[i] = make_float2(sum.x, sum.y);
}

// The same from shared memory. The tile holds kTile bodies for any block size.
// Thread t loads bodies t, t + blockDim.x and so on: neighboring threads load neighboring bodies.
constexpr int kTile = 1024;
static __global__ void periodic_kernel(const float2* positions, const float* masses, int n,
                                       float softening_squared, float2* accelerations) {
  __shared__ float2 tile_positions[kTile];
  __shared__ float tile_masses[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 me = i < n ? positions[i] : make_float2(0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += kTile) {
    const int filled = min(kTile, n - start);
    for (int t = threadIdx.x; t < filled; t += blockDim.x) {
      tile_positions[t] = positions[start + t];
      tile_masses[t] = masses[start + t];
    }
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < filled; j++)
      attract_nearest(sum, me, tile_positions[j], tile_masses[j], softening_squared);
    __syncthreads();
  }
  if (i < n) accelerations[i] = make_float2(sum.x, sum.y);
}

// Symplectic Euler. Body 0 stores its position in track[step]. So the host can follow it without a
// copy of all bodies after each step, as in the source.
static __global__ void update_kernel(float2* positions, float2* velocities,
                                     const float2* accelerations, int n, float dt, float2* track,
                                     int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  velocities[i].x += dt * accelerations[i].x;
  velocities[i].y += dt * accelerations[i].y;
  positions[i].x = wrap(positions[i].x + dt * velocities[i].x);
  positions[i].y = wrap(positions[i].y + dt * velocities[i].y);
  if (i == 0) track[step] = positions[0];
}

enum class Memory { kGlobal, kShared };

// Takes `steps` steps on the device. Returns the time of all of them, measured with events; `track`
// receives where body 0 was after each, `accelerations` those at the end.
inline double run_periodic(Box& box, float softening_squared, float dt, int steps, int threads,
                           std::vector<float2>& track, std::vector<float2>& accelerations,
                           Memory memory = Memory::kShared) {
  const int n = box.count();
  track.resize(steps);
  accelerations.resize(n);
  if (n == 0) return 0;
  float2 *positions, *velocities, *dev_accelerations, *dev_track;
  float* masses;
  HANDLE_ERROR(cudaMalloc(&positions, n * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&velocities, n * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&masses, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_track, (steps + 1) * sizeof(float2)));
  HANDLE_ERROR(
      cudaMemcpy(positions, box.positions.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(velocities, box.velocities.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(masses, box.masses.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const int blocks = blocks_for(n, threads);
  const auto accelerate = [=] {
    if (memory == Memory::kGlobal)
      periodic_kernel_global<<<blocks, threads>>>(positions, masses, n, softening_squared,
                                                  dev_accelerations);
    else
      periodic_kernel<<<blocks, threads>>>(positions, masses, n, softening_squared,
                                           dev_accelerations);
    HANDLE_ERROR(cudaGetLastError());
  };
  course::EventTimer timer;
  timer.start();
  for (int step = 0; step < steps; step++) {
    accelerate();
    update_kernel<<<blocks, threads>>>(positions, velocities, dev_accelerations, n, dt, dev_track,
                                       step);
    HANDLE_ERROR(cudaGetLastError());
  }
  const double ms = timer.stop();
  accelerate();

  HANDLE_ERROR(
      cudaMemcpy(box.positions.data(), positions, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(
      cudaMemcpy(box.velocities.data(), velocities, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(accelerations.data(), dev_accelerations, n * sizeof(float2),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(track.data(), dev_track, steps * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(positions));
  HANDLE_ERROR(cudaFree(velocities));
  HANDLE_ERROR(cudaFree(dev_accelerations));
  HANDLE_ERROR(cudaFree(masses));
  HANDLE_ERROR(cudaFree(dev_track));
  return ms;
}

// The relative error of the accelerations (L2 norm) against double precision, over bodies evenly
// spread so that at most 2^25 interactions are computed. The nearest image is chosen as
// in the kernels: half a box away, rounding decides, and the two choices have opposite forces.
inline double periodic_error(const Box& box, const std::vector<float2>& accelerations,
                             float softening_squared) {
  const int n = box.count();
  const long long compared = n == 0 ? 0 : std::clamp((1LL << 25) / n, 1LL, 1LL * n);
  double difference = 0, norm = 0;
  for (long long k = 0; k < compared; k++) {
    const int i = static_cast<int>(k * n / compared);
    double3 sum = make_double3(0, 0, 0);
    for (int j = 0; j < n; j++) {
      double dx = static_cast<double>(box.positions[j].x) - box.positions[i].x;
      double dy = static_cast<double>(box.positions[j].y) - box.positions[i].y;
      dx -= rintf(box.positions[j].x - box.positions[i].x);
      dy -= rintf(box.positions[j].y - box.positions[i].y);
      attract(sum, dx, dy, 0.0, static_cast<double>(box.masses[j]),
              static_cast<double>(softening_squared));
    }
    const double ex = accelerations[i].x - sum.x, ey = accelerations[i].y - sum.y;
    difference += ex * ex + ey * ey;
    norm += sum.x * sum.x + sum.y * sum.y;
  }
  return difference == 0 ? 0 : sqrt(difference / norm);
}

// The energy: half of m * v^2 of each body, and -m1 * m2 / distance of each pair, softened like the
// force. It stays the same if the steps are small enough. The host computes it in double.
inline double energy(const Box& box, float softening_squared) {
  double kinetic = 0, potential = 0;
  for (int i = 0; i < box.count(); i++) {
    const double vx = box.velocities[i].x, vy = box.velocities[i].y;
    kinetic += 0.5 * box.masses[i] * (vx * vx + vy * vy);
    double sum = 0;
    for (int j = 0; j < i; j++) {
      double dx = static_cast<double>(box.positions[j].x) - box.positions[i].x;
      double dy = static_cast<double>(box.positions[j].y) - box.positions[i].y;
      dx -= rint(dx);
      dy -= rint(dy);
      sum += box.masses[j] / sqrt(dx * dx + dy * dy + static_cast<double>(softening_squared));
    }
    potential -= box.masses[i] * sum;
  }
  return kinetic + potential;
}

// Random positions, at rest; together the bodies have mass `total`.
inline Box random_box(int count, int seed, double total) {
  course::Random random(seed);
  Box box;
  for (int i = 0; i < count; i++) {
    const float x = random.uniform(), y = random.uniform();
    box.positions.push_back(make_float2(x, y));
  }
  box.velocities.assign(count, make_float2(0, 0));
  box.masses.assign(count, count > 0 ? static_cast<float>(total / count) : 0.0f);
  return box;
}

// The largest distance that a body of one box has from the same body of the other, in box lengths.
inline double largest_distance(const Box& a, const Box& b) {
  double largest = 0;
  for (int i = 0; i < a.count(); i++) {
    const double dx = nearest(a.positions[i].x - b.positions[i].x);
    const double dy = nearest(a.positions[i].y - b.positions[i].y);
    const double distance = sqrt(dx * dx + dy * dy);
    if (!(distance <= largest)) largest = distance;  // NaN counts
  }
  return largest;
}

}  // namespace nbody

constexpr int kGlobalSteps = 20;         // that the version in global memory takes, too
constexpr int kMostForEnergy = 1 << 14;  // bodies: the energy of more takes the host too long

// One step on the device from the start: the bodies must be where the CPU has them, except
// for rounding.
bool verify_step(nbody::Memory memory, const nbody::Box& start, const nbody::Box& after_one,
                 float softening_squared, float dt, int threads) {
  nbody::Box box = start;
  std::vector<float2> track, accelerations;
  nbody::run_periodic(box, softening_squared, dt, 1, threads, track, accelerations, memory);
  const double apart = nbody::largest_distance(box, after_one);
  double fastest = 0;
  for (const float2 v : after_one.velocities) fastest = std::max<double>(fastest, hypotf(v.x, v.y));
  const double error = nbody::periodic_error(box, accelerations, softening_squared);
  const char* const name = memory == nbody::Memory::kGlobal ? "global" : "shared";
  if (!(apart <= 1e-6 + 1e-5 * fastest * dt)) {
    fprintf(stderr,
            "%s memory: after one step a body is %.2g box lengths from where the CPU has it\n",
            name, apart);
    return false;
  }
  if (!(error < 1e-5)) {
    fprintf(stderr, "%s memory: the accelerations have a relative error of %.2g, above 1e-05\n",
            name, error);
    return false;
  }
  printf("%s memory: accelerations right to %.2g, bodies within %.2g box lengths of the CPU's\n",
         name, error, apart);
  return true;
}

void print_time(const char* name, double ms_per_step, int steps, bool from_fewer, double cpu_ms) {
  printf("%-22s %10.4g ms per step, %10.4g s for %s%s", name, ms_per_step,
         ms_per_step * steps * 1e-3, course::count_of(steps, "step").c_str(),
         from_fewer ? " (from fewer)" : "");
  if (cpu_ms > 0 && ms_per_step > 0) printf(", %.3g times as fast", cpu_ms / ms_per_step);
  printf("\n");
}

int main(int argc, char** argv) {
  int n = 4096, steps = 100, cpu_steps = 3, threads = 64, seed = 1;
  float softening = 0.01f, dt = 0.001f;
  bool as_the_source = false;
  course::Options options("Gravity in a flat periodic box, on the CPU and on the device.");
  options.number("size", &n, 0, 100000000, "bodies, together of mass 1")
      .number("steps", &steps, 1, 10000000, "steps")
      .number("cpu-steps", &cpu_steps, 1, 10000000, "steps for the CPU, at most --steps")
      .number("threads", &threads, 1, 1024, "threads per block")
      .number("seed", &seed, 0, 2147483647, "seed of the random positions")
      .real("softening", &softening, 0, 1, "softening length, in lengths of the box")
      .real("dt", &dt, 0, 1, "time of a step")
      .flag("as-the-source", &as_the_source, "each body of mass 1, no softening, dt 0.0001");
  options.parse(argc, argv);
  course::require_memory(28.0 * n + 8.0 * steps, 80.0 * n + 8.0 * steps);
  cpu_steps = std::min(cpu_steps, steps);
  if (as_the_source) {
    softening = 0;
    dt = 0.0001f;
  }

  const float softening_squared = nbody::softening_squared(softening);
  const nbody::Box start = nbody::random_box(n, seed, as_the_source ? n : 1);
  nbody::Box on_cpu = start, on_global = start, box = start;
  printf("%s in a periodic box, %s, %s\n", nbody::bodies_in_words(n).c_str(),
         course::count_of(steps, "step").c_str(), course::device_name().c_str());

  nbody::step_cpu(on_cpu, softening_squared, dt);
  for (const nbody::Memory memory : {nbody::Memory::kGlobal, nbody::Memory::kShared})
    if (!verify_step(memory, start, on_cpu, softening_squared, dt, threads))
      return course::kExitWrong;
  course::Stopwatch cpu_watch;
  for (int step = 0; step < cpu_steps; step++) nbody::step_cpu(on_cpu, softening_squared, dt);
  const double cpu_ms = cpu_watch.elapsed_ms() / cpu_steps;

  std::vector<float2> track, accelerations;
  const int global_steps = std::min(kGlobalSteps, steps);
  const double global_ms =
      nbody::run_periodic(on_global, softening_squared, dt, global_steps, threads, track,
                          accelerations, nbody::Memory::kGlobal) /
      global_steps;
  const double shared_ms = nbody::run_periodic(box, softening_squared, dt, steps, threads, track,
                                               accelerations, nbody::Memory::kShared) /
                           steps;

  printf("   time        body 0 at\n");
  for (int report = 1; report <= 5 && n > 0; report++) {
    const int step = static_cast<int>(1LL * steps * report / 5);
    if (step == 0) continue;
    printf("%8.4f   %.9f %.9f\n", static_cast<double>(dt) * step, track[step - 1].x,
           track[step - 1].y);
  }
  if (n > 0 && n <= kMostForEnergy) {
    const double before = nbody::energy(start, softening_squared);
    const double after = nbody::energy(box, softening_squared);
    printf("energy %.6g at the start, %.6g at the end: changed by %.2g of itself\n", before, after,
           before != 0 ? fabs(after - before) / fabs(before) : 0);
  }
  print_time("CPU, one core", cpu_ms, steps, cpu_steps < steps, 0);
  print_time("device, global memory", global_ms, steps, global_steps < steps, cpu_ms);
  print_time("device, shared memory", shared_ms, steps, false, cpu_ms);
  printf("the source, 4096 bodies and 1000 steps: CPU 235 s, GPU 3.43 s\n");
  return 0;
}
