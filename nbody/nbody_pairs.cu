// All-pairs gravity with each pair computed once: what one body does to another, that one does
// back.
//
// What to look at: attract_both in gravity_pairs.h, 17 instructions for both sides of a pair, where
// nbody_registers has twice 13; how the sums of 32 bodies go around a warp by shuffles; and that
// two runs still give the same bits, because no sum depends on who comes first.
//
//   ./course run nbody_pairs --size 65536

#include "../common/program/options.h"
#include "gravity_pairs.h"
#include "program.h"

int main(int argc, char** argv) {
  return nbody::run_version(course::Options("All-pairs gravity with each pair computed once."),
                            argc, argv, [] { return nbody::kPairs; });
}
