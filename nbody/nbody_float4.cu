// Computes all-pairs gravity with one thread per body; a body is one float4 in global memory.
//
// What to look at: the only change since nbody_float3 is the type, and with it one load of 16 bytes
// instead of four loads. In the source, it is slower. Here it is a little faster on every
// device: see the README's table.
//
//   ./course run nbody_float4 --size 4096 --threads 256

#include "gravity_float4.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity from global memory, bodies as float4.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kFloat4; });
}
