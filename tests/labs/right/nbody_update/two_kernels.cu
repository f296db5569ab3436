#include "book.h"

constexpr float kStep = 0.01f;

__device__ float new_velocity(const float2* bodies, int i, int n) {
  float pull = 0;
  for (int j = 0; j < n; j++) {
    const float way = bodies[j].x - bodies[i].x;
    pull += way / (1 + way * way);
  }
  return bodies[i].y + kStep * pull;
}

// first all velocities, then all positions: the first kernel reads x and writes y of its own body
__global__ void velocities(float2* bodies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bodies[i].y = new_velocity(bodies, i, n);
}
__global__ void positions(float2* bodies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bodies[i].x += kStep * bodies[i].y;
}

void update(float2* bodies, int n, int steps) {
  float2* dev_bodies;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float2)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float2), cudaMemcpyHostToDevice));
  const int blocks = (n + 63) / 64;
  for (int i = 0; i < steps; i++) {
    velocities<<<blocks, 64>>>(dev_bodies, n);
    positions<<<blocks, 64>>>(dev_bodies, n);
    HANDLE_ERROR(cudaGetLastError());
  }
  HANDLE_ERROR(cudaMemcpy(bodies, dev_bodies, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
}
