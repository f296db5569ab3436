// Does a program notice a wrong result? Included after the program, which is included after
// watch_calls.h: its main() is run in a process of its own where every copy to the host arrives
// damaged. The usual order of threads damages the last byte, the two others other places.
//
// And does it give back the memory that it takes?
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run_program.h"
#include "watch_calls.h"

namespace course {

// The program, called with these arguments, says that its result is wrong, and ends with 1.
void check_damage_is_noticed(const std::vector<std::string>& args, bool slight = false);

// Called when all tests of this process have run; null: nothing is.
extern void (*after_all_tests)();

}  // namespace course

// Does something only when check_damage_is_noticed() has started this process.
TEST_CASE("(damaged run)") {
  const char* const words = getenv("COURSE_DAMAGED_RUN");
  if (words == nullptr) return;
  std::vector<std::string> args = {"program"};
  std::istringstream stream(words);
  for (std::string word; stream >> word;) args.push_back(word);
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(&arg[0]);
  argv.push_back(nullptr);
  const char* const order = getenv("CPU_DEVICE_ORDER");
  course::Damage& damage = course::watched().damage;
  damage = course::Damage::kLast;
  if (order != nullptr) damage = *order == 'r' ? course::Damage::kSecond : course::Damage::kFirst;
  if (getenv("COURSE_DAMAGE") != nullptr) damage = course::Damage::kSlight;
  exit(program_main(static_cast<int>(args.size()), argv.data()));
}

namespace course {

// When all tests have run, no memory of the CPU device, which counts by process, is in use, and no
// pinned memory of the host.
inline void check_nothing_is_kept() {
  if (!on_cpu_device()) return;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return;
  size_t kept = 0;
  for (int device = 0; device < devices; device++) {
    size_t free_bytes = 0, total_bytes = 0;
    cudaSetDevice(device);
    cudaMemGetInfo(&free_bytes, &total_bytes);
    kept += total_bytes - free_bytes;
  }
  if (kept == 0 && watched().host_allocations == 0) return;
  fprintf(stderr, "not given back: %zu bytes of the device's memory, %d pinned allocations\n", kept,
          watched().host_allocations);
  _exit(1);
}
static const bool nothing_is_kept = (after_all_tests = check_nothing_is_kept, true);

}  // namespace course
