// Computes all-pairs gravity on the CPU: every body pulls every other, two nested loops.
//
// The start of the chapter; no kernel yet. What to look at: attract() in body.h, the chapter's only
// formula, and why float is enough for it: the program prints the error against double.
//
//   ./course run nbody_cpu --size 4096

#include <stdio.h>

#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "bodies.h"
#include "gravity_cpu.h"
#include "program.h"
#include "double_precision_reference.h"

int main(int argc, char** argv) {
  nbody::Start start;
  start.initial = "cube";
  course::Options options("All-pairs gravity on the CPU, with a plain loop.");
  start.add_options(options);
  options.parse(argc, argv);
  if (start.file.empty()) course::require_memory(0, 100.0 * start.size);
  const nbody::Bodies bodies = start.make();

  const int n = bodies.count();
  std::vector<float3> accelerations(n);
  course::Stopwatch watch;
  nbody::gravity_cpu(bodies.positions.data(), n, nbody::softening_squared(start.softening),
                     accelerations.data());
  const double ms = watch.elapsed_ms();

  nbody::Accuracy accuracy;
  if (!nbody::verify_accelerations("cpu", bodies.positions, accelerations, start.softening,
                                   &accuracy))
    return course::kExitWrong;
  printf("%s on one core of the CPU\n", nbody::bodies_in_words(n).c_str());
  nbody::print_accuracy(accuracy, n);
  printf("%.4g ms, %.4g G interactions/s\n", ms, nbody::interactions_per_second(n, ms) * 1e-9);
  return 0;
}
