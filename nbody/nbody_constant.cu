// Computes all-pairs gravity with the bodies that pull in constant memory, 4000 at a time.
//
// After the CUDA Handbook, section 14.4. What to look at: gravity_constant() in gravity_constant.h
// copies from device memory to constant memory, in the stream, between kernels. The accelerations
// start from 0, because the kernel adds to them pass by pass.
//
//   ./course run nbody_constant --size 10000

#include "gravity_constant.h"
#include "program.h"

int main(int argc, char** argv) {
  course::Options options("All-pairs gravity with bodies in constant memory, 4000 at a time.");
  return nbody::run_version(options, argc, argv, [] { return nbody::kConstant; });
}
