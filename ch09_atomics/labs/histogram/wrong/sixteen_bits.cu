// Verdict: hidden: hidden case 3
// REGION 1
  __shared__ unsigned local[kBins];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  const unsigned short sum = local[threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
