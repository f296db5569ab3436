// Computes all-pairs gravity with several bodies per thread: fewer reads per interaction.
//
// What to look at: registers_kernel in gravity_registers.h compared with shared_kernel, and
// --per-thread. With one body per thread it is the tile version with its work divided into slices,
// which alone helps if there are too few bodies to fill the GPU.
//
//   ./course run nbody_registers --per-thread 2

#include <string>

#include "../common/program/options.h"
#include "gravity_registers.h"
#include "program.h"

int main(int argc, char** argv) {
  std::string per_thread = "4";
  course::Options options("All-pairs gravity with several bodies per thread, in registers.");
  options.choice("per-thread", &per_thread, {"1", "2", "4", "8"}, "bodies per thread");
  // The number is a constant of the kernel, so each has a kernel of its own.
  return nbody::run_version(options, argc, argv, [&] {
    if (per_thread == "1") return nbody::registers_version<1>();
    if (per_thread == "2") return nbody::registers_version<2>();
    if (per_thread == "8") return nbody::registers_version<8>();
    return nbody::registers_version<4>();
  });
}
