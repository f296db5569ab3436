// Spreads heat on a plate: reads the temperatures through two-dimensional textures.
//
// The book's section 7.3.5. What to look at: a 2-D texture is indexed by (x, y), and returns the
// edge's value for coordinates beyond the edge (cudaAddressModeClamp). The kernel needs no `if`s
// for the edge. The center of the element (texel) in column x and row y is at (x + 0.5, y + 0.5).
// Rows must start at aligned addresses, so cudaMallocPitch makes them longer than the plate is
// wide, if necessary.
//
//   ./course run heat_texture_2d                                 a window; Esc closes it
//   ./course run heat_texture_2d --save heat.webp --frames 30    a file

#include <vector>
#include <utility>

#include "../common/handle_error.h"
#include "heat_program.h"

// Resets the heaters to their temperatures. Rows start every `row` floats.
__global__ void copy_const(float* in, cudaTextureObject_t heaters, int size, size_t row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float heater = tex2D<float>(heaters, x + 0.5f, y + 0.5f);
  if (heater != 0) in[x + y * row] = heater;
}

// One step: the new temperature of each cell.
__global__ void blend(float* out, cudaTextureObject_t in, int size, size_t row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;

  const float center = tex2D<float>(in, x + 0.5f, y + 0.5f);
  const float top = tex2D<float>(in, x + 0.5f, y - 0.5f);
  const float left = tex2D<float>(in, x - 0.5f, y + 0.5f);
  const float right = tex2D<float>(in, x + 1.5f, y + 0.5f);
  const float bottom = tex2D<float>(in, x + 0.5f, y + 1.5f);
  out[x + y * row] = next_temperature(center, top, left, right, bottom);
}

// A buffer of size x size temperatures, and the texture that reads it.
struct Buffer {
  float* data = nullptr;
  size_t pitch = 0;  // bytes from row to row
  cudaTextureObject_t texture = 0;
};

Buffer create_buffer(const std::vector<float>& temperatures, int size) {
  Buffer buffer;
  const size_t bytes = size * sizeof(float);
  HANDLE_ERROR(cudaMallocPitch(&buffer.data, &buffer.pitch, bytes, size));
  HANDLE_ERROR(cudaMemcpy2D(buffer.data, buffer.pitch, temperatures.data(), bytes, bytes, size,
                            cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = buffer.data;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = size;
  resource.res.pitch2D.height = size;
  resource.res.pitch2D.pitchInBytes = buffer.pitch;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeClamp;
  how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
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
  d->in = create_buffer(temperatures, d->size);
  d->out = create_buffer(temperatures, d->size);
  d->heaters = create_buffer(make_heaters(d->size), d->size);
}

void destroy_buffers(DataBlock* d) {
  destroy_buffer(d->in);
  destroy_buffer(d->out);
  destroy_buffer(d->heaters);
}

// One step. It swaps the buffers, so the next step reads what this one wrote.
void step(DataBlock* d) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  const size_t row = d->in.pitch / sizeof(float);  // the same for all buffers
  copy_const<<<grid, block>>>(d->in.data, d->heaters.texture, d->size, row);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->out.data, d->in.texture, d->size, row);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->in, d->out);
}

void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps; i++) step(d);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.in.data, d.in.pitch / sizeof(float)}; }

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, with 2-D textures.");
}
