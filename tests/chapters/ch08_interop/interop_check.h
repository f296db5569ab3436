// What the programs of chapter 8 do without a display, for their tests: that with one is in
// window_check.h.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../../common/program/compare.h"
#include "../../harness/bad_input.h"

namespace course {

// Every size gives a file of that size, after the pixels were compared; and bad options.
inline void check_interop_program(const std::string& name, const std::vector<std::string>& more,
                                  const std::string& ending) {
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  for (const char* size : {"1", "15", "16", "17", "1000", "1021", "1024"}) {
    std::vector<std::string> arguments = {"--size", size};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const RunResult result = run_program(arguments, options);
    CHECK(result.exit_code == 0);
    CHECK(result.err == "");
    CHECK_MESSAGE(contains(result.out, "\n0 of "), result.out);
    CHECK_MESSAGE(contains(result.out, "saved " + name + ending + " (" + size + " x " + size),
                  result.out);
  }
  CHECK(folder.names() == std::vector<std::string>{name + ending});
  check_number_option("size");
  check_save_option();
  check_refused({"--size", "0"}, "--size must be");
}

// The same for an animation: what it saves, and what it prints of its times.
inline void check_interop_animation(const std::string& name, std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--frames", "1"});
  check_interop_program(name, more, ".webp");
  TemporaryFolder folder;
  RunOptions options;
  options.working_directory = folder.path();
  options.unset = {"DISPLAY"};
  const RunResult result =
      run_program({"--size", "64", "--frames", "3", "--times", "--save", "x.png"}, options);
  CHECK(result.exit_code == 0);
  CHECK(contains(result.out, "saved x.png (64 x 64, frame 3)"));
  CHECK(contains(result.out, "frame 3: kernels "));
  CHECK(contains(result.out, ", copies "));  // to the file
  CHECK(contains(result.out, "medians of 3 frames: kernels "));
  check_number_option("frames");
}

}  // namespace course
