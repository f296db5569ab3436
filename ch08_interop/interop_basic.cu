// Shares one buffer under two names: a kernel writes to it, and OpenGL draws it.
//
// The book's section 8.2. What to look at: OpenGL creates the buffer, and CUDA registers it, once.
// To use it, CUDA maps it and gets a pointer. Then CUDA unmaps it, and only then may OpenGL draw:
// unmapping makes OpenGL wait for the kernel. While a buffer is bound to GL_PIXEL_UNPACK_BUFFER,
// the last argument of glDrawPixels is not a pointer but an offset into the buffer. (glDrawPixels
// is legacy OpenGL; see MORE.md.)
//
//   ./course run interop_basic                      a window; Esc closes it
//   ./course run interop_basic --save stripes.png   a file

#include <math.h>

#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/pictures/gl_sharing.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/pictures/picture.h"
#include "../common/pictures/verify_picture.h"

constexpr int kTile = 16;  // threads per block in each dimension

// The formula, for the CPU and the device: the color of pixel (x, y), green stripes.
__host__ __device__ inline uchar4 stripe_color(int x, int y, int size) {
  const float fx = static_cast<float>(x) / static_cast<float>(size) - 0.5f;
  const float fy = static_cast<float>(y) / static_cast<float>(size) - 0.5f;
  const float wave = sinf(fabsf(fx * 100.0f) - fabsf(fy * 100.0f));
  return make_uchar4(0, static_cast<unsigned char>(128.0f + 127.0f * wave), 0, 255);
}

// The picture, computed by the CPU: RGBA, bottom row first.
std::vector<unsigned char> stripes_reference(int size) {
  std::vector<unsigned char> rgba;
  rgba.reserve(4 * size_t(size) * size);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) {
      const uchar4 color = stripe_color(x, y, size);
      rgba.insert(rgba.end(), {color.x, color.y, color.z, color.w});
    }
  return rgba;
}

// One thread per pixel.
__global__ void draw_stripes(uchar4* pixels, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  pixels[x + static_cast<size_t>(y) * size] = stripe_color(x, y, size);
}

void launch(uchar4* pixels, int size) {
  const unsigned tiles = (size + kTile - 1) / kTile;
  draw_stripes<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(pixels, size);
  HANDLE_ERROR(cudaGetLastError());
}

// The picture, drawn into the device's memory and copied to the host.
std::vector<unsigned char> stripes(int size) {
  std::vector<unsigned char> rgba(4 * size_t(size) * size);
  if (size == 0) return rgba;
  uchar4* pixels = nullptr;
  HANDLE_ERROR(cudaMalloc(&pixels, rgba.size()));
  launch(pixels, size);
  HANDLE_ERROR(cudaMemcpy(rgba.data(), pixels, rgba.size(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(pixels));
  return rgba;
}

// freeglut's callbacks take no data, so these variables are global.
int size = 512;
GLuint buffer = 0;                         // OpenGL's name
cudaGraphicsResource* resource = nullptr;  // CUDA's name
std::vector<unsigned char> picture;        // drawn if nothing is shared

// freeglut calls this whenever the window must be drawn.
void draw() {
  course::place_picture(size, size);
  // From the start of the bound buffer, or from host memory if none is bound.
  glDrawPixels(size, size, GL_RGBA, GL_UNSIGNED_BYTE, resource != nullptr ? nullptr : &picture[0]);
  glutSwapBuffers();
}

// Shares a buffer with OpenGL and draws into it. Returns why that is not possible, or "".
std::string draw_into_shared_buffer() {
  std::string problem = course::start_gl_buffers();
  if (problem.empty()) problem = course::choose_gl_device();
  if (!problem.empty()) return problem;

  glGenBuffers(1, &buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, 4 * GLsizeiptr(size) * size, nullptr, GL_DYNAMIC_DRAW);
  const cudaError_t error =
      cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard);
  if (error != cudaSuccess) {
    cudaGetLastError();
    resource = nullptr;
    return std::string("cudaGraphicsGLRegisterBuffer: ") + cudaGetErrorString(error);
  }

  uchar4* pixels = nullptr;
  size_t bytes = 0;
  HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));
  HANDLE_ERROR(
      cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes, resource));
  launch(pixels, size);
  HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));
  return "";
}

// freeglut calls this before the window closes.
void clean_up() {
  if (resource != nullptr) HANDLE_ERROR(cudaGraphicsUnregisterResource(resource));
  if (buffer != 0) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glDeleteBuffers(1, &buffer);
  }
  resource = nullptr;
  buffer = 0;
}

int main(int argc, char** argv) {
  course::Options options("Draws stripes into a buffer that CUDA and OpenGL share.");
  options.number("size", &size, 1, 16384, "pixels per side");
  options.picture();
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes, 4 * bytes);

  printf("%d x %d pixels on %s\n", size, size, course::device_name().c_str());
  const std::vector<unsigned char> expected = stripes_reference(size);
  picture = stripes(size);
  if (!course::verify_picture(picture.data(), expected.data(), size, size))
    return course::kExitWrong;

  if (!course::picture_request().save.empty() || !course::has_display() ||
      !course::try_open_window(size, size)) {
    course::save_picture(picture.data(), size, size);
    return 0;
  }
  const std::string problem = draw_into_shared_buffer();
  if (problem.empty()) {
    glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, picture.size(), picture.data());
    printf("in OpenGL's buffer, ");
    if (!course::verify_picture(picture.data(), expected.data(), size, size))
      return course::kExitWrong;
  } else {
    clean_up();
    fprintf(stderr, "interop_basic: the picture is copied through the host: %s\n", problem.c_str());
  }
  glutKeyboardFunc(course::leave_on_escape);
  course::show_still(draw);
  glutCloseFunc(clean_up);
  glutMainLoop();  // returns when the window is closed
  return 0;
}
