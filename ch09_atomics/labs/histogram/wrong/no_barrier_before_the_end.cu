// Verdict: everything: race
// REGION 1
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i]], 1u);
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
