// Spreads heat on a plate: reads the temperatures through one-dimensional textures.
//
// The book's section 7.3.4. What to look at: kernels read one buffer through a texture object, and
// write another one through a pointer. A texture object is a handle that a kernel takes as a
// parameter. (The book's texture references were global variables, so its kernels could not take
// their input as a parameter. That made its program wrong for odd numbers of steps per frame; see
// MORE.md.) Here a struct holds a buffer and its texture, and the two structs are swapped.
//
//   ./course run heat_texture_1d                                 a window; Esc closes it
//   ./course run heat_texture_1d --save heat.webp --frames 30    a file

#include <string>
#include <vector>
#include <utility>

#include "../common/handle_error.h"
#include "heat_program.h"

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

struct DataBlock : HeatFrames {
  Buffer in, out, heaters;
};

void create_buffers(DataBlock* d) {
  const std::vector<float> temperatures = start_temperatures(d->size);
  d->in = create_buffer(temperatures);
  d->out = create_buffer(temperatures);
  d->heaters = create_buffer(make_heaters(d->size));
}

void destroy_buffers(DataBlock* d) {
  destroy_buffer(d->in);
  destroy_buffer(d->out);
  destroy_buffer(d->heaters);
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

void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps; i++) step(d);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.in.data, static_cast<size_t>(d.size)}; }

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

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, with 1-D textures.",
                                 require_texture);
}
