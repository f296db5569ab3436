#include <cmath>
#include "book.h"

constexpr float kSoftening = 0.01f;

__device__ void pull(const float4& here, const float4& other, double3* acceleration) {
  const double dx = double(other.x) - here.x, dy = double(other.y) - here.y, dz = double(other.z) - here.z;
  const double f = other.w * pow(dx * dx + dy * dy + dz * dz + kSoftening, -1.5);
  acceleration->x += f * dx;
  acceleration->y += f * dy;
  acceleration->z += f * dz;
}

__global__ void forces_kernel(const float4* bodies, float3* accelerations, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    double3 sum = make_double3(0.0, 0.0, 0.0);
    const float4 here = bodies[i];
    for (int j = 0; j < n; ++j) pull(here, bodies[j], &sum);
    accelerations[i] = make_float3(sum.x, sum.y, sum.z);
  }
}

void forces(const float4* bodies, float3* accelerations, int n) {
  float4* dev_bodies;
  float3* dev_accelerations;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float4), cudaMemcpyHostToDevice));
  forces_kernel<<<(n + 127) / 128, 128>>>(dev_bodies, dev_accelerations, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accelerations, dev_accelerations, n * sizeof(float3), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
}
