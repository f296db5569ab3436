// Heat spreads on a plate: the temperatures are read through two-dimensional textures.
//
// The book's section 7.3.5. What to look at: a texture with two dimensions is asked for (x, y), and
// answers coordinates beyond the edge with the edge's value (cudaAddressModeClamp). The `if`s of
// the versions before are gone. Texels have their centers at .5. Rows must start at aligned
// addresses, so cudaMallocPitch makes them a little longer than the plate is wide.
//
//   ./course run heat_texture_2d                                 a window; Esc leaves
//   ./course run heat_texture_2d --save heat.webp --frames 60    a file

#include <vector>

#include "../common/book.h"
#include "../common/cpu_anim.h"
#include "../common/device.h"
#include "../common/heat.h"
#include "../common/options.h"
#include "../common/timing.h"

// Puts the heaters' temperatures onto the plate, whose rows start every `row` floats.
__global__ void copy_const(float* in, cudaTextureObject_t heaters, int size, size_t row) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  const float heater = tex2D<float>(heaters, x + 0.5f, y + 0.5f);
  if (heater != 0) in[x + y * row] = heater;
}

// One step: the new temperature of every cell.
__global__ void blend(float* out, cudaTextureObject_t in, int size, size_t row) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;

  const float center = tex2D<float>(in, x + 0.5f, y + 0.5f);
  const float top = tex2D<float>(in, x + 0.5f, y - 0.5f);
  const float left = tex2D<float>(in, x - 0.5f, y + 0.5f);
  const float right = tex2D<float>(in, x + 1.5f, y + 0.5f);
  const float bottom = tex2D<float>(in, x + 0.5f, y + 1.5f);
  out[x + y * row] = next_temperature(center, top, left, right, bottom);
}

// A buffer of size x size temperatures, and the texture to read it through.
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

struct DataBlock {
  int size = 1024, steps = 90;  // cells per side, steps per frame
  Buffer in, out, heaters;
  uchar4* dev_rgba = nullptr;
  CPUAnimBitmap* bitmap = nullptr;
  cudaEvent_t start, stop;
  double total_ms = 0;
  int frames = 0;
};

void create(DataBlock* d) {
  const std::vector<float> temperatures = start_temperatures(d->size);
  d->in = create_buffer(temperatures, d->size);
  d->out = create_buffer(temperatures, d->size);
  d->heaters = create_buffer(make_heaters(d->size), d->size);
  HANDLE_ERROR(cudaMalloc(&d->dev_rgba, temperatures.size() * sizeof(uchar4)));
  HANDLE_ERROR(cudaEventCreate(&d->start));
  HANDLE_ERROR(cudaEventCreate(&d->stop));
}

void destroy(DataBlock* d) {
  destroy_buffer(d->in);
  destroy_buffer(d->out);
  destroy_buffer(d->heaters);
  HANDLE_ERROR(cudaFree(d->dev_rgba));
  HANDLE_ERROR(cudaEventDestroy(d->start));
  HANDLE_ERROR(cudaEventDestroy(d->stop));
}

// One step. What was written is what the next step reads, however many steps there are.
void step(DataBlock* d) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  const size_t row = d->in.pitch / sizeof(float);  // the same for all buffers
  copy_const<<<grid, block>>>(d->in.data, d->heaters.texture, d->size, row);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->out.data, d->in.texture, d->size, row);
  HANDLE_ERROR(cudaGetLastError());
  swap(d->in, d->out);
}

// Draws one frame: called by CPUAnimBitmap.
void anim_gpu(void* data, int) {
  DataBlock* d = static_cast<DataBlock*>(data);
  HANDLE_ERROR(cudaEventRecord(d->start));
  for (int i = 0; i < d->steps; i++) step(d);
  paint<<<grid_for(d->size), dim3(kTile, kTile)>>>(d->dev_rgba, d->in.data, d->size,
                                                   d->in.pitch / sizeof(float));
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(d->bitmap->get_ptr(), d->dev_rgba, d->bitmap->image_size(),
                          cudaMemcpyDeviceToHost));
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
  if (d->frames > 0) printf("Average Time per frame: %3.1f ms\n", d->total_ms / d->frames);
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
  const size_t bytes = size * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(temperatures.data(), bytes, d.in.data, d.in.pitch, bytes, size,
                            cudaMemcpyDeviceToHost));
  destroy(&d);
  return temperatures;
}

int main(int argc, char** argv) {
  DataBlock d;
  course::Options options("Heat spreads on a plate, with 2-D textures.");
  options.number("size", &d.size, 1, 32768, "cells, and pixels, per side");
  options.number("steps", &d.steps, 0, 1000000, "steps per frame");
  options.animation();
  options.parse(argc, argv);
  const double cells = double(d.size) * d.size;
  course::require_memory(16 * cells, 20 * cells);
  CPUAnimBitmap bitmap(d.size, d.size, &d);

  if (!verify_heat(d.size, d.steps, heat)) return course::kExitWrong;
  create(&d);
  print_heat_times(d.size, d.steps, [&d] {
    for (int i = 0; i < d.steps; i++) step(&d);
  });
  destroy(&d);

  bitmap.default_frames = kDefaultFrames;
  d.bitmap = &bitmap;
  create(&d);
  bitmap.anim_and_exit(anim_gpu, anim_exit);
  return 0;
}
