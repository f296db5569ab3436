// Computes all-pairs gravity with each pair only once: the force of i on j is the opposite of the
// force of j on i.
//
// What to look at: attract_both in gravity_pairs.h, 17 instructions for both sides of a pair, where
// nbody_registers needs twice 13; how shuffles move the sums of 32 bodies around a warp; and that
// two runs still give the same bits, because each sum has a fixed order.
//
//   ./course run nbody_pairs --size 65536

#include "../common/program/options.h"
#include "gravity_pairs.h"
#include "program.h"

int main(int argc, char** argv) {
  return nbody::run_version(course::Options("All-pairs gravity with each pair computed once."),
                            argc, argv, [] { return nbody::kPairs; });
}
