// Verdict: everything: race
// REGION 1
__global__ void step(float2* bodies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float velocity = i < n ? new_velocity(bodies, i, n) : 0;
  __syncthreads();
  if (i < n) bodies[i] = make_float2(bodies[i].x + kStep * velocity, velocity);
}
// REGION 2
  float2* dev_bodies;
  HANDLE_ERROR(cudaMalloc(&dev_bodies, n * sizeof(float2)));
  HANDLE_ERROR(cudaMemcpy(dev_bodies, bodies, n * sizeof(float2), cudaMemcpyHostToDevice));
  for (int i = 0; i < steps; i++) step<<<(n + 63) / 64, 64>>>(dev_bodies, n);
  HANDLE_ERROR(cudaMemcpy(bodies, dev_bodies, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_bodies));
