// Computes all-pairs gravity with tiles in shared memory, for any number of bodies.
// Topic: n-body
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// Adds the pull of a body of mass m at distance d. Softening keeps it finite, so i may pull itself.
__device__ void attract(float3& sum, float dx, float dy, float dz, float m, float softening2) {
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening2);
  const float strength = m * inverse * inverse * inverse;
  sum.x += strength * dx;
  sum.y += strength * dy;
  sum.z += strength * dz;
}

// A body is x, y, z and mass. One thread computes the acceleration of one body.
__global__ void gravity(const float4* bodies, int n, float softening2, float3* accelerations) {
  extern __shared__ float4 tile[];  // one body per thread; the launch sets its size
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockDim.x) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);  // without mass
    __syncthreads();  // the tile is full
    for (unsigned int k = 0; k < blockDim.x; k++)
      attract(sum, tile[k].x - me.x, tile[k].y - me.y, tile[k].z - me.z, tile[k].w, softening2);
    __syncthreads();  // all threads have read the tile
  }
  if (i < n) accelerations[i] = sum;
}

int main() {
  const int n = 500, threads = 128;
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; i++)
    bodies[i] = make_float4(i * 37 % 101 * 0.01f, i * 53 % 97 * 0.01f, i * 71 % 89 * 0.01f, 0.002f);
  float4* dev_bodies;
  float3* dev_accelerations;
  std::vector<float3> a(n);
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&dev_accelerations, n * sizeof(float3)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  gravity<<<(n + threads - 1) / threads, threads, threads * sizeof(float4)>>>(
      dev_bodies, n, 0.01f, dev_accelerations);
  HANDLE_ERROR(cudaMemcpy(a.data(), dev_accelerations, n * sizeof(float3), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
  HANDLE_ERROR(cudaFree(dev_accelerations));
  float force = 0;  // all forces cancel: action is reaction
  for (int i = 0; i < n; i++) force += bodies[i].w * a[i].x;
  printf("a[0].x = %g, sum of forces %g\n", a[0].x, force);
  return std::fabs(a[0].x) > 0.1f && std::fabs(force) < 1e-5f ? 0 : 1;
}
