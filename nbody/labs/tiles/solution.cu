// All-pairs gravity: tiles of bodies in shared memory.
#include "book.h"

constexpr float kSoftening = 0.01f;
constexpr int kTile = 128;

// Adds to `acceleration` what the body `other` does to one at `here`.
__device__ void pull(const float4& here, const float4& other, float3* acceleration) {
  const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + kSoftening);
  const float strength = other.w * inverse * inverse * inverse;
  acceleration->x += x * strength;
  acceleration->y += y * strength;
  acceleration->z += z * strength;
}

// Blocks of kTile threads.
__global__ void tiles_kernel(const float4* bodies, float3* accelerations, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 here = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = {0, 0, 0};
  // SOLUTION BEGIN: for (int first = 0; first < n; first += kTile), by every thread of the block
  //? j = first + threadIdx.x; tile[threadIdx.x] = bodies[j] if j < n, else make_float4(0, 0, 0, 0)
  //? a barrier before the tile is used, and one before it is overwritten
  for (int first = 0; first < n; first += kTile) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < kTile; k++) pull(here, tile[k], &sum);
    __syncthreads();
  }
  //| tile[threadIdx.x] = here;
  //| pull(here, tile[threadIdx.x], &sum);
  // SOLUTION END
  if (i < n) accelerations[i] = sum;
}

// n bodies and accelerations in the host's memory, n at least 1.
void tiles(const float4* bodies, float3* accelerations, int n) {
  float4* dev_bodies;
  float3* dev_accelerations;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float4), cudaMemcpyHostToDevice));
  tiles_kernel<<<(n + kTile - 1) / kTile, kTile>>>(dev_bodies, dev_accelerations, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accelerations, dev_accelerations, n * sizeof(float3),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
}
