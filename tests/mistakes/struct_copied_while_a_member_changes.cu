// One block copies a whole struct while another changes one of its members.
struct Body {
  float x, y, mass;
};

__device__ Body bodies[32], copies[32];
__device__ float masses[32];

__global__ void use() {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) bodies[t].mass = 1;  // finds race-grid
#ifdef RIGHT
  if (blockIdx.x == 1) copies[t].x = bodies[t].x;
#else
  if (blockIdx.x == 1) copies[t] = bodies[t];  // finds race-grid
#endif
}

int main() {
  use<<<2, 32>>>();
  cudaDeviceSynchronize();
}
