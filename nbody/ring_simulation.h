// A simulation whose bodies are divided among the ranks of an MPI program, with a device for each.
//
// A rank moves its own bodies, and needs the pull of all others on them. In the first round, it
// computes the pull of its own bodies. Meanwhile it sends their positions to the next rank, and
// receives those of the previous rank. In the next round it computes the pull of these and passes
// them on. At the end, every rank has used all positions:
//
//   round          0    1    2    3
//   rank 0 holds   0    3    2    1      its own at first, then those of rank 3, 2 and 1
//   rank 1 holds   1    0    3    2
//   rank 2 holds   2    1    0    3
//   rank 3 holds   3    2    1    0
//
// No device needs room for all bodies: three shares of positions are enough.
#pragma once

#include <memory>
#include <vector>

#include "../common/handle_error.h"
#include "bodies.h"
#include "body.h"
#include "ring_transports.h"
#include "simulation.h"

namespace nbody {

// Queues the pull of `sources` on `targets`. The kernels have one array, and the number of the
// first target in it. Both groups of bodies are in one allocation, so this also works for two
// groups: the number may be negative.
inline void gravity_between(const Version& version, const float4* targets, int target_count,
                            const float4* sources, int source_count, Field field) {
  field.bodies = sources;
  field.n = source_count;
  field.first = static_cast<int>(targets - sources);
  field.count = target_count;
  version.gravity(field);
}

// What a part of the bodies adds to the pull of the others.
static __global__ void add_part(const float3* part, int count, float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  accelerations[i].x += part[i].x;
  accelerations[i].y += part[i].y;
  accelerations[i].z += part[i].z;
}

class RingSimulation {
 public:
  // Called by all ranks of `ranks`, each with its share of the bodies.
  RingSimulation(MPI_Comm ranks, const Shares& shares, const Bodies& mine, const Version& version,
                 const Settings& settings, Way way, const Nccl& nccl)
      : ranks_(ranks), shares_(shares), version_(version), settings_(settings) {
    MPI_Comm_rank(ranks, &rank_);
    count_ = shares.count(rank_);
    allocate();
    HANDLE_ERROR(cudaMemcpy(memory_.own, mine.positions.data(), count_ * sizeof(float4),
                            cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(velocities_, mine.velocities.data(), count_ * sizeof(float3),
                            cudaMemcpyHostToDevice));
    if (shares.ranks > 1) passage_ = make_passage(way, nccl);
    HANDLE_ERROR(cudaEventRecord(memory_.moved, memory_.compute));
    compute_accelerations();
  }

  ~RingSimulation() {
    wait();
    passage_.reset();
    cudaFree(bodies_);
    cudaFree(velocities_);
    cudaFree(accelerations_);
    cudaFree(part_);
    cudaFree(scratch_);
    cudaEventDestroy(memory_.moved);
    for (int i = 0; i < 2; i++) {
      cudaEventDestroy(memory_.computed[i]);
      cudaEventDestroy(memory_.arrived[i]);
    }
    cudaStreamDestroy(memory_.compute);
    cudaStreamDestroy(memory_.transfer);
  }
  RingSimulation(const RingSimulation&) = delete;
  RingSimulation& operator=(const RingSimulation&) = delete;

  // Queues `steps` steps of leapfrog. Messages of MPI are waited for on the way.
  void step(int steps) {
    const float half = settings_.dt / 2;
    for (int i = 0; i < steps; i++) {
      move(half, settings_.dt);
      HANDLE_ERROR(cudaEventRecord(memory_.moved, memory_.compute));
      compute_accelerations();
      move(half, 0);
    }
  }

  // Waits until all work queued on this rank is done.
  void wait() {
    HANDLE_ERROR(cudaStreamSynchronize(memory_.transfer));
    HANDLE_ERROR(cudaStreamSynchronize(memory_.compute));
  }

  // Waits, and copies this rank's share to the host.
  Bodies bodies() {
    wait();
    Bodies result;
    result.positions.resize(count_);
    result.velocities.resize(count_);
    HANDLE_ERROR(cudaMemcpy(result.positions.data(), memory_.own, count_ * sizeof(float4),
                            cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemcpy(result.velocities.data(), velocities_, count_ * sizeof(float3),
                            cudaMemcpyDeviceToHost));
    return result;
  }

  std::vector<float3> accelerations() {
    wait();
    std::vector<float3> result(count_);
    HANDLE_ERROR(
        cudaMemcpy(result.data(), accelerations_, count_ * sizeof(float3), cudaMemcpyDeviceToHost));
    return result;
  }

  // One step, and what this rank did when.
  std::vector<Stretch> trace_step() {
    wait();
    wait_for_all(ranks_);
    trace_.start(memory_.compute);
    step(1);
    wait();
    return trace_.finish();
  }

  // Milliseconds of a message of so many bodies to the next rank, without computing: the median.
  double measure_message_ms(int bodies) {
    std::vector<double> times;
    for (int i = 0; i < 21 && passage_ != nullptr; i++) {
      wait();
      wait_for_all(ranks_);
      course::Stopwatch watch;
      passage_->pass({true, 0, i % 2, bodies, bodies, 0}, trace_);
      wait();
      times.push_back(watch.elapsed_ms());
    }
    return course::median(times);
  }

  const Shares& shares() const { return shares_; }
  MPI_Comm ranks() const { return ranks_; }

  // Device memory of the rank with the largest share, in bytes.
  static double device_bytes(const Shares& shares, const Version& version, int threads) {
    const int most = shares.largest();
    return 3 * 16.0 * most + 3 * 12.0 * most +
           static_cast<double>(scratch_bytes(shares, version, threads));
  }

 private:
  // Shares differ by one body, and a larger one may have fewer slices.
  static size_t scratch_bytes(const Shares& shares, const Version& version, int threads) {
    const int most = shares.largest();
    return std::max({size_t(1), version.scratch_bytes(most, most, threads),
                     version.scratch_bytes(std::max(most - 1, 0), most, threads)});
  }

  void allocate() {
    const int most = std::max(shares_.largest(), 1);
    memory_.capacity = most;
    HANDLE_ERROR(cudaStreamCreate(&memory_.compute));
    // NCCL's messages are kernels: without priority they would wait for all of our blocks.
    int least_priority = 0, greatest_priority = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&least_priority, &greatest_priority));
    HANDLE_ERROR(
        cudaStreamCreateWithPriority(&memory_.transfer, cudaStreamDefault, greatest_priority));
    HANDLE_ERROR(cudaEventCreateWithFlags(&memory_.moved, cudaEventDisableTiming));
    HANDLE_ERROR(cudaMalloc(&bodies_, 3 * most * sizeof(float4)));
    HANDLE_ERROR(cudaMalloc(&velocities_, most * sizeof(float3)));
    HANDLE_ERROR(cudaMalloc(&accelerations_, most * sizeof(float3)));
    HANDLE_ERROR(cudaMalloc(&part_, most * sizeof(float3)));
    HANDLE_ERROR(cudaMalloc(&scratch_, scratch_bytes(shares_, version_, settings_.threads)));
    memory_.own = bodies_;
    for (int i = 0; i < 2; i++) {
      memory_.held[i] = bodies_ + (1 + i) * most;
      HANDLE_ERROR(cudaEventCreateWithFlags(&memory_.computed[i], cudaEventDisableTiming));
      HANDLE_ERROR(cudaEventCreateWithFlags(&memory_.arrived[i], cudaEventDisableTiming));
      HANDLE_ERROR(cudaEventRecord(memory_.computed[i], memory_.compute));
      HANDLE_ERROR(cudaEventRecord(memory_.arrived[i], memory_.transfer));
    }
  }

  std::unique_ptr<Passage> make_passage(Way way, const Nccl& nccl) {
    if (way == Way::kNccl) return std::make_unique<NcclPassage>(ranks_, memory_, nccl);
    if (way == Way::kCudaAware) return std::make_unique<CudaAwarePassage>(ranks_, memory_);
    return std::make_unique<StagedPassage>(ranks_, memory_);
  }

  // The rank whose bodies `rank` holds in a round.
  int owner(int rank, int round) const {
    return (rank - round + 2 * shares_.ranks) % shares_.ranks;
  }

  // In each round, the work is queued first. So the device computes while the host handles the
  // messages.
  void compute_accelerations() {
    const int before = (rank_ + shares_.ranks - 1) % shares_.ranks;
    for (int round = 0; round < shares_.ranks; round++) {
      const int holds = (round + 1) % 2, next = round % 2;  // of memory_.held; its own in round 0
      if (round == 0) {
        pull(rank_, memory_.own, accelerations_);
      } else {
        HANDLE_ERROR(cudaStreamWaitEvent(memory_.compute, memory_.arrived[holds], 0));
        pull(owner(rank_, round), memory_.held[holds], part_);
        HANDLE_ERROR(cudaEventRecord(memory_.computed[holds], memory_.compute));
      }
      if (round == shares_.ranks - 1) break;
      const int comes = owner(before, round);
      passage_->pass({round == 0, holds, next, shares_.count(owner(rank_, round)),
                      shares_.count(comes), comes},
                     trace_);
    }
  }

  // The pull of the bodies of one rank: written to accelerations_, or added to them by way of
  // part_.
  void pull(int from, const float4* sources, float3* result) {
    if (count_ == 0 || shares_.count(from) == 0) return;
    Field field{};
    field.softening_squared = softening_squared(settings_.softening);
    field.threads = settings_.threads;
    field.accelerations = result;
    field.scratch = scratch_;
    field.stream = memory_.compute;
    const cudaEvent_t begin = trace_.event(memory_.compute);
    gravity_between(version_, memory_.own, count_, sources, shares_.count(from), field);
    if (result == part_) {
      add_part<<<blocks_for(count_, settings_.threads), settings_.threads, 0, memory_.compute>>>(
          part_, count_, accelerations_);
      HANDLE_ERROR(cudaGetLastError());
    }
    trace_.computed(from, begin, trace_.event(memory_.compute));
  }

  void move(float kick_time, float drift_time) {
    if (count_ == 0) return;
    kick_and_drift<<<blocks_for(count_, settings_.threads), settings_.threads, 0,
                     memory_.compute>>>(memory_.own, velocities_, accelerations_, count_, kick_time,
                                        drift_time);
    HANDLE_ERROR(cudaGetLastError());
  }

  MPI_Comm ranks_;
  Shares shares_;
  Version version_;
  Settings settings_;
  int rank_ = 0, count_ = 0;
  RingMemory memory_;
  float4* bodies_ = nullptr;  // its own, and room for two shares of others
  float3* velocities_ = nullptr;
  float3* accelerations_ = nullptr;
  float3* part_ = nullptr;
  void* scratch_ = nullptr;
  std::unique_ptr<Passage> passage_;
  Trace trace_;
};

}  // namespace nbody
