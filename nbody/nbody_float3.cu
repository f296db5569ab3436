// Computes all-pairs gravity with one thread per body; positions are float3 in global memory.
//
// The first of three kinds of storage in the source's table. What to look at: float3_kernel in
// gravity_float3.h is the inner loop of the CPU; the outer one is the grid. Every thread reads all
// n positions, and a position is three loads, because a float3 is not aligned to its size.
//
//   ./course run nbody_float3 --size 4096 --threads 256

#include "gravity_float3.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity from global memory, bodies as float3.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kFloat3; });
}
