// Verdict: given hidden fresh checked: the bodies
// REGION 2
  float2 *now, *next;
  HANDLE_ERROR(cudaMalloc(&now, n * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&next, n * sizeof(float2)));
  HANDLE_ERROR(cudaMemcpy(now, bodies, n * sizeof(float2), cudaMemcpyHostToDevice));
  for (int i = 0; i < steps; i++) step<<<(n + 63) / 64, 64>>>(now, next, n);
  HANDLE_ERROR(cudaMemcpy(bodies, next, n * sizeof(float2), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(now));
  HANDLE_ERROR(cudaFree(next));
