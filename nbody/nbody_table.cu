// All versions of all-pairs gravity on the same bodies, in one table.
//
// What to look at: the table itself, at sizes from 1000 up; the share of what the device can do;
// and that all of them are equally accurate. 20 operations per interaction are counted.
//
//   ./course run nbody_table --size 16384 --steps 20
//   ./course run nbody_table --versions shared,constant --threads 128

#include <stdio.h>

#include <string>
#include <vector>

#include "../common/device.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "gravity_constant.h"
#include "gravity_cpu.h"
#include "gravity_float3.h"
#include "gravity_float4.h"
#include "gravity_pairs.h"
#include "gravity_registers.h"
#include "gravity_shared.h"
#include "program.h"

namespace nbody {

// The device's versions, in the order of the chapter.
inline const std::vector<Version>& versions() {
  static const std::vector<Version> all = {kFloat3, kFloat4, kShared, kConstant, kRegisters, kPairs};
  return all;
}

// Splits "float3,shared" and looks the names up; "all" is every one. Ends the program with one line
// if there is no such version.
inline std::vector<std::string> chosen_versions(const std::string& list) {
  std::vector<std::string> known = {"cpu"};
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

// The CPU's row: one evaluation is its step.
inline bool run_cpu_row(const Bodies& bodies, float softening) {
  std::vector<float3> accelerations(bodies.count());
  course::Stopwatch watch;
  gravity_cpu(bodies.positions.data(), bodies.count(), softening_squared(softening),
              accelerations.data());
  const double ms = watch.elapsed_ms();
  Accuracy accuracy;
  if (!verify_accelerations("cpu", bodies.positions, accelerations, softening, &accuracy))
    return false;
  print_row("cpu, serial", bodies.count(), ms, 0, accuracy);
  return true;
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::Request request;
  request.start.initial = "cube";
  int steps = 20;
  std::string list = "all";
  course::Options options("Runs the versions of all-pairs gravity on the same bodies.");
  options.text("versions", "LIST", &list,
               "all, or some of cpu, float3, float4, shared, constant, registers, pairs, with commas");
  request.add_options(options);
  options.number("steps", &steps, 1, 1000000000, "steps to time");
  options.parse(argc, argv);
  const std::vector<std::string> chosen = nbody::chosen_versions(list);

  const nbody::Bodies bodies = request.make_bodies(nbody::versions());
  const int n = bodies.count(), devices = request.settings.devices;
  const double peak = devices * nbody::measure_peak_operations();
  printf("%s, %s%s\n", nbody::bodies_in_words(n).c_str(), course::device_name().c_str(),
         devices > 1 ? (", " + std::to_string(devices) + " of them").c_str() : "");
  printf(
      "%d threads per block; 20 operations per interaction; multiply-adds alone reach %.4g "
      "GFLOP/s\n\n",
      request.settings.threads, peak * 1e-9);
  printf("%-10s %12s %14s %12s %10s %12s\n", "version", "ms per step", "G interact./s", "GFLOP/s",
         "of peak", "rel. error");

  // The loop on the CPU would take minutes for many bodies: it takes part if asked for by name.
  constexpr int kMostForCpu = 16384;
  for (const std::string& name : chosen) {
    if (name == "cpu") {
      if (n > kMostForCpu && list == "all") continue;
      if (!nbody::run_cpu_row(bodies, request.settings.softening)) return course::kExitWrong;
    }
    for (const nbody::Version& version : nbody::versions())
      if (name == version.name && !nbody::run_row(version, bodies, request.settings, steps, peak))
        return course::kExitWrong;
  }
  printf("\nall verified against double precision\n");
  return 0;
}
