// Moves bodies with the leapfrog integrator: half a kick, a drift, half a kick.
// Topic: n-body
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void gravity(const float4* bodies, int n, float3* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 sum = make_float3(0, 0, 0);
  for (int j = 0; j < n; j++) {
    const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
                dz = bodies[j].z - bodies[i].z;
    const float r2 = dx * dx + dy * dy + dz * dz + 1e-9f, strength = bodies[j].w / (r2 * sqrtf(r2));
    sum = make_float3(sum.x + strength * dx, sum.y + strength * dy, sum.z + strength * dz);
  }
  accelerations[i] = sum;
}

// v += a * kick_time, then x += v * drift_time.
__global__ void kick_and_drift(float4* bodies, float3* velocities, const float3* accelerations,
                               int n, float kick_time, float drift_time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3& v = velocities[i];
  v.x += kick_time * accelerations[i].x;
  v.y += kick_time * accelerations[i].y;
  v.z += kick_time * accelerations[i].z;
  bodies[i].x += drift_time * v.x;
  bodies[i].y += drift_time * v.y;
  bodies[i].z += drift_time * v.z;
}

void simulate(float4* bodies, float3* v, float3* a, int n, float dt, int steps) {
  gravity<<<(n + 127) / 128, 128>>>(bodies, n, a);
  for (int step = 0; step < steps; step++) {
    kick_and_drift<<<(n + 127) / 128, 128>>>(bodies, v, a, n, dt / 2, dt);
    gravity<<<(n + 127) / 128, 128>>>(bodies, n, a);
    kick_and_drift<<<(n + 127) / 128, 128>>>(bodies, v, a, n, dt / 2, 0);
  }
  HANDLE_ERROR(cudaGetLastError());
}

int main() {  // two bodies on a circle of radius 1/2, period 2 pi: after half of it they swap
  float4 bodies[2] = {{0.5f, 0, 0, 0.5f}, {-0.5f, 0, 0, 0.5f}}, *dev_bodies;
  float3 velocities[2] = {{0, 0.5f, 0}, {0, -0.5f, 0}}, *v;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, sizeof bodies));
  HANDLE_ERROR(cudaMalloc(&v, 2 * sizeof velocities));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, sizeof bodies, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(v, velocities, sizeof velocities, cudaMemcpyHostToDevice));
  simulate(dev_bodies, v, v + 2, 2, 3.14159265f / 200, 200);
  HANDLE_ERROR(cudaMemcpy(bodies, dev_bodies, sizeof bodies, cudaMemcpyDeviceToHost));
  for (void* memory : {(void*)dev_bodies, (void*)v}) HANDLE_ERROR(cudaFree(memory));
  printf("x = %.4f after half a turn\n", bodies[0].x);
  return std::fabs(bodies[0].x + 0.5f) < 0.001f ? 0 : 1;
}
