#include "book.h"

constexpr float kSoftening = 0.01f;
constexpr int kTile = 64;

static inline __host__ __device__ float3 operator-(const float4& a, const float4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline __host__ __device__ float3 operator*(float s, float3 v) { return {s * v.x, s * v.y, s * v.z}; }
static inline __host__ __device__ float3& operator+=(float3& a, const float3& b) {
  a.x += b.x, a.y += b.y, a.z += b.z;
  return a;
}
static inline __device__ float length2(float3 v) { return fmaf(v.x, v.x, fmaf(v.y, v.y, v.z * v.z)); }

__device__ __forceinline__ void pull(const float4& here, const float4& other, float3* acceleration) {
  const float3 way = other - here;
  const float r2 = length2(way) + kSoftening;
  const float r = 1.0f / sqrtf(r2);
  *acceleration += other.w * (r * r * r) * way;
}

__global__ void forces_kernel(const float4* bodies, float3* accelerations, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = bodies[min(i, n - 1)];
  float3 sum{};
  for (int first = 0; first < n; first += kTile) {
    if (first + threadIdx.x < unsigned(n)) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    const int many = min(kTile, n - first);
#pragma unroll 8
    for (int j = 0; j < many; j++) pull(here, tile[j], &sum);
    __syncthreads();
  }
  if (i < n) accelerations[i] = sum;
}

void forces(const float4* bodies, float3* accelerations, int n) {
  float4* dev_bodies;
  float3* dev_accelerations;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float4), cudaMemcpyHostToDevice));
  forces_kernel<<<(n + kTile - 1) / kTile, kTile>>>(dev_bodies, dev_accelerations, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accelerations, dev_accelerations, n * sizeof(float3), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
}
