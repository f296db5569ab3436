// common/pictures/gl_sharing.h and common/gpu_anim.h where CUDA refuses to share, or another device draws.
//
// No machine refuses on demand, so two of CUDA's functions are replaced here. A case whose name
// begins with "child" is what the others run as a program of its own.

#include <cuda_gl_interop.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

cudaError_t devices_answer = cudaSuccess, register_answer = cudaSuccess;

template <typename... Arguments>
cudaError_t get_devices(Arguments... arguments) {
  return devices_answer != cudaSuccess ? devices_answer : cudaGLGetDevices(arguments...);
}
template <typename... Arguments>
cudaError_t register_buffer(Arguments... arguments) {
  return register_answer != cudaSuccess ? register_answer
                                        : cudaGraphicsGLRegisterBuffer(arguments...);
}

}  // namespace

#define cudaGLGetDevices get_devices
#define cudaGraphicsGLRegisterBuffer register_buffer
#include "../../common/gpu_anim.h"
#undef cudaGLGetDevices
#undef cudaGraphicsGLRegisterBuffer

#include "../harness/window_check.h"

namespace {

constexpr int kSize = 100;

__global__ void slope(uchar4* pixels, int ticks) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= kSize * kSize) return;
  pixels[i] = make_uchar4(i % kSize, i / kSize, ticks > 0 ? 77 : 0, 255);
}

void draw_slope(uchar4* pixels, void*, int ticks) {
  slope<<<(kSize * kSize + 255) / 256, 256>>>(pixels, ticks);
  HANDLE_ERROR(cudaGetLastError());
}

bool shows_slope(const course::Picture& picture) {
  if (picture.empty()) return false;
  for (int i = 0; i < kSize * kSize; i++)
    if (picture[4 * i] != i % kSize || picture[4 * i + 1] != i / kSize || picture[4 * i + 2] != 77)
      return false;
  return true;
}

void show() {
  course::sharing_request().times = true;
  GPUAnimBitmap bitmap(kSize, kSize);
  bitmap.anim_and_exit(draw_slope, [](void*) { printf("good bye\n"); });
}

// Runs a case of this file as a program, until Esc; returns what it said.
course::RunResult show_in_window(const std::string& test_case, course::RunOptions options) {
  char path[4096] = {};
  REQUIRE(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
  const course::XServer server;
  course::WindowedProgram run({path, "--no-skip", "--test-case=" + test_case}, server, options);
  const course::XWindow window = run.window();
  course::check_shown({test_case, {}, kSize, shows_slope}, window);
  window.resize(2 * kSize, 2 * kSize);
  course::check_shown({test_case, {}, kSize, shows_slope}, window);
  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);  // said once
  CHECK(course::contains(result.out, "good bye"));
  return result;
}

}  // namespace

TEST_CASE("child: the registration is refused" * doctest::skip()) {
  register_answer = cudaErrorOperatingSystem;
  show();
}

TEST_CASE("child: no device draws the window" * doctest::skip()) {
  devices_answer = cudaErrorUnknown;
  show();
}

TEST_CASE("child: another device draws the window" * doctest::skip()) {
  HANDLE_ERROR(cudaSetDevice(1));
  show();
}

TEST_CASE("the registration is refused: frames are copied through the host") {
  const course::RunResult result =
      show_in_window("child: the registration is refused", course::window_options());
  CHECK_MESSAGE(course::contains(result.err, "each frame is copied through the host: "),
                result.err);
  CHECK_MESSAGE(course::contains(result.err, "(cudaErrorOperatingSystem)"), result.err);
  CHECK(course::contains(result.out, ", copies "));
  CHECK_FALSE(course::contains(result.out, ", map and unmap "));
}

TEST_CASE("no device draws the window: frames are copied through the host") {
  const course::RunResult result =
      show_in_window("child: no device draws the window", course::window_options());
  CHECK_MESSAGE(course::contains(result.err, "copied through the host: OpenGL is drawn by "),
                result.err);
  CHECK_MESSAGE(course::contains(result.err, "which is not a CUDA device (cudaErrorUnknown)"),
                result.err);
  CHECK(course::contains(result.out, ", copies "));
}

TEST_CASE("another device draws the window: it is taken") {
  if (!course::on_cpu_device()) return;  // which has as many devices as one wants
  course::RunOptions options = course::window_options();
  options.environment["CPU_DEVICE_COUNT"] = "2";
  const course::RunResult result =
      show_in_window("child: another device draws the window", options);
  CHECK_MESSAGE(course::contains(result.err, "CUDA uses device 0 instead of 1"), result.err);
  CHECK(course::contains(result.out, ", map and unmap "));
}
