// Divides bodies among many GPUs, on one machine or on many, with MPI. Each GPU computes for its
// share. The positions of all other bodies travel around a ring.
//
// What to look at: compute_accelerations() in ring_simulation.h, which starts with the rank's own
// bodies, so that messages travel while the device computes; --timeline, which shows that;
// --scaling, which compares the time per step with a model and extrapolates; and kill -9 of one
// rank in the middle of a run with --checkpoint.
//
//   ./course run nbody_mpi --ranks 2 --size 16384 --timeline
//   ./course run nbody_mpi --ranks 4 --steps 1000 --checkpoint state.ckpt --every 100
//   ./course run nbody_mpi --ranks 3 --steps 1000 --continue state.ckpt
//   mpirun -n 16 --hostfile machines build/gpu/nbody/nbody_mpi --size 1000000

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "checkpoint.h"
#include "gravity_registers.h"
#include "mpi_world.h"
#include "double_precision_reference.h"
#include "ring_model.h"
#include "ring_simulation.h"

namespace nbody {

// What all ranks need from the command line. Rank 0 reads it and passes it on, so that a mistake is
// reported once.
struct Plan {
  int ranks = 0, steps = 20, every = 0, up_to = 0;
  int n = 0;
  Settings settings;
  bool timeline = false, strong = false, weak = false;
  char wanted_way[16] = {};
  Way way = Way::kStaged;
  char checkpoint[PATH_MAX] = {};
  char from[PATH_MAX] = {};  // the checkpoint to continue
};

// The command line.
struct RingRequest {
  Plan plan;
  Start start;
  std::string way = "auto", scaling = "none", checkpoint, from, save_state;

  void add_options(course::Options& options) {
    start.add_options(options);
    options
        .number("ranks", &plan.ranks, 0, 1024,
                "ranks to start on this machine; 0: those that mpirun started, or one")
        .number("steps", &plan.steps, 0, 1000000000, "steps")
        .real("dt", &plan.settings.dt, 0, 1000, "time of a step")
        .number("threads", &plan.settings.threads, 1, 1024, "threads per block")
        .choice("way", &way, {"auto", "nccl", "cuda-aware", "staged"},
                "how positions get from device to device")
        .output("checkpoint", &checkpoint, "write the state there, at the end and every so often")
        .number("every", &plan.every, 0, 1000000000, "steps between checkpoints, 0: one at the end")
        .text("continue", "FILE", &from, "continue from a checkpoint, with any number of ranks")
        .output("save-state", &save_state, "write the bodies at the end, for --file")
        .flag("timeline", &plan.timeline, "show what the ranks do during one step")
        .choice("scaling", &scaling, {"none", "strong", "weak"},
                "a table for 1, 2, 4 ... ranks: the same bodies, or the same work for each rank")
        .number("up-to", &plan.up_to, 0, 1000000,
                "with --scaling: predict for up to so many ranks");
  }

  // Ends the program if the options contradict each other. Otherwise the plan is complete, except
  // for the bodies.
  void check() {
    using course::bad_usage;
    plan.settings.softening = start.softening;
    plan.strong = scaling == "strong";
    plan.weak = scaling == "weak";
    if (!from.empty() && !start.file.empty())
      bad_usage("--continue and --file both say where to start from; take one");
    if (plan.every > 0 && checkpoint.empty())
      bad_usage("--every needs a file to write: --checkpoint FILE");
    struct stat status;
    if (stat(checkpoint.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      bad_usage("--checkpoint must be an ordinary file, and '" + checkpoint + "' is none");
    if (plan.up_to > 0 && scaling == "none") bad_usage("--up-to is for --scaling strong or weak");
    const bool table = plan.strong || plan.weak;
    if (table && (!from.empty() || !checkpoint.empty() || !save_state.empty() || plan.timeline))
      bad_usage(
          "--scaling makes a table and nothing else; leave out --continue, --checkpoint, "
          "--save-state and --timeline");
    if (plan.weak && !start.file.empty())
      bad_usage(
          "--scaling weak needs other numbers of bodies for other numbers of ranks, and a file "
          "has one; take --initial");
    copy(checkpoint, plan.checkpoint, "--checkpoint");
    copy(from, plan.from, "--continue");
    copy(way, plan.wanted_way, "--way");
  }

 private:
  template <size_t kLength>
  static void copy(const std::string& text, char (&place)[kLength], const std::string& option) {
    if (text.size() >= kLength) course::bad_usage(option + ": the name is too long");
    memcpy(place, text.c_str(), text.size() + 1);
  }
};

// ------------------------------------------------------------------------------------- starting

// Starts the ranks and waits for them. If one is killed, all end, and this process reports it.
inline int run_ranks(const Plan& plan, char** argv) {
  const int status = wait_for_command(mpirun_command(plan.ranks, argv));
  const int signal_number = deadly_signal(status);
  if (signal_number == 0) return WEXITSTATUS(status);
  const std::string path = plan.checkpoint;
  if (!path.empty()) unlink(part_of(path).c_str());
  if (signal_number == SIGINT) raise(SIGINT);  // Ctrl-C: that needs no explanation
  std::string advice = "There is no checkpoint. --checkpoint FILE --every N writes some", why;
  CheckpointHeader header;
  if (!path.empty() && read_checkpoint_header(path, &header, &why))
    advice = "Continue after step " + std::to_string(header.steps) + " with --continue " + path;
  fprintf(stderr, "%s: signal %d (%s) ended a rank, and MPI ended the others. %s\n",
          program_invocation_short_name, signal_number, strsignal(signal_number), advice.c_str());
  return course::kExitWrong;
}

// Which device each rank has.
struct Devices {
  std::vector<std::string> of_rank;  // the machine and the device's place in it

  // The most ranks that share a device, if there are `ranks` ranks.
  int sharing(int ranks) const {
    int most = 1;
    for (int r = 0; r < ranks; r++)
      most = std::max(
          most, static_cast<int>(std::count(of_rank.begin(), of_rank.begin() + ranks, of_rank[r])));
    return most;
  }
};

// Gives this rank its device, one after the other among the ranks of a machine.
inline Devices choose_device(const World& world) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (!world.all(error == cudaSuccess && count > 0))
    world.end(course::kExitSkipped,
              std::string("there is a rank without a device that runs kernels: ") +
                  cudaGetErrorString(error == cudaSuccess ? cudaErrorNoDevice : error));
  const int device = world.local_rank() % count;
  HANDLE_ERROR(cudaSetDevice(device));
  constexpr int kLength = MPI_MAX_PROCESSOR_NAME + 32;
  char name[kLength] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  HANDLE_ERROR(cudaDeviceGetPCIBusId(name + length, kLength - length, device));
  std::vector<char> all(static_cast<size_t>(kLength) * world.size());
  MPI_Allgather(name, kLength, MPI_CHAR, all.data(), kLength, MPI_CHAR, MPI_COMM_WORLD);
  Devices devices;
  for (int r = 0; r < world.size(); r++)
    devices.of_rank.emplace_back(&all[static_cast<size_t>(kLength) * r]);
  return devices;
}

// How the positions travel: the best way that all ranks have, or the one that --way names; and why.
struct ChosenWay {
  Way way;
  std::string words;
};
inline ChosenWay choose_way(const World& world, const Devices& devices, const std::string& wanted,
                            Nccl& nccl) {
  const bool cpu = course::runs_on_cpu_device();
  std::string no_nccl, not_aware;
  if (cpu)
    no_nccl = "NCCL is for GPUs";
  else if (devices.sharing(world.size()) > 1)
    no_nccl = "NCCL needs a GPU for each rank";
  else if (!world.all(nccl.load()))
    no_nccl = "NCCL is not here (libnccl.so.2)";
  if (!world.all(mpi_takes_device_memory())) not_aware = "this MPI is not CUDA-aware";
  if (wanted == "nccl" && !no_nccl.empty()) world.end(course::kExitSkipped, no_nccl);
  if (wanted == "cuda-aware" && !not_aware.empty()) world.end(course::kExitSkipped, not_aware);

  // Between machines use MPI, which is configured for their network; NCCL only if --way names it.
  const bool here = world.machines() == 1;
  if (wanted == "nccl" || (wanted == "auto" && here && no_nccl.empty()))
    return {Way::kNccl, way_in_words(Way::kNccl)};
  if (wanted == "cuda-aware" || (wanted == "auto" && !cpu && not_aware.empty()))
    return {Way::kCudaAware, way_in_words(Way::kCudaAware)};
  std::string why;
  if (wanted == "auto") {
    if (!here && no_nccl.empty()) no_nccl = "NCCL is taken within one machine";
    why = ": " + no_nccl + (not_aware.empty() ? "" : ", and " + not_aware);
  }
  return {Way::kStaged, way_in_words(Way::kStaged) + why};
}

// ------------------------------------------------------------------------------------ the bodies

// All ranks end, with one line, if one of them lacks the memory for its share of n bodies.
inline void require_device_memory(const World& world, const Devices& devices,
                                  const Settings& settings, int n, int ranks) {
  size_t free_bytes = 0, total_bytes = 0;
  HANDLE_ERROR(cudaMemGetInfo(&free_bytes, &total_bytes));
  const double present = world.least(static_cast<double>(free_bytes)) / devices.sharing(ranks);
  const double bytes = RingSimulation::device_bytes({n, ranks}, kRegisters, settings.threads);
  if (bytes > present)
    world.end(course::kExitUsage, "this size needs " + course::bytes_in_words(bytes) +
                                      " on the device for each rank, which has " +
                                      course::bytes_in_words(present) +
                                      " free; take a smaller one, or more GPUs");
}

// On rank 0: the bodies of a file or an initial condition, if the host has enough memory.
inline Bodies make_bodies(const Start& start) {
  constexpr double kHostBytesPerBody = 150;
  if (start.file.empty()) course::require_host_memory(kHostBytesPerBody * start.size);
  return start.make();
}

// On rank 0, before anything else: how many bodies there will be, as far as that is known.
inline void announce_checkpoint(const Plan& plan, CheckpointHeader* header) {
  std::string why;
  if (!read_checkpoint_header(plan.from, header, &why))
    course::bad_usage("cannot continue from '" + std::string(plan.from) + "': " + why);
  char line[200];
  snprintf(line, sizeof line,
           "' was made with --dt %.7g --softening %.7g, not %.7g and %.7g; give the same",
           header->dt, header->softening, plan.settings.dt, plan.settings.softening);
  if (header->dt != plan.settings.dt || header->softening != plan.settings.softening)
    course::bad_usage("'" + std::string(plan.from) + line);
}

// This rank's share of the bodies to start from. Sets plan.n and header->steps.
inline Bodies start_bodies(const World& world, const Devices& devices, const Start& start,
                           Plan& plan, CheckpointHeader* header) {
  const std::string from = plan.from;
  world.on_rank_0([&] {
    if (!from.empty()) announce_checkpoint(plan, header);
    plan.n = from.empty() ? (start.file.empty() ? start.size : 0) : header->n;
  });
  MPI_Bcast(&plan.n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(header, sizeof *header, MPI_BYTE, 0, MPI_COMM_WORLD);
  require_device_memory(world, devices, plan.settings, plan.n, world.size());
  if (!from.empty()) return read_checkpoint(world, from, {plan.n, world.size()}, *header);
  Bodies all;
  world.on_rank_0([&] { all = make_bodies(start); });
  plan.n = all.count();
  MPI_Bcast(&plan.n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  require_device_memory(world, devices, plan.settings, plan.n, world.size());
  const Shares shares{plan.n, world.size()};
  return {hand_out(MPI_COMM_WORLD, shares, all.positions),
          hand_out(MPI_COMM_WORLD, shares, all.velocities)};
}

// The whole state, on rank 0.
struct Gathered {
  Bodies bodies;
  std::vector<float3> accelerations;
};
inline Gathered gather_all(RingSimulation& simulation) {
  const Bodies mine = simulation.bodies();
  const Shares& shares = simulation.shares();
  return {{gather(simulation.ranks(), shares, mine.positions),
           gather(simulation.ranks(), shares, mine.velocities)},
          gather(simulation.ranks(), shares, simulation.accelerations())};
}

// Called by all ranks: they end if rank 0 finds that the accelerations are wrong.
inline void verify(const World& world, const std::string& what, const Gathered& all,
                   float softening, Accuracy* outcome = nullptr) {
  world.on_rank_0([&] {
    if (!verify_accelerations(what, all.bodies.positions, all.accelerations, softening, outcome))
      exit(course::kExitWrong);
  });
}

// ------------------------------------------------------------------------------------ a simulation

inline std::string shares_in_words(const Shares& shares) {
  const int most = shares.largest(), least = shares.n / shares.ranks;
  if (most == least) return bodies_in_words(most) + " each";
  return std::to_string(least) + " or " + bodies_in_words(most) + " each";
}

// The head of the output: the ranks, their devices, and how positions travel.
inline void print_head(const World& world, const Devices& devices, int n, const std::string& way) {
  const Shares shares{n, world.size()};
  printf("%s, %s on %s, %s\n", bodies_in_words(n).c_str(),
         course::count_of(world.size(), "rank").c_str(),
         course::count_of(world.machines(), "machine").c_str(), shares_in_words(shares).c_str());
  const int sharing = devices.sharing(world.size());
  printf("%s", course::device_name().c_str());
  if (course::runs_on_cpu_device())
    printf(", %s per rank on %s",
           course::count_of(atoi(getenv("CPU_DEVICE_THREADS")), "worker").c_str(),
           course::count_of(world.cores(), "core").c_str());
  else if (sharing > 1)
    printf(", up to %d ranks on one", sharing);
  printf("\n");
  if (world.size() > 1) printf("positions go %s\n", way.c_str());
  fflush(stdout);
}

// Milliseconds that all ranks take for `steps` steps.
inline double time_steps(RingSimulation& simulation, int steps) {
  simulation.wait();
  wait_for_all(simulation.ranks());
  course::Stopwatch watch;
  simulation.step(steps);
  simulation.wait();
  wait_for_all(simulation.ranks());
  return watch.elapsed_ms();
}

// Takes the steps, with the checkpoints between them. Returns milliseconds per step, without those.
inline double run_steps(const World& world, RingSimulation& simulation, const Plan& plan,
                        CheckpointHeader header) {
  const std::string checkpoint = plan.checkpoint;
  header.dt = plan.settings.dt;
  header.softening = plan.settings.softening;
  double ms = 0;
  for (int done = 0; done < plan.steps;) {
    const int next = plan.every > 0 ? std::min(plan.every, plan.steps - done) : plan.steps;
    ms += time_steps(simulation, next);
    done += next;
    header.steps += next;
    if (!checkpoint.empty() && done < plan.steps)
      write_checkpoint(world, checkpoint, simulation.shares(), header, simulation.bodies());
  }
  if (!checkpoint.empty())
    write_checkpoint(world, checkpoint, simulation.shares(), header, simulation.bodies());
  return plan.steps > 0 ? ms / plan.steps : 0;
}

inline void print_ring_speed(int n, int ranks, double ms) {
  if (ms <= 0) return;
  const double per_second = static_cast<double>(n) * n / (ms * 1e-3);
  printf("%.4g ms per step, %.4g G interactions/s, %.4g GFLOP/s, %.4g per rank\n", ms,
         per_second * 1e-9, kOperationsPerInteraction * per_second * 1e-9,
         kOperationsPerInteraction * per_second * 1e-9 / ranks);
}

inline void simulate(const World& world, const Devices& devices, const RingRequest& request,
                     Plan& plan, const ChosenWay& way, const Nccl& nccl) {
  CheckpointHeader header;
  const Bodies mine = start_bodies(world, devices, request.start, plan, &header);
  if (world.rank() == 0) print_head(world, devices, plan.n, way.words);
  if (world.rank() == 0 && header.steps > 0)
    printf("continued after step %lld\n", static_cast<long long>(header.steps));
  RingSimulation simulation(MPI_COMM_WORLD, {plan.n, world.size()}, mine, kRegisters, plan.settings,
                            way.way, nccl);
  Accuracy accuracy;
  verify(world, "at the start", gather_all(simulation), plan.settings.softening, &accuracy);
  if (world.rank() == 0)
    printf("accelerations right: relative error %.2g against double precision\n",
           accuracy.relative_error);
  fflush(stdout);

  const double ms = run_steps(world, simulation, plan, header);
  const Gathered end = gather_all(simulation);
  verify(world, "at the end", end, plan.settings.softening);
  if (world.rank() == 0) {
    print_ring_speed(plan.n, world.size(), ms);
    if (plan.checkpoint[0] != '\0')
      printf("saved %s (step %lld)\n", plan.checkpoint, header.steps + 1LL * plan.steps);
  }
  world.on_rank_0([&] {
    if (request.save_state.empty()) return;
    write_bodies(request.save_state, end.bodies);
    printf("saved %s (%s)\n", request.save_state.c_str(), bodies_in_words(plan.n).c_str());
  });
  if (plan.timeline) print_timeline(MPI_COMM_WORLD, simulation.trace_step());
}

// --------------------------------------------------------------------------------------- scaling

// What the first `ranks` ranks measure together; all other ranks wait.
struct Measured {
  double step_ms = 0;
  double short_message_ms = 0, message_ms = 0;  // of one body, and of a share
  Gathered end;                                 // on rank 0
};
inline Measured measure(const World& world, int ranks, int n, const Start& start, const Plan& plan,
                        const Nccl& nccl) {
  Measured result;
  MPI_Comm some;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() < ranks ? 0 : MPI_UNDEFINED, world.rank(), &some);
  if (some != MPI_COMM_NULL) {
    const Shares shares{n, ranks};
    Start these = start;
    these.size = n;
    Bodies all;
    if (world.rank() == 0) all = these.make();
    RingSimulation simulation(
        some, shares,
        {hand_out(some, shares, all.positions), hand_out(some, shares, all.velocities)}, kRegisters,
        plan.settings, plan.way, nccl);
    simulation.step(1);
    result.step_ms = HUGE_VAL;
    for (int run = 0; run < 5; run++)  // the best: other programs may use the machine
      result.step_ms = std::min(result.step_ms, time_steps(simulation, plan.steps) / plan.steps);
    result.end = gather_all(simulation);
    result.short_message_ms = simulation.measure_message_ms(1);
    result.message_ms = simulation.measure_message_ms(shares.largest());
  }
  wait_for_all(MPI_COMM_WORLD);
  if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  return result;
}

// 1, 2, 4 ... and the last.
inline std::vector<int> rank_counts(int from, int last) {
  std::vector<int> result;
  for (long long ranks = from; ranks < last; ranks *= 2) result.push_back(static_cast<int>(ranks));
  if (last >= from) result.push_back(last);
  return result;
}

inline int bodies_for(const Plan& plan, int ranks) {
  return plan.weak ? static_cast<int>(std::lround(plan.n * std::sqrt(ranks))) : plan.n;
}

// How many ranks share a GPU, or the cores of the CPU device's workers.
inline double sharing(const World& world, const Devices& devices, int ranks) {
  if (!course::runs_on_cpu_device()) return devices.sharing(ranks);
  return std::max(1.0, 1.0 * ranks * atoi(getenv("CPU_DEVICE_THREADS")) / world.cores());
}

inline void print_scaling_row(const Plan& plan, int ranks, int n, double first_ms, double step_ms,
                              double predicted_ms) {
  const double ms = step_ms > 0 ? step_ms : predicted_ms;
  char measured[32] = "-", off[32] = "-";
  if (step_ms > 0) snprintf(measured, sizeof measured, "%.4g", step_ms);
  if (step_ms > 0) snprintf(off, sizeof off, "%+.0f %%", 100 * (predicted_ms / step_ms - 1));
  const double speedup = first_ms / ms * (1.0 * n / plan.n) * (1.0 * n / plan.n);
  printf("%7d %9d %12s %12.4g %7s %9.3g %8.0f %%\n", ranks, n, measured, predicted_ms, off, speedup,
         100 * speedup / ranks);
  fflush(stdout);
}

inline std::string billions_per_second(double ms_for_one, const std::string& unit) {
  if (ms_for_one <= 0) return "more " + unit + " than can be measured here";
  char text[40];
  snprintf(text, sizeof text, "%.4g ", 1e-6 / ms_for_one);
  return text + unit;
}

// The table. The kernel is measured on rank 0 alone, with the largest and the smallest share;
// messages with the ranks of each row, because the slowest link of a ring decides. From these, the
// model predicts the time of a step.
inline void print_scaling(const World& world, const Devices& devices, const Start& start,
                          Plan& plan, const Nccl& nccl) {
  world.on_rank_0([&] {
    if (!start.file.empty()) plan.n = make_bodies(start).count();
    if (start.initial == "orbit" || plan.n < 2)
      course::bad_usage("--scaling needs at least 2 bodies, and not --initial orbit");
    course::require_host_memory(150.0 * bodies_for(plan, world.size()));
  });
  MPI_Bcast(&plan.n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  plan.steps = std::max(plan.steps, 1);
  require_device_memory(world, devices, plan.settings, plan.n, 1);
  require_device_memory(world, devices, plan.settings, bodies_for(plan, world.size()),
                        world.size());

  const int smallest = std::max(1, bodies_for(plan, world.size()) / std::max(world.size(), 8));
  const Measured whole = measure(world, 1, plan.n, start, plan, nccl);
  const Measured part = measure(world, 1, smallest, start, plan, nccl);
  const Line kernel =
      line_through(1.0 * plan.n * plan.n, whole.step_ms, 1.0 * smallest * smallest, part.step_ms);
  RingModel model;
  model.round_ms = kernel.at_0;
  model.ms_per_interaction = kernel.per_unit;
  model.overlaps = !course::runs_on_cpu_device();
  const bool speaks = world.rank() == 0;
  if (speaks)
    printf("\n%s scaling, the best of 5 runs of %s\n%7s %9s %12s %12s %7s %9s %10s\n",
           plan.weak ? "weak" : "strong", course::count_of(plan.steps, "step").c_str(), "ranks",
           "bodies", "ms per step", "predicted", "off", "speedup", "efficiency");
  for (const int ranks : rank_counts(1, world.size())) {
    const int n = bodies_for(plan, ranks);
    const Measured row = ranks == 1 ? whole : measure(world, ranks, n, start, plan, nccl);
    verify(world, "with " + course::count_of(ranks, "rank"), row.end, plan.settings.softening);
    if (ranks > 1) {
      const Line message =
          line_through(16, row.short_message_ms, 16.0 * Shares{n, ranks}.largest(), row.message_ms);
      model.latency_ms = message.at_0;
      model.ms_per_byte = message.per_unit;
    }
    if (speaks)
      print_scaling_row(plan, ranks, n, whole.step_ms, row.step_ms,
                        model.step_ms(n, ranks, sharing(world, devices, ranks)));
  }
  if (!speaks) return;
  for (const int ranks : rank_counts(2 * world.size(), plan.up_to))
    print_scaling_row(plan, ranks, bodies_for(plan, ranks), whole.step_ms, 0,
                      model.step_ms(bodies_for(plan, ranks), ranks));
  printf("\npredicted from: %s of one rank, %.3g ms for a part of any size",
         billions_per_second(model.ms_per_interaction, "G interactions/s").c_str(), model.round_ms);
  if (world.size() > 1)
    printf("; a message of %d ranks %.3g ms and %s%s", world.size(), model.latency_ms,
           billions_per_second(model.ms_per_byte, "GB/s").c_str(),
           model.overlaps ? ", while the device computes" : "");
  printf("\n");
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::RingRequest request;
  course::Options options("N bodies on many GPUs, on one machine or many, with MPI.");
  request.plan.settings.dt = 0.01f;
  request.add_options(options);
  const auto read_options = [&] {
    options.parse(argc, argv);
    request.check();
  };
  // Open MPI examines the machine with hwloc, which may wait for a display that does not answer.
  // And a single rank needs no daemon.
  setenv("HWLOC_COMPONENTS", "-gl", 0);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  const bool is_rank = nbody::started_as_rank();
  if (!is_rank) {
    read_options();
    if (request.plan.ranks > 1) return nbody::run_ranks(request.plan, argv);
  }

  nbody::World world(&argc, &argv);
  world.on_rank_0([&] {
    if (is_rank) read_options();
    if (request.plan.ranks != 0 && request.plan.ranks != world.size())
      course::bad_usage("--ranks " + std::to_string(request.plan.ranks) + ", but mpirun started " +
                        std::to_string(world.size()) + "; leave out --ranks");
  });
  nbody::Plan plan = request.plan;
  MPI_Bcast(&plan, sizeof plan, MPI_BYTE, 0, MPI_COMM_WORLD);
  const nbody::Devices devices = nbody::choose_device(world);
  nbody::Nccl nccl;
  nbody::ChosenWay way = nbody::choose_way(world, devices, plan.wanted_way, nccl);
  plan.way = way.way;
  if (plan.strong || plan.weak) {
    plan.n = request.start.size;
    nbody::print_scaling(world, devices, request.start, plan, nccl);
  } else {
    nbody::simulate(world, devices, request, plan, way, nccl);
  }
  return 0;
}
