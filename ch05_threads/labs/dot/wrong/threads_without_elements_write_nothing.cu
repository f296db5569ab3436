// Verdict: given checked: uninitialized read
// REGION 1
  float sum = 0;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
  if (first < n) cache[threadIdx.x] = sum;
  __syncthreads();
