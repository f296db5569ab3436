// Listings as a reader of the book types them (tests/listings) compile with nothing but common/ and
// run. Those that say "cpu_device only" use what today's Toolkit refuses.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../harness/run_program.h"

namespace {

std::string environment(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

// What each listing prints, or a part of it.
const std::map<std::string, std::string> kOutput = {
    {"hello_world", "Hello, World!\n"},
    {"simple_kernel", "Hello, World!\n"},
    {"simple_kernel_params", "2 + 7 = 9\n"},
    {"enum_gpu", "Threads in a warp: 32\n"},
    {"set_gpu", "Closest to 1.3: 0\n"},
    {"add_loop_cpu", "-9 + 81 = 72\n"},
    {"add_loop_gpu", "-49999 + 99998 = 49999\nall right\n"},
    {"julia_cpu", "saved julia_cpu.png (300 x 300)\n"},
    {"julia_gpu", "saved julia_gpu.png (300 x 300)\n"},
    {"julia_gpu_constructor", "saved julia_gpu_constructor.png (300 x 300)\n"},
    {"sum_of_squares", "the sum is 8331\n"},
    {"moving_rings", "saved moving_rings.webp (64 x 64, 44 frames)\n"},
    {"shared_rings", "saved shared_rings.webp (64 x 64, 44 frames)\n44 frames\n"},
    {"constant_lamps", "the lamps took some time\nsaved constant_lamps.png (96 x 96)\n"},
    {"texture_references_1d", "44 frames, 1 0\n"},
    {"texture_references_2d", "44 frames, 1 0\n"},
};

std::vector<std::string> listings() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(environment("COURSE_SOURCE") + "/tests/listings"))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

// The command that a reader types, and what it needs in addition where the Toolkit is used.
std::vector<std::string> compile_command(const std::string& name, const std::string& output) {
  const std::string source = environment("COURSE_SOURCE");
  std::string nvcc = source + "/common/cpu_device/nvcc";
  if (!course::on_cpu_device()) {
    nvcc = environment("CUDACXX");
    if (nvcc.empty()) nvcc = "/usr/local/cuda/bin/nvcc";
    if (!std::filesystem::exists(nvcc)) nvcc = "nvcc";
  }
  std::vector<std::string> command = {
      nvcc, source + "/tests/listings/" + name + ".cu", "-I", source + "/common", "-o", output};
  if (!course::on_cpu_device() && course::contains(course::read_file(command[1]), "cpu_bitmap.h"))
    command.insert(command.end(), {"-lglut", "-lGL", "-lpng"});
  if (!course::on_cpu_device() && course::contains(course::read_file(command[1]), "cpu_anim.h"))
    command.insert(command.end(), {"-lglut", "-lGL", "-lpng", "-lwebpmux", "-lwebp"});
  if (!course::on_cpu_device() && course::contains(course::read_file(command[1]), "gpu_anim.h"))
    command.insert(command.end(), {"-lglut", "-lGL", "-lGLEW", "-lpng", "-lwebpmux", "-lwebp"});
  return command;
}

}  // namespace

TEST_CASE("every listing is known here, and the other way around") {
  std::vector<std::string> known;
  for (const auto& [name, output] : kOutput) known.push_back(name);
  CHECK(listings() == known);
}

TEST_CASE("listings compile without a word, and run" * doctest::test_suite("long")) {
  const std::string source = environment("COURSE_SOURCE");
  REQUIRE(!source.empty());
  course::TemporaryFolder folder;
  const std::string here = folder.file("a folder");  // with a space, as on many a desktop
  std::filesystem::create_directory(here);
  course::RunOptions options;
  options.working_directory = here;
  options.unset = {"DISPLAY"};
  options.timeout_s = 120;
  options.environment["CPU_DEVICE_CACHE"] = environment("COURSE_BUILD") + "/cpu_device";
  for (const auto& [name, output] : kOutput) {
    INFO(name);
    const std::string text = course::read_file(source + "/tests/listings/" + name + ".cu");
    if (!course::on_cpu_device() && course::contains(text, "cpu_device only")) continue;
    const course::RunResult compiled = course::run(compile_command(name, name), options);
    CHECK_MESSAGE(compiled.exit_code == 0, compiled.err);
    if (course::on_cpu_device()) CHECK(compiled.out + compiled.err == "");
    if (compiled.exit_code != 0) continue;
    const course::RunResult result = course::run({here + "/" + name}, options);
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, output), (result.out + result.err));
  }
  if (course::on_cpu_device()) {  // a GPU may fuse multiplications and additions; see
                                  // common/program/rounding.h
    const std::string picture = course::read_file(here + "/julia_cpu.png");
    CHECK(course::read_file(here + "/julia_gpu.png") == picture);
    CHECK(course::read_file(here + "/julia_gpu_constructor.png") == picture);
  }
}
