// All-pairs gravity with tiles in shared memory: a block reads each body once, not each thread.
//
// What to look at: the two barriers in shared_kernel (gravity_shared.h), what each of them is for,
// and that no thread leaves before them, whatever the number of bodies and the size of the block.
//
//   ./course run nbody_shared --size 4001 --threads 96

#include "gravity_shared.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity with tiles of bodies in shared memory.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kShared; });
}
