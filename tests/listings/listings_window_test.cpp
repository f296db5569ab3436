// Listings that open their windows themselves (tests/listings/window), typed as in the book: they
// compile, draw, and leave with Esc.

#include <string>
#include <vector>

#include "../../common/pictures/window.h"
#include "../harness/window_check.h"

TEST_CASE("a buffer of OpenGL, shared by hand") {
  constexpr int kSize = 64;
  const std::string source = getenv("COURSE_SOURCE");
  course::TemporaryFolder folder;
  course::RunOptions options = course::window_options();
  options.timeout_s = 120;
  options.environment["CPU_DEVICE_CACHE"] = std::string(getenv("COURSE_BUILD")) + "/cpu_device";

  const std::string program = folder.file("shared_buffer");
  std::vector<std::string> compile = {source + "/common/cpu_device/nvcc",
                                      source + "/tests/listings/window/shared_buffer.cu",
                                      "-I",
                                      source + "/common",
                                      "-o",
                                      program};
  if (!course::on_cpu_device()) {
    const char* const nvcc = getenv("CUDACXX");
    compile[0] = nvcc != nullptr && *nvcc != '\0' ? nvcc : "/usr/local/cuda/bin/nvcc";
    compile.insert(compile.end(), {"-lglut", "-lGL", "-lpng"});
  }
  const course::RunResult compiled = course::run(compile, options);
  REQUIRE_MESSAGE(compiled.exit_code == 0, compiled.err);
  // The book chooses the device with cudaGLSetGLDevice, which CUDA 13 answered with
  // cudaErrorDevicesUnavailable on an H200 (driver 580): there it is enough that it compiles.
  if (!course::on_cpu_device()) return;
  CHECK(compiled.out + compiled.err == "");

  course::WindowCase listing = {"shared_buffer", {}, kSize, {}};
  listing.draws = [](const course::Picture& picture) {
    if (picture.empty()) return false;
    for (int y = 0; y < kSize; y++)
      for (int x = 0; x < kSize; x++) {
        const unsigned char* pixel = &picture[4 * (x + y * kSize)];
        if (pixel[0] != 4 * x || pixel[1] != 4 * y || pixel[2] != 0) return false;
      }
    return true;
  };
  const course::XServer server;
  course::WindowedProgram run({program}, server, options);
  const course::XWindow window = run.window();
  course::check_shown(listing, window);
  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(result.err == "", result.err);
}
