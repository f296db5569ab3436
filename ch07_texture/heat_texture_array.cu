// Spreads heat on a plate: the temperatures are in CUDA arrays.
//
// Not in the book. A CUDA array has a layout of its own, made for 2-D access. What to look at: no
// pointer points into it. Kernels read it through a texture and write it through a surface, whose x
// coordinate is in bytes. The kernels are otherwise those of heat_texture_2d.
//
//   ./course run heat_texture_array                                 a window; Esc closes it
//   ./course run heat_texture_array --save heat.webp --frames 30    a file

#include <utility>
#include <vector>

#include "../common/handle_error.h"
#include "heat_program.h"

// Resets the heaters to their temperatures.
__global__ void copy_const(cudaSurfaceObject_t in, cudaTextureObject_t heaters, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float heater = tex2D<float>(heaters, x + 0.5f, y + 0.5f);
  if (heater != 0) surf2Dwrite(heater, in, x * static_cast<int>(sizeof(float)), y);
}

// One step: the new temperature of each cell.
__global__ void blend(cudaSurfaceObject_t out, cudaTextureObject_t in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;

  const float center = tex2D<float>(in, x + 0.5f, y + 0.5f);
  const float top = tex2D<float>(in, x + 0.5f, y - 0.5f);
  const float left = tex2D<float>(in, x - 0.5f, y + 0.5f);
  const float right = tex2D<float>(in, x + 1.5f, y + 0.5f);
  const float bottom = tex2D<float>(in, x + 0.5f, y + 1.5f);
  surf2Dwrite(next_temperature(center, top, left, right, bottom), out,
              x * static_cast<int>(sizeof(float)), y);
}

// A buffer of size x size temperatures, the texture that reads it, and the surface that writes it.
struct Buffer {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
};

Buffer create_buffer(const std::vector<float>& temperatures, int size) {
  Buffer buffer;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const size_t bytes = size * sizeof(float);
  HANDLE_ERROR(cudaMallocArray(&buffer.array, &format, size, size, cudaArraySurfaceLoadStore));
  HANDLE_ERROR(cudaMemcpy2DToArray(buffer.array, 0, 0, temperatures.data(), bytes, bytes, size,
                                   cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = buffer.array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeClamp;
  how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  HANDLE_ERROR(cudaCreateTextureObject(&buffer.texture, &resource, &how, nullptr));
  HANDLE_ERROR(cudaCreateSurfaceObject(&buffer.surface, &resource));
  return buffer;
}

void destroy_buffer(const Buffer& buffer) {
  HANDLE_ERROR(cudaDestroySurfaceObject(buffer.surface));
  HANDLE_ERROR(cudaDestroyTextureObject(buffer.texture));
  HANDLE_ERROR(cudaFreeArray(buffer.array));
}

struct DataBlock : HeatFrames {
  Buffer in, out, heaters;
  float* rows = nullptr;  // the temperatures row by row, to color them
};

void create_buffers(DataBlock* d) {
  const std::vector<float> temperatures = start_temperatures(d->size);
  d->in = create_buffer(temperatures, d->size);
  d->out = create_buffer(temperatures, d->size);
  d->heaters = create_buffer(make_heaters(d->size), d->size);
  HANDLE_ERROR(cudaMalloc(&d->rows, sizeof(float) * d->size * d->size));
}

void destroy_buffers(DataBlock* d) {
  destroy_buffer(d->in);
  destroy_buffer(d->out);
  destroy_buffer(d->heaters);
  HANDLE_ERROR(cudaFree(d->rows));
}

// One step. It swaps the buffers, so the next step reads what this one wrote.
void step(DataBlock* d) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  copy_const<<<grid, block>>>(d->in.surface, d->heaters.texture, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->out.surface, d->in.texture, d->size);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->in, d->out);
}

void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps; i++) step(d);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) {
  const size_t bytes = d.size * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2DFromArray(d.rows, bytes, d.in.array, 0, 0, bytes, d.size,
                                     cudaMemcpyDeviceToDevice));
  return {d.rows, static_cast<size_t>(d.size)};
}

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, in CUDA arrays.");
}
