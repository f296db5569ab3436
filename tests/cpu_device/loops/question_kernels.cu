// Kernels whose threads leave before a barrier, or reach it under a condition that may differ between threads; statements that each
// lane goes through by itself; sizes that a function of the program computes. Prints a sum for each kernel and shape of block, so
// that the two forms can be compared.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <vector>

namespace own {
template <typename T>
__host__ __device__ T next_power_of_two(T n) {
  T power = 1;
  while (power < n) power <<= 1;
  return power;
}
__device__ unsigned offset = 3;  // may change: not the same for all times
__device__ unsigned with_offset(unsigned n) { return n + offset; }
}  // namespace own

__global__ void leaves_before(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[y * width + x] = tile[threadIdx.y][0] + 2 * tile[0][threadIdx.x];
}

__global__ void barrier_inside(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int steps = 0;
  steps += 3;
  if (x < width && y < height) {
    float sum = 0;
    for (int k = 0; k < steps; k++) {
      tile[threadIdx.y][threadIdx.x] = in[y * width + x] * k;
      __syncthreads();
      sum += tile[threadIdx.y][0];
      __syncthreads();
    }
    out[y * width + x] = sum;
  }
}

// Blocks of which all threads do one thing, or all the other.
__global__ void either(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  const int t = threadIdx.x + blockDim.x * threadIdx.y, i = blockIdx.x * blockDim.x * blockDim.y + t;
  const int mirrored = blockDim.x * blockDim.y - 1 - t;
  if (in[i] > n) {
    tile[t] = in[i];
    __syncthreads();
    out[i] = tile[mirrored];
  } else {
    tile[t] = -in[i];
    __syncthreads();
    out[i] = tile[mirrored] * 2;
  }
}

// Too late to ask: some have been written. It stays thread by thread.
__global__ void written_before(float* out, int n) {
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.x + blockDim.x * threadIdx.y;
  out[i] += 1;
  if (i >= n) return;
  __syncthreads();
  out[i] *= 2;
}

__global__ void summed(const float* in, float* out, int n) {
  __shared__ float sum[1024];
  const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  sum[t] = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum[t] += in[i];
  __syncthreads();
  for (unsigned half = own::next_power_of_two(threads) / 2; half > 0; half >>= 1) {
    if (t < half && t + half < threads) sum[t] += sum[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
// A function that reads what others may write. It stays thread by thread.
__global__ void with_global(float* out) {
  const int i = threadIdx.x + blockDim.x * threadIdx.y;
  for (unsigned k = own::with_offset(2); k > 0; k--) {
    out[i] += k;
    __syncthreads();
  }
}

__global__ void chooses(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.x + blockDim.x * threadIdx.y;
  if (i >= n) return;
  float v = __half2float(__hadd(__float2half(in[i]), __float2half(1.f)));
  for (int k = 0; k < 5; k++) {
    switch (i % 4) {
      case 0: v += 1; break;
      case 1: {
        int twice = 2 * k;
        v += twice;
      }
      case (true ? 2 : 3): v *= 0.5f; break;
      default:
        if (k == 3) continue;
        v -= k;
    }
    v += 0.25f;
  }
  int count = 0;
  do {
    v += ++count;
    if (count == 7) break;
  } while (count < i % 11);
  out[i] = v;
}

// Types of the kernel's own, and one of 8 bits; branches that are decided when it is compiled; infinity.
template <typename T>
__device__ double static_assert_step(T) {
  static_assert(sizeof(T) == 0, "not for kStep > 1");
  return 0;
}
template <int kStep>
__global__ void own_types(const float* in, float* out, int n) {
  using Sum = double;
  typedef unsigned int Count;
  __shared__ float least[1024];
  const int t = threadIdx.x + blockDim.x * threadIdx.y, i = blockIdx.x * blockDim.x * blockDim.y + t;
  Sum sum = 0;
  float smallest = __builtin_inff();
  if constexpr (kStep > 1) {
    using Step = int;
    for (Step k = 0; k < kStep; k++) sum += in[(i + k) % n];
  } else {
    sum = static_assert_step(kStep + 0);
  }
  least[t] = in[i % n];
  __syncthreads();
  for (Count k = 0; k < 4; k++) smallest = fminf(smallest, least[(t + k) % (blockDim.x * blockDim.y)]);
  if (i < n) out[i] = sum + smallest + static_cast<float>(__nv_fp8_e4m3(in[i]));
}

int main() {
  const int width = 100, height = 70, n = width * height;
  float *in, *out;
  cudaMalloc(&in, 16384 * sizeof(float));
  cudaMalloc(&out, 16384 * sizeof(float));
  std::vector<float> host(16384);
  const auto report = [&](const char* name, dim3 block) {
    const cudaError_t error = cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (size_t i = 0; i < host.size(); i++) sum += host[i] * (i % 13 + 1);
    printf("%s %u x %u: %.9g, %s\n", name, block.x, block.y, sum, cudaGetErrorString(error));
  };
  for (const dim3 block : {dim3(32, 2), dim3(20, 10), dim3(16, 16), dim3(7, 5), dim3(31, 4)}) {
    const dim3 grid((width + block.x - 1) / block.x + 1, (height + block.y - 1) / block.y + 1);
    const unsigned threads = block.x * block.y;
    for (int kernel = 0; kernel < 8; kernel++) {
      for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<float>(i / threads % 3 * 50 + i * 7 % 13);
      cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
      cudaMemcpy(out, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
      switch (kernel) {
        case 0: leaves_before<<<grid, block>>>(in, out, width, height); report("leaves_before", block); break;
        case 1: barrier_inside<<<grid, block>>>(in, out, width, height); report("barrier_inside", block); break;
        case 2: either<<<n / threads, block>>>(in, out, 30); report("either", block); break;
        case 3: written_before<<<n / threads, block>>>(out, n - n % threads); report("written_before", block); break;
        case 4: summed<<<3, block>>>(in, out, n); report("summed", block); break;
        case 5: with_global<<<1, block>>>(out); report("with_global", block); break;
        case 6: chooses<<<n / threads + 1, block>>>(in, out, n); report("chooses", block); break;
        case 7: own_types<3><<<n / threads + 1, block>>>(in, out, n); report("own_types", block);
      }
    }
  }
}
