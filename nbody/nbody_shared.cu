// Computes all-pairs gravity with tiles in shared memory: each block reads each body only once.
//
// What to look at: the two barriers in shared_kernel (gravity_shared.h) and their purpose. No
// thread returns before them, whatever the number of bodies and the block size.
//
//   ./course run nbody_shared --size 4001 --threads 96

#include "gravity_shared.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity with tiles of bodies in shared memory.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kShared; });
}
