// All blocks write to one element what a function returns, a structure in registers: the same in each block.
__device__ float3 places[128];

// Too long to be compiled into the kernel for its own sake, and called twice.
__host__ __device__ float3 orbit(float t, int steps) {
  float3 p = make_float3(1, 0, t), v = make_float3(0, 1, t * t);
  for (int i = 0; i < steps; i++) {
    const float pull = t / (1 + p.x * p.x + p.y * p.y + p.z * p.z);
    v.x -= pull * p.x;
    v.y -= pull * p.y;
    v.z -= pull * p.z;
    p.x += t * v.x;
    p.y += t * v.y;
    p.z += t * v.z;
  }
  for (int i = 0; i < steps; i++) {
    p.x = p.x * p.y + v.z;
    p.y = p.y * p.z + v.x;
    p.z = p.z * p.x + v.y;
    if (p.x > 4) p.x -= 4;
    if (p.y > 4) p.y -= 4;
    if (p.z > 4) p.z -= 4;
  }
  return p;
}

__global__ void fill(int steps) {
#ifdef RIGHT
  places[threadIdx.x + blockIdx.x * blockDim.x] = orbit(0.1f * threadIdx.x, steps);
#else
  places[threadIdx.x] = orbit(0.1f * threadIdx.x, steps);  // finds race-same-value
#endif
}

int main() {
  fill<<<2, 64>>>(3);
  cudaDeviceSynchronize();
  return orbit(0.5f, 3).x > 1000;
}
