// Spreads heat on a plate: the host queues ten steps with one call, the launch of a graph.
//
// Not in the book. In heat_global, each step takes two launches, and for a small plate a
// launch takes longer than its kernel. What to look at: the same calls are made once, in a stream
// that captures them instead of running them. The result is a graph (2018). It is checked and
// prepared once, and can be launched any number of times. It stores the arguments of each launch.
// So an even number of steps is captured, after which the two buffers are back in their places.
//
//   ./course run heat_graph
//   ./course run heat_global

#include <utility>

#include "../common/handle_error.h"
#include "heat_program.h"

constexpr int kCaptured = 10;  // steps of the graph, an even number

// Resets the heaters to their temperatures.
__global__ void copy_const(float* in, const float* heaters, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const size_t offset = x + static_cast<size_t>(y) * size;
  if (heaters[offset] != 0) in[offset] = heaters[offset];
}

// One step: the new temperature of each cell.
__global__ void blend(float* out, const float* in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const size_t offset = x + static_cast<size_t>(y) * size;

  size_t left = offset - 1, right = offset + 1;
  if (x == 0) left++;
  if (x == size - 1) right--;
  size_t top = offset - size, bottom = offset + size;
  if (y == 0) top += size;
  if (y == size - 1) bottom -= size;

  out[offset] = next_temperature(in[offset], in[top], in[left], in[right], in[bottom]);
}

struct DataBlock : HeatFrames {
  float *dev_in, *dev_out, *dev_heaters;
  cudaGraphExec_t ten_steps;
};

// One step, queued in a stream.
void step(DataBlock* d, cudaStream_t stream) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  copy_const<<<grid, block, 0, stream>>>(d->dev_in, d->dev_heaters, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block, 0, stream>>>(d->dev_out, d->dev_in, d->size);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->dev_in, d->dev_out);
}

// Captures a graph of kCaptured steps. Nothing runs here.
cudaGraphExec_t capture_steps(DataBlock* d) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kCaptured; i++) step(d, stream);
  HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  return executable;
}

// Ten steps at a time, and the remaining ones one by one. After an odd number of these, the buffers
// are swapped, but the graph has the old pointers, so it is captured again.
void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps / kCaptured; i++) HANDLE_ERROR(cudaGraphLaunch(d->ten_steps, 0));
  for (int i = 0; i < steps % kCaptured; i++) step(d, 0);
  if (steps % 2 == 0) return;
  HANDLE_ERROR(cudaGraphExecDestroy(d->ten_steps));
  d->ten_steps = capture_steps(d);
}

void create_buffers(DataBlock* d) {
  const size_t bytes = sizeof(float) * d->size * d->size;
  HANDLE_ERROR(cudaMalloc(&d->dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_out, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_heaters, bytes));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_heaters, make_heaters(d->size).data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_in, start_temperatures(d->size).data(), bytes, cudaMemcpyHostToDevice));
  d->ten_steps = capture_steps(d);
}

void destroy_buffers(DataBlock* d) {
  HANDLE_ERROR(cudaFree(d->dev_in));
  HANDLE_ERROR(cudaFree(d->dev_out));
  HANDLE_ERROR(cudaFree(d->dev_heaters));
  HANDLE_ERROR(cudaGraphExecDestroy(d->ten_steps));
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.dev_in, static_cast<size_t>(d.size)}; }

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, ten steps with one call.");
}
