// Spreads heat on a plate and draws it with kernels, into a buffer that OpenGL draws from.
//
// The book's section 8.4. What to look at: compared with chapter 7's heat_texture_1d, only the end
// of a frame differs. The colors go directly to OpenGL's buffer, instead of to the host and back.
// --times shows what this saves. With --through-host, the program copies through the host, as
// before.
//
//   ./course run heat_interop                                  a window; Esc closes it
//   ./course run heat_interop --times --frames 5               the time of each part of a frame
//   ./course run heat_interop --times --frames 5 --through-host
//   ./course run heat_interop --save heat.webp --frames 30     a file

#include <string>
#include <vector>
#include <utility>

#include "../common/program/device.h"
#include "../common/gpu_anim.h"
#include "../common/handle_error.h"
#include "../common/lessons/heat.h"
#include "../common/program/options.h"
#include "../common/pictures/verify_picture.h"

// Resets the heaters to their temperatures.
__global__ void copy_const(float* in, cudaTextureObject_t heaters, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const int offset = x + y * size;  // tex1Dfetch takes an int
  const float heater = tex1Dfetch<float>(heaters, offset);
  if (heater != 0) in[offset] = heater;
}

// One step: the new temperature of each cell.
__global__ void blend(float* out, cudaTextureObject_t in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const int offset = x + y * size;

  int left = offset - 1, right = offset + 1;
  if (x == 0) left++;
  if (x == size - 1) right--;
  int top = offset - size, bottom = offset + size;
  if (y == 0) top += size;
  if (y == size - 1) bottom -= size;

  out[offset] = next_temperature(tex1Dfetch<float>(in, offset), tex1Dfetch<float>(in, top),
                                 tex1Dfetch<float>(in, left), tex1Dfetch<float>(in, right),
                                 tex1Dfetch<float>(in, bottom));
}

// A buffer of size * size temperatures, and the texture that reads it.
struct Buffer {
  float* data = nullptr;
  cudaTextureObject_t texture = 0;
};

Buffer create_buffer(const std::vector<float>& temperatures) {
  Buffer buffer;
  const size_t bytes = temperatures.size() * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&buffer.data, bytes));
  HANDLE_ERROR(cudaMemcpy(buffer.data, temperatures.data(), bytes, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = buffer.data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc how = {};  // all zeros: read elements as they are
  HANDLE_ERROR(cudaCreateTextureObject(&buffer.texture, &resource, &how, nullptr));
  return buffer;
}

void destroy_buffer(const Buffer& buffer) {
  HANDLE_ERROR(cudaDestroyTextureObject(buffer.texture));
  HANDLE_ERROR(cudaFree(buffer.data));
}

struct DataBlock {
  int size = 256, steps = 90;  // cells per side, steps per frame
  Buffer in, out, heaters;
  cudaEvent_t start, stop;
  double total_ms = 0;
  int frames = 0;
};

void create(DataBlock* d) {
  const std::vector<float> temperatures = start_temperatures(d->size);
  d->in = create_buffer(temperatures);
  d->out = create_buffer(temperatures);
  d->heaters = create_buffer(make_heaters(d->size));
  HANDLE_ERROR(cudaEventCreate(&d->start));
  HANDLE_ERROR(cudaEventCreate(&d->stop));
}

void destroy(DataBlock* d) {
  destroy_buffer(d->in);
  destroy_buffer(d->out);
  destroy_buffer(d->heaters);
  HANDLE_ERROR(cudaEventDestroy(d->start));
  HANDLE_ERROR(cudaEventDestroy(d->stop));
}

// One step. It swaps the buffers, so the next step reads what this one wrote.
void step(DataBlock* d) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  copy_const<<<grid, block>>>(d->in.data, d->heaters.texture, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->out.data, d->in.texture, d->size);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->in, d->out);
}

// Draws one frame: called by GPUAnimBitmap.
void anim_gpu(uchar4* pixels, void* data, int) {
  DataBlock* d = static_cast<DataBlock*>(data);
  HANDLE_ERROR(cudaEventRecord(d->start));
  for (int i = 0; i < d->steps; i++) step(d);
  paint<<<grid_for(d->size), dim3(kTile, kTile)>>>(pixels, d->in.data, d->size, d->size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaEventRecord(d->stop));
  HANDLE_ERROR(cudaEventSynchronize(d->stop));
  float ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, d->start, d->stop));
  d->total_ms += ms;
  d->frames++;
}

// Called when the animation ends.
void anim_exit(void* data) {
  DataBlock* d = static_cast<DataBlock*>(data);
  printf("%s", frame_time_in_words(d->total_ms, d->frames).c_str());
  destroy(d);
}

// The temperatures of a plate of size x size cells after `steps` steps on the device.
std::vector<float> heat(int size, int steps) {
  std::vector<float> temperatures(size_t(size) * size);
  if (size == 0) return temperatures;
  DataBlock d;
  d.size = size;
  create(&d);
  for (int i = 0; i < steps; i++) step(&d);
  HANDLE_ERROR(cudaMemcpy(temperatures.data(), d.in.data, temperatures.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
  destroy(&d);
  return temperatures;
}

// Ends the program if a one-dimensional texture cannot hold the plate.
void require_texture(int size) {
  int device = 0, elements = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&elements, cudaDevAttrMaxTexture1DLinearWidth, device));
  if (double(size) * size > elements)
    course::bad_usage("--size must be smaller: a 1-D texture holds " + std::to_string(elements) +
                      " elements at most, not " + std::to_string(size) + " x " +
                      std::to_string(size));
}

// Compares the colors that a frame of the bitmap gets with the CPU's, a few steps from the start.
bool verify_frame(GPUAnimBitmap* bitmap, int size) {
  DataBlock d;
  d.size = size;
  d.steps = 3;
  create(&d);
  const std::vector<unsigned char> frame = bitmap->read_frame(anim_gpu, &d, 1);
  destroy(&d);
  const std::vector<unsigned char> expected = heat_picture(heat_reference(size, d.steps));
  return course::verify_picture(frame.data(), expected.data(), size, size);
}

int main(int argc, char** argv) {
  DataBlock d;
  course::Options options("Heat spreads on a plate, in a buffer that CUDA and OpenGL share.");
  options.number("size", &d.size, 1, 32768, "cells, and pixels, per side");
  options.number("steps", &d.steps, 0, 1000000, "steps per frame");
  course::gpu_animation(options);
  options.parse(argc, argv);
  const double cells = double(d.size) * d.size;
  require_texture(d.size);
  course::require_memory(16 * cells, 20 * cells);

  GPUAnimBitmap bitmap(d.size, d.size, &d);
  if (!verify_heat(d.size, d.steps, heat) || !verify_frame(&bitmap, d.size))
    return course::kExitWrong;
  bitmap.default_frames = kDefaultFrames;
  create(&d);
  bitmap.anim_and_exit(anim_gpu, anim_exit);
  return 0;
}
