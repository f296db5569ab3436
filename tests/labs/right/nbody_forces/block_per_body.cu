// one block per body; its threads share the loop and add up with atomics
#include <stdio.h>
#include "book.h"

#define SOFTENING 0.01f
#define AXIS(name) atomicAdd(&total.name, own.name)

__device__ void pull(const float4 &here, const float4 &other, float3 *acceleration) {
  float3 d;
  d.x = other.x - here.x;
  d.y = other.y - here.y;
  d.z = other.z - here.z;
  float dist2 = d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING;
  float cube = dist2 * sqrtf(dist2);
  acceleration->x += other.w * d.x / cube;
  acceleration->y += other.w * d.y / cube;
  acceleration->z += other.w * d.z / cube;
}

__global__ void forces_kernel(const float4 *bodies, float3 *accelerations, int n) {
  __shared__ float3 total;
  if (threadIdx.x == 0) total.x = total.y = total.z = 0;
  __syncthreads();
  float3 own = {0, 0, 0};
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    if (j == (int)blockIdx.x) continue; /* no pull on myself */
    pull(bodies[blockIdx.x], bodies[j], &own);
  }
  AXIS(x);
  AXIS(y);
  AXIS(z);
  __syncthreads();
  if (threadIdx.x == 0) accelerations[blockIdx.x] = total;
}

void forces(const float4 *bodies, float3 *accelerations, int n) {
  float4 *dev_bodies;
  float3 *dev_accelerations;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float4), cudaMemcpyHostToDevice));
  forces_kernel<<<n, 32>>>(dev_bodies, dev_accelerations, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accelerations, dev_accelerations, n * sizeof(float3), cudaMemcpyDeviceToHost));
  if (getenv("DUMP")) for (int i = 0; i < n; i++) printf("%d: %g %g %g\n", i, accelerations[i].x, accelerations[i].y, accelerations[i].z);
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
}
