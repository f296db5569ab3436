// All-pairs gravity: one thread per body.
#include "book.h"

constexpr float kSoftening = 0.01f;

// Adds to `acceleration` what the body `other` does to one at `here`.
__device__ void pull(const float4& here, const float4& other, float3* acceleration) {
  // SOLUTION BEGIN: the vector to the other body: other.x - here.x ...
  //? square = squared length + kSoftening; r = rsqrtf(square); multiply the vector by other.w * r * r * r
  const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + kSoftening);
  const float strength = other.w * inverse * inverse * inverse;
  acceleration->x += x * strength;
  acceleration->y += y * strength;
  acceleration->z += z * strength;
  //| acceleration->x += other.x - here.x;
  // SOLUTION END
}

__global__ void forces_kernel(const float4* bodies, float3* accelerations, int n) {
  // SOLUTION BEGIN: which body belongs to this thread? There may be fewer bodies than threads
  //? float3 sum = {0, 0, 0}; for all j: pull(bodies[i], bodies[j], &sum)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 here = bodies[i];
  float3 sum = {0, 0, 0};
  for (int j = 0; j < n; j++) pull(here, bodies[j], &sum);
  accelerations[i] = sum;
  //| if (blockIdx.x + threadIdx.x == 0 && n > 0) accelerations[0] = {0, 0, 0};
  // SOLUTION END
}

// n bodies and accelerations in the host's memory, n at least 1.
void forces(const float4* bodies, float3* accelerations, int n) {
  float4* dev_bodies;
  float3* dev_accelerations;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float4), cudaMemcpyHostToDevice));
  forces_kernel<<<(n + 127) / 128, 128>>>(dev_bodies, dev_accelerations, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accelerations, dev_accelerations, n * sizeof(float3),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
}
