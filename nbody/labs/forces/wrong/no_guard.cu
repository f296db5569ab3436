// Verdict: given hidden fresh checked: out of bounds
// REGION 2
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = bodies[i];
  float3 sum = {0, 0, 0};
  for (int j = 0; j < n; j++) pull(here, bodies[j], &sum);
  accelerations[i] = sum;
