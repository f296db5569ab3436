// The same simulation in double precision, on one device: tiles in shared memory, one thread per
// body. How much slower it is depends on the GPU. An H200 has half as many units for double as for
// float, most others one for 64, and none has a fast reciprocal square root for double.
#pragma once

#include <vector>

#include "../common/handle_error.h"
#include "bodies.h"
#include "body.h"
#include "simulation.h"

namespace nbody {

struct alignas(16) DoubleBody {  // as float4: the mass is w
  double x, y, z, w;
};

// As shared_kernel in gravity_shared.h.
static __global__ void double_kernel(const DoubleBody* bodies, int n, double softening_squared,
                                     double3* accelerations) {
  extern __shared__ DoubleBody double_tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int tile_size = blockDim.x;
  const DoubleBody massless = {0, 0, 0, 0};
  const DoubleBody me = i < n ? bodies[i] : massless;
  double3 sum = make_double3(0, 0, 0);
  for (int start = 0; start < n; start += tile_size) {
    const int mine = start + threadIdx.x;
    double_tile[threadIdx.x] = mine < n ? bodies[mine] : massless;
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < tile_size; j++) {
      const DoubleBody other = double_tile[j];
      attract(sum, other.x - me.x, other.y - me.y, other.z - me.z, other.w, softening_squared);
    }
    __syncthreads();
  }
  if (i < n) accelerations[i] = sum;
}

// As kick_and_drift in simulation.h.
static __global__ void double_kick_and_drift(DoubleBody* bodies, double3* velocities,
                                             const double3* accelerations, int n, double kick_time,
                                             double drift_time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double3 velocity = velocities[i];
  velocity.x += kick_time * accelerations[i].x;
  velocity.y += kick_time * accelerations[i].y;
  velocity.z += kick_time * accelerations[i].z;
  velocities[i] = velocity;
  bodies[i].x += drift_time * velocity.x;
  bodies[i].y += drift_time * velocity.y;
  bodies[i].z += drift_time * velocity.z;
}

class DoubleSimulation {
 public:
  struct State {
    std::vector<DoubleBody> positions;
    std::vector<double3> velocities;
  };

  DoubleSimulation(const Bodies& bodies, const Settings& settings)
      : settings_(settings), n_(bodies.count()) {
    State state;
    for (const float4 p : bodies.positions) state.positions.push_back({p.x, p.y, p.z, p.w});
    for (const float3 v : bodies.velocities)
      state.velocities.push_back(make_double3(v.x, v.y, v.z));
    const size_t room = n_ + 1;
    HANDLE_ERROR(cudaMalloc(&bodies_, room * sizeof(DoubleBody)));
    HANDLE_ERROR(cudaMalloc(&velocities_, room * sizeof(double3)));
    HANDLE_ERROR(cudaMalloc(&accelerations_, room * sizeof(double3)));
    HANDLE_ERROR(cudaMemcpy(bodies_, state.positions.data(), n_ * sizeof(DoubleBody),
                            cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(velocities_, state.velocities.data(), n_ * sizeof(double3),
                            cudaMemcpyHostToDevice));
    compute_accelerations();
  }
  ~DoubleSimulation() {
    cudaFree(bodies_);
    cudaFree(velocities_);
    cudaFree(accelerations_);
  }
  DoubleSimulation(const DoubleSimulation&) = delete;
  DoubleSimulation& operator=(const DoubleSimulation&) = delete;

  // Queues `steps` steps of dt in the default stream.
  void step(int steps) {
    const bool leapfrog = settings_.integrator == Integrator::kLeapfrog;
    const double dt = settings_.dt;
    for (int i = 0; i < steps && n_ > 0; i++) {
      move(leapfrog ? dt / 2 : dt, dt);
      compute_accelerations();
      if (leapfrog) move(dt / 2, 0);
    }
  }

  void wait() { HANDLE_ERROR(cudaStreamSynchronize(nullptr)); }
  cudaStream_t stream() const { return nullptr; }
  int count() const { return n_; }

  // Waits, and copies to the host.
  State state() {
    State result;
    result.positions.resize(n_);
    result.velocities.resize(n_);
    HANDLE_ERROR(cudaMemcpy(result.positions.data(), bodies_, n_ * sizeof(DoubleBody),
                            cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemcpy(result.velocities.data(), velocities_, n_ * sizeof(double3),
                            cudaMemcpyDeviceToHost));
    return result;
  }
  std::vector<double3> accelerations() {
    std::vector<double3> result(n_);
    HANDLE_ERROR(
        cudaMemcpy(result.data(), accelerations_, n_ * sizeof(double3), cudaMemcpyDeviceToHost));
    return result;
  }

  static double device_bytes(int n) { return (sizeof(DoubleBody) + 2.0 * sizeof(double3)) * n; }

 private:
  void compute_accelerations() {
    if (n_ == 0) return;
    double_kernel<<<blocks_for(n_, settings_.threads), settings_.threads,
                    settings_.threads * sizeof(DoubleBody)>>>(
        bodies_, n_, softening_squared(settings_.softening), accelerations_);
    HANDLE_ERROR(cudaGetLastError());
  }
  void move(double kick_time, double drift_time) {
    double_kick_and_drift<<<blocks_for(n_, settings_.threads), settings_.threads>>>(
        bodies_, velocities_, accelerations_, n_, kick_time, drift_time);
    HANDLE_ERROR(cudaGetLastError());
  }

  Settings settings_;
  int n_;
  DoubleBody* bodies_ = nullptr;
  double3 *velocities_ = nullptr, *accelerations_ = nullptr;
};

}  // namespace nbody
