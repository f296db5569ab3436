// Compares all versions of all-pairs gravity on the same bodies, in one table.
//
// What to look at: the table itself, for sizes from 1000 on, and that all versions are equally
// accurate. By convention an interaction counts as 20 operations.
//
//   ./course run nbody_table --size 16384 --steps 20
//   ./course run nbody_table --versions shared,constant --threads 128
//   ./course run nbody_table --precision       # float against double

#include <stdio.h>

#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "gravity_constant.h"
#include "gravity_cpu.h"
#include "gravity_float3.h"
#include "gravity_float4.h"
#include "gravity_pairs.h"
#include "gravity_registers.h"
#include "gravity_shared.h"
#include "program.h"
#include "simulation_double.h"

namespace nbody {

// The device's versions, in the order of the chapter.
inline const std::vector<Version>& versions() {
  static const std::vector<Version> all = {kFloat3,   kFloat4,    kShared,
                                           kConstant, kRegisters, kPairs};
  return all;
}

// The CPU's versions: one core, and where the compiler has OpenMP, all cores.
struct CpuVersion {
  const char* name;
  void (*gravity)(const float4* bodies, int n, float softening_squared, float3* accelerations);
};
inline const std::vector<CpuVersion>& cpu_versions() {
  static const std::vector<CpuVersion> all = {
      {"cpu", gravity_cpu},
#ifdef _OPENMP
      {"cores", gravity_cores},
      {"simd", gravity_simd},
#endif
  };
  return all;
}

// Splits "float3,shared" and looks the names up; "all" is every one. Ends the program with one line
// if there is no such version.
inline std::vector<std::string> chosen_versions(const std::string& list) {
  std::vector<std::string> known;
  for (const CpuVersion& version : cpu_versions()) known.push_back(version.name);
  for (const Version& version : versions()) known.push_back(version.name);
  if (list == "all") return known;
  std::vector<std::string> chosen;
  for (size_t start = 0; start <= list.size();) {
    const size_t comma = std::min(list.find(',', start), list.size());
    const std::string name = list.substr(start, comma - start);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string names = "all";
      for (const std::string& one : known) names += ", " + one;
      course::bad_usage("--versions takes a list of " + names + ", separated by commas, not '" +
                        list + "'");
    }
    chosen.push_back(name);
    start = comma + 1;
  }
  return chosen;
}

inline void print_row(const char* name, int n, double ms, double peak, const Accuracy& accuracy) {
  const double interactions = interactions_per_second(n, ms);
  const double operations = kOperationsPerInteraction * interactions;
  char share[16] = "-";
  if (peak > 0) snprintf(share, sizeof share, "%.1f %%", 100 * operations / peak);
  printf("%-10s %12.4g %14.4g %12.4g %10s %12.2g\n", name, ms, interactions * 1e-9,
         operations * 1e-9, share, accuracy.relative_error);
  fflush(stdout);
}

// One row. Returns whether the version is right.
inline bool run_row(const Version& version, const Bodies& bodies, const Settings& settings,
                    int steps, double peak) {
  Simulation simulation(bodies, version, settings);
  Accuracy accuracy;
  if (!verify_accelerations(version.name, bodies.positions, simulation.accelerations(),
                            settings.softening, &accuracy))
    return false;
  print_row(version.name, bodies.count(), measure_step_ms(simulation, steps, settings.devices),
            peak, accuracy);
  return true;
}

// A row of a CPU version. Its step is one evaluation: the faster one of two, because the first one
// also starts the threads.
inline bool run_cpu_row(const CpuVersion& version, const Bodies& bodies, float softening) {
  std::vector<float3> accelerations(bodies.count());
  double ms = 0;
  for (int run = 0; run < 2; run++) {
    course::Stopwatch watch;
    version.gravity(bodies.positions.data(), bodies.count(), softening_squared(softening),
                    accelerations.data());
    ms = run == 0 ? watch.elapsed_ms() : std::min(ms, watch.elapsed_ms());
  }
  Accuracy accuracy;
  if (!verify_accelerations(version.name, bodies.positions, accelerations, softening, &accuracy))
    return false;
  print_row(version.name, bodies.count(), ms, 0, accuracy);
  return true;
}

// A row of --precision: as above, and how far the energy has changed after the steps.
template <typename AnySimulation, typename GetConserved>
bool run_precision_row(const char* name, AnySimulation& simulation, const Bodies& bodies,
                       const Settings& settings, int steps, const GetConserved& get) {
  Accuracy accuracy;
  if (!verify_accelerations(name, bodies.positions, simulation.accelerations(), settings.softening,
                            &accuracy))
    return false;
  const double before = get().energy;
  const double ms = measure_step_ms(simulation, steps, 1);  // and one step more
  const double after = get().energy;
  const double interactions = interactions_per_second(bodies.count(), ms);
  printf("%-10s %12.4g %14.4g %12.4g %12.2g %14.2g\n", name, ms, interactions * 1e-9,
         kOperationsPerInteraction * interactions * 1e-9, accuracy.relative_error,
         before == 0 ? 0 : std::fabs(after / before - 1));
  fflush(stdout);
  return true;
}

inline bool run_precision(const Bodies& bodies, const Settings& settings, int steps) {
  printf("%-10s %12s %14s %12s %12s %14s\n", "precision", "ms per step", "G interact./s", "GFLOP/s",
         "rel. error", "energy moved");
  for (const Version& version : {kShared, kRegisters}) {
    Simulation simulation(bodies, version, settings);
    if (!run_precision_row(version.name, simulation, bodies, settings, steps,
                           [&] { return conserved(simulation.bodies(), settings.softening); }))
      return false;
  }
  DoubleSimulation simulation(bodies, settings);
  return run_precision_row("double", simulation, bodies, settings, steps, [&] {
    const DoubleSimulation::State state = simulation.state();
    return conserved(state.positions, state.velocities, settings.softening);
  });
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::Request request;
  request.start.initial = "cube";
  int steps = 10;
  bool precision = false;
  std::string list = "all";
  course::Options options("Runs the versions of all-pairs gravity on the same bodies.");
  options.text(
      "versions", "LIST", &list,
      "all, or some, with commas, of cpu, cores, simd (the last two where the compiler has "
      "OpenMP), float3, float4, shared, constant, registers, pairs");
  options.flag("precision", &precision, "float against double instead: time, error, energy");
  request.add_options(options);
  options.number("steps", &steps, 1, 1000000000, "steps to time");
  options.parse(argc, argv);
  const std::vector<std::string> chosen = nbody::chosen_versions(list);

  if (precision && request.settings.devices > 1) course::bad_usage("--precision is for one device");
  const nbody::Bodies bodies = request.make_bodies(
      nbody::versions(), precision ? nbody::DoubleSimulation::device_bytes(request.start.size) : 0);
  const int n = bodies.count(), devices = request.settings.devices;
  const double peak = devices * nbody::measure_peak_operations();
  printf("%s, %s%s\n", nbody::bodies_in_words(n).c_str(), course::device_name().c_str(),
         devices > 1 ? (", " + std::to_string(devices) + " of them").c_str() : "");
  printf(
      "%s per block; 20 operations per interaction; multiply-adds alone reach %.4g "
      "GFLOP/s\n\n",
      course::count_of(request.settings.threads, "thread").c_str(), peak * 1e-9);
  if (precision) {
    if (!nbody::run_precision(bodies, request.settings, steps)) return course::kExitWrong;
    printf("\nall verified against double precision\n");
    return 0;
  }
  printf("%-10s %12s %14s %12s %10s %12s\n", "version", "ms per step", "G interact./s", "GFLOP/s",
         "of peak", "rel. error");

  // The loop on the CPU would take minutes for many bodies: it takes part only if --versions names
  // it.
  constexpr int kMostForCpu = 16384;
  for (const std::string& name : chosen) {
    for (const nbody::CpuVersion& version : nbody::cpu_versions())
      if (name == version.name && (n <= kMostForCpu || list != "all") &&
          !nbody::run_cpu_row(version, bodies, request.settings.softening))
        return course::kExitWrong;
    for (const nbody::Version& version : nbody::versions())
      if (name == version.name && !nbody::run_row(version, bodies, request.settings, steps, peak))
        return course::kExitWrong;
  }
  printf("\nall verified against double precision\n");
  return 0;
}
