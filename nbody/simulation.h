// A simulation on one or several devices: the bodies stay there, and steps are queued.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "bodies.h"
#include "body.h"

namespace nbody {

// Both integrators first change the velocities with the accelerations at the current positions,
// then the positions with the new velocities. So the energy does not drift away (they are
// symplectic). Leapfrog splits the kick in two halves: its error falls with dt^2 instead of dt.
enum class Integrator {
  kEuler,    // kick by dt, drift by dt
  kLeapfrog  // kick by dt/2, drift by dt, kick by dt/2 with the acceleration at the new positions
};

inline Integrator integrator_of(const std::string& name) {
  return name == "euler" ? Integrator::kEuler : Integrator::kLeapfrog;
}

// The kick, then the drift, of `count` bodies.
static __global__ void kick_and_drift(float4* bodies, float3* velocities,
                                      const float3* accelerations, int count, float kick_time,
                                      float drift_time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float3 velocity = velocities[i];
  velocity.x += kick_time * accelerations[i].x;
  velocity.y += kick_time * accelerations[i].y;
  velocity.z += kick_time * accelerations[i].z;
  velocities[i] = velocity;
  bodies[i].x += drift_time * velocity.x;
  bodies[i].y += drift_time * velocity.y;
  bodies[i].z += drift_time * velocity.z;
}

struct Settings {
  float dt = 0.001f;
  float softening = 0.05f;
  int threads = 256;  // per block, for every kernel
  Integrator integrator = Integrator::kLeapfrog;
  int devices = 1;
};

class Simulation {
 public:
  // Copies the bodies to the devices and computes their accelerations. Each device holds all
  // positions, and the velocities and accelerations of its share of the bodies.
  Simulation(const Bodies& bodies, const Version& version, const Settings& settings)
      : version_(version), settings_(settings), n_(bodies.count()), shares_(settings.devices) {
    for (int d = 0; d < settings_.devices; d++) {
      Share& share = shares_[d];
      share.first = static_cast<int>(1LL * n_ * d / settings_.devices);
      share.count = static_cast<int>(1LL * n_ * (d + 1) / settings_.devices) - share.first;
      HANDLE_ERROR(cudaSetDevice(d));
      // The default stream, which draws, does not wait for the steps.
      HANDLE_ERROR(cudaStreamCreateWithFlags(&share.stream, cudaStreamNonBlocking));
      HANDLE_ERROR(cudaEventCreateWithFlags(&share.drifted, cudaEventDisableTiming));
      HANDLE_ERROR(cudaEventCreateWithFlags(&share.gathered, cudaEventDisableTiming));
      HANDLE_ERROR(cudaMalloc(&share.bodies, at_least_1(n_ * sizeof(float4))));
      HANDLE_ERROR(cudaMalloc(&share.velocities, at_least_1(share.count * sizeof(float3))));
      HANDLE_ERROR(cudaMalloc(&share.accelerations, at_least_1(share.count * sizeof(float3))));
      HANDLE_ERROR(cudaMalloc(
          &share.scratch, at_least_1(version_.scratch_bytes(n_, share.count, settings_.threads))));
      HANDLE_ERROR(cudaMemcpy(share.bodies, bodies.positions.data(), n_ * sizeof(float4),
                              cudaMemcpyHostToDevice));
      HANDLE_ERROR(cudaMemcpy(share.velocities, bodies.velocities.data() + share.first,
                              share.count * sizeof(float3), cudaMemcpyHostToDevice));
      HANDLE_ERROR(cudaStreamSynchronize(nullptr));  // before another stream uses what was copied
      enable_peers(d);
    }
    compute_accelerations();
  }

  ~Simulation() {
    for (int d = 0; d < settings_.devices; d++) {
      Share& share = shares_[d];
      cudaSetDevice(d);
      cudaStreamSynchronize(share.stream);
      cudaFree(share.bodies);
      cudaFree(share.velocities);
      cudaFree(share.accelerations);
      cudaFree(share.scratch);
      cudaEventDestroy(share.drifted);
      cudaEventDestroy(share.gathered);
      cudaStreamDestroy(share.stream);
    }
    cudaSetDevice(0);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Queues `steps` steps of dt.
  void step(int steps) {
    const bool leapfrog = settings_.integrator == Integrator::kLeapfrog;
    const float half = settings_.dt / 2;
    for (int i = 0; i < steps; i++) {
      move(leapfrog ? half : settings_.dt, settings_.dt);
      if (shares_.size() > 1) exchange_positions();
      compute_accelerations();
      if (leapfrog) move(half, 0);
    }
  }

  // Sets the time step from now on.
  void set_time_step(float dt) { settings_.dt = dt; }

  // Queues a copy of all positions and velocities to memory of device `to_device`, after the steps
  // queued so far and the event `may_copy`. Then records `copied`.
  void copy_state(int to_device, float4* bodies, float3* velocities, cudaEvent_t may_copy,
                  cudaEvent_t copied) {
    for (int d = static_cast<int>(shares_.size()) - 1; d >= 0; d--) {  // the first one collects
      const Share& share = shares_[d];
      HANDLE_ERROR(cudaSetDevice(d));
      HANDLE_ERROR(cudaStreamWaitEvent(share.stream, may_copy, 0));
      if (share.count > 0)
        HANDLE_ERROR(cudaMemcpyPeerAsync(velocities + share.first, to_device, share.velocities, d,
                                         share.count * sizeof(float3), share.stream));
      HANDLE_ERROR(cudaEventRecord(share.drifted, share.stream));
      HANDLE_ERROR(cudaStreamWaitEvent(shares_[0].stream, share.drifted, 0));
    }
    if (n_ > 0)
      HANDLE_ERROR(cudaMemcpyPeerAsync(bodies, to_device, shares_[0].bodies, 0, n_ * sizeof(float4),
                                       shares_[0].stream));
    HANDLE_ERROR(cudaEventRecord(copied, shares_[0].stream));
  }

  // Waits until everything that was queued is done.
  void wait() {
    for (int d = 0; d < settings_.devices; d++)
      HANDLE_ERROR(cudaStreamSynchronize(shares_[d].stream));
  }

  // Waits, and copies the state to the host.
  Bodies bodies() {
    wait();
    Bodies result;
    result.positions.resize(n_);
    result.velocities.resize(n_);
    // Every device has all positions.
    HANDLE_ERROR(cudaMemcpy(result.positions.data(), shares_[0].bodies, n_ * sizeof(float4),
                            cudaMemcpyDeviceToHost));
    for (const Share& share : shares_)
      HANDLE_ERROR(cudaMemcpy(result.velocities.data() + share.first, share.velocities,
                              share.count * sizeof(float3), cudaMemcpyDeviceToHost));
    return result;
  }

  // Waits, and copies the accelerations at the present positions to the host.
  std::vector<float3> accelerations() {
    wait();
    std::vector<float3> result(n_);
    for (const Share& share : shares_)
      HANDLE_ERROR(cudaMemcpy(result.data() + share.first, share.accelerations,
                              share.count * sizeof(float3), cudaMemcpyDeviceToHost));
    return result;
  }

  // The first device's stream, to time the steps.
  cudaStream_t stream() const { return shares_[0].stream; }
  int count() const { return n_; }

  // Device memory for n bodies on each of `devices` devices, in bytes.
  static double device_bytes(int n, const Version& version, int devices, int threads) {
    const int share = n / devices + 1;
    return 16.0 * n + 24.0 * share + static_cast<double>(version.scratch_bytes(n, share, threads));
  }

 private:
  struct Share {
    int first, count;  // its bodies
    cudaStream_t stream;
    cudaEvent_t drifted;   // its bodies have moved
    cudaEvent_t gathered;  // it has the others' new positions
    float4* bodies;        // all of them
    float3* velocities;    // its own
    float3* accelerations;
    void* scratch;
  };

  static size_t at_least_1(size_t bytes) { return bytes > 0 ? bytes : 1; }

  // Lets device d read the others' memory directly if the machine supports that. Otherwise
  // cudaMemcpyPeer copies through the host.
  void enable_peers(int d) {
    for (int other = 0; other < settings_.devices; other++) {
      int possible = 0;
      if (other != d) HANDLE_ERROR(cudaDeviceCanAccessPeer(&possible, d, other));
      if (!possible) continue;
      const cudaError_t error = cudaDeviceEnablePeerAccess(other, 0);
      if (error != cudaErrorPeerAccessAlreadyEnabled) HANDLE_ERROR(error);
      cudaGetLastError();  // "already enabled" is not an error
    }
  }

  void compute_accelerations() {
    for (int d = 0; d < settings_.devices; d++) {
      const Share& share = shares_[d];
      HANDLE_ERROR(cudaSetDevice(d));
      Field field{};
      field.bodies = share.bodies;
      field.n = n_;
      field.first = share.first;
      field.count = share.count;
      field.softening_squared = softening_squared(settings_.softening);
      field.threads = settings_.threads;
      field.accelerations = share.accelerations;
      field.scratch = share.scratch;
      field.stream = share.stream;
      version_.gravity(field);
    }
    HANDLE_ERROR(cudaSetDevice(0));
  }

  void move(float kick_time, float drift_time) {
    for (int d = 0; d < settings_.devices; d++) {
      const Share& share = shares_[d];
      if (share.count == 0) continue;
      HANDLE_ERROR(cudaSetDevice(d));
      kick_and_drift<<<blocks_for(share.count, settings_.threads), settings_.threads, 0,
                       share.stream>>>(share.bodies + share.first, share.velocities,
                                       share.accelerations, share.count, kick_time, drift_time);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaSetDevice(0));
  }

  // Every device copies the positions that the others have just computed. It queues these copies in
  // its own stream, after its own work on the old positions, and waits until the others have moved
  // their bodies. No device moves its bodies again before the others have copied them.
  void exchange_positions() {
    for (int d = 0; d < settings_.devices; d++) {
      HANDLE_ERROR(cudaSetDevice(d));
      HANDLE_ERROR(cudaEventRecord(shares_[d].drifted, shares_[d].stream));
    }
    for (int d = 0; d < settings_.devices; d++) {
      const Share& to = shares_[d];
      HANDLE_ERROR(cudaSetDevice(d));
      for (int other = 0; other < settings_.devices; other++) {
        const Share& from = shares_[other];
        if (other == d || from.count == 0) continue;
        HANDLE_ERROR(cudaStreamWaitEvent(to.stream, from.drifted, 0));
        HANDLE_ERROR(cudaMemcpyPeerAsync(to.bodies + from.first, d, from.bodies + from.first, other,
                                         from.count * sizeof(float4), to.stream));
      }
      HANDLE_ERROR(cudaEventRecord(to.gathered, to.stream));
    }
    for (int d = 0; d < settings_.devices; d++) {
      HANDLE_ERROR(cudaSetDevice(d));
      for (int other = 0; other < settings_.devices; other++)
        if (other != d)
          HANDLE_ERROR(cudaStreamWaitEvent(shares_[d].stream, shares_[other].gathered, 0));
    }
    HANDLE_ERROR(cudaSetDevice(0));
  }

  Version version_;
  Settings settings_;
  int n_;
  std::vector<Share> shares_;
};

}  // namespace nbody
