// Bodies on a line attract each other, step after step.
#include <utility>

#include "book.h"

constexpr float kStep = 0.01f;

// x is the place, y the velocity of a body. Returns the velocity of body i after this step.
__device__ float new_velocity(const float2* bodies, int i, int n) {
  float pull = 0;
  for (int j = 0; j < n; j++) {
    const float way = bodies[j].x - bodies[i].x;
    pull += way / (1 + way * way);
  }
  return bodies[i].y + kStep * pull;
}

// SOLUTION BEGIN, unmarked: one thread moves its body. Do other threads still need the old position?
//? give the kernel two arrays: one to read from, and one to write to
__global__ void step(const float2* old_bodies, float2* new_bodies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float velocity = new_velocity(old_bodies, i, n);
  new_bodies[i] = make_float2(old_bodies[i].x + kStep * velocity, velocity);
}
//| __global__ void step(float2* bodies, int n) {
//|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
//|   if (i >= n) return;
//|   const float velocity = new_velocity(bodies, i, n);
//|   bodies[i] = make_float2(bodies[i].x + kStep * velocity, velocity);
//| }
// SOLUTION END

// n bodies in the host's memory, n at least 1, `steps` steps on.
void update(float2* bodies, int n, int steps) {
  // SOLUTION BEGIN, unmarked: after each step, exchange the pointers of the two arrays with std::swap
  float2 *now, *next;
  HANDLE_ERROR(cudaMalloc(&now, n * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&next, n * sizeof(float2)));
  HANDLE_ERROR(cudaMemcpy(now, bodies, n * sizeof(float2), cudaMemcpyHostToDevice));
  for (int i = 0; i < steps; i++) {
    step<<<(n + 63) / 64, 64>>>(now, next, n);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(now, next);
  }
  HANDLE_ERROR(cudaMemcpy(bodies, now, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(now));
  HANDLE_ERROR(cudaFree(next));
  //| float2* dev_bodies;
  //| HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float2)));
  //| HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float2), cudaMemcpyHostToDevice));
  //| for (int i = 0; i < steps; i++) {
  //|   step<<<(n + 63) / 64, 64>>>(dev_bodies, n);
  //|   HANDLE_ERROR(cudaGetLastError());
  //| }
  //| HANDLE_ERROR(cudaMemcpy(bodies, dev_bodies, n * sizeof(float2), cudaMemcpyDeviceToHost));
  //| HANDLE_ERROR(cudaFree(dev_bodies));
  // SOLUTION END
}
