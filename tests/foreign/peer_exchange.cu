// In the manner of samples for several GPUs: halos between neighbors by peer copies, a kernel that reads the other device's
// memory, streams and events of each device. With one GPU it uses that one twice.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_RT_CALL(call)                                                                                   \
  {                                                                                                          \
    cudaError_t cudaStatus = call;                                                                           \
    if (cudaSuccess != cudaStatus) {                                                                         \
      fprintf(stderr, "ERROR: CUDA RT call \"%s\" in line %d of file %s failed with %s (%d).\n", #call, __LINE__, __FILE__, \
              cudaGetErrorString(cudaStatus), cudaStatus);                                                    \
      exit(cudaStatus);                                                                                      \
    }                                                                                                        \
  }

__global__ void jacobi(const float* __restrict__ a, float* __restrict__ next, float* norm, int rows, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  float residue = 0;
  if (x < nx - 1 && y <= rows) {
    const float value = 0.25f * (a[y * nx + x + 1] + a[y * nx + x - 1] + a[(y + 1) * nx + x] + a[(y - 1) * nx + x]);
    next[y * nx + x] = value;
    residue = value - a[y * nx + x];
    atomicAdd(norm, residue * residue);
  }
}
__global__ void add_remote(const float* remote, float* own, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) own[i] += remote[i];
}

static std::vector<float> reference(int nx, int ny, int steps) {
  std::vector<float> a(nx * ny, 0.0f), b;
  for (int y = 0; y < ny; y++) a[y * nx] = a[y * nx + nx - 1] = std::sin(0.2f * y);
  b = a;
  for (int s = 0; s < steps; s++) {
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++)
        b[y * nx + x] = 0.25f * (a[y * nx + x + 1] + a[y * nx + x - 1] + a[(y + 1) * nx + x] + a[(y - 1) * nx + x]);
    std::swap(a, b);
  }
  return a;
}

int main() {
  setenv("CPU_DEVICE_COUNT", "3", 0);  // for a machine without a GPU
  int devices = 0;
  CUDA_RT_CALL(cudaGetDeviceCount(&devices));
  const int parts = 2, nx = 50, inner = 24, ny = parts * inner + 2, steps = 30;
  printf("%d device(s)\n", devices);
  float *a[parts], *next[parts], *norm[parts], *host_norm[parts];
  cudaStream_t stream[parts];
  cudaEvent_t copied[parts][2], computed[parts];
  std::vector<float> start(nx * ny, 0.0f);
  for (int y = 0; y < ny; y++) start[y * nx] = start[y * nx + nx - 1] = std::sin(0.2f * y);
  for (int p = 0; p < parts; p++) {
    CUDA_RT_CALL(cudaSetDevice(p % devices));
    CUDA_RT_CALL(cudaFree(0));
    for (int q = 0; q < devices; q++) {
      if (q == p % devices) continue;
      int can = 0;
      CUDA_RT_CALL(cudaDeviceCanAccessPeer(&can, p % devices, q));
      int access = 9, rank = -9;  // the same, as an attribute
      CUDA_RT_CALL(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, p % devices, q));
      CUDA_RT_CALL(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, p % devices, q));
      if (access != can || rank < 0) return 1;
      if (can) {
        cudaError_t status = cudaDeviceEnablePeerAccess(q, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) status = cudaSuccess, cudaGetLastError();
        CUDA_RT_CALL(status);
      }
    }
    const size_t bytes = nx * (inner + 2) * sizeof(float);
    CUDA_RT_CALL(cudaMalloc(&a[p], bytes));
    CUDA_RT_CALL(cudaMalloc(&next[p], bytes));
    CUDA_RT_CALL(cudaMalloc(&norm[p], sizeof(float)));
    CUDA_RT_CALL(cudaMallocHost(&host_norm[p], sizeof(float)));
    CUDA_RT_CALL(cudaMemcpy(a[p], &start[p * inner * nx], bytes, cudaMemcpyHostToDevice));
    CUDA_RT_CALL(cudaMemcpy(next[p], &start[p * inner * nx], bytes, cudaMemcpyHostToDevice));
    CUDA_RT_CALL(cudaStreamCreate(&stream[p]));
    CUDA_RT_CALL(cudaEventCreateWithFlags(&computed[p], cudaEventDisableTiming));
    for (auto& e : copied[p]) CUDA_RT_CALL(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CUDA_RT_CALL(cudaDeviceSynchronize());
  }
  float norms[2] = {0, 0};
  for (int s = 0; s < steps; s++) {
    for (int p = 0; p < parts; p++) {
      CUDA_RT_CALL(cudaSetDevice(p % devices));
      if (s > 0) CUDA_RT_CALL(cudaStreamWaitEvent(stream[p], copied[1 - p][(s - 1) % 2], 0));
      CUDA_RT_CALL(cudaMemsetAsync(norm[p], 0, sizeof(float), stream[p]));
      jacobi<<<dim3((nx + 15) / 16, (inner + 7) / 8), dim3(16, 8), 0, stream[p]>>>(a[p], next[p], norm[p], inner, nx);
      CUDA_RT_CALL(cudaGetLastError());
      CUDA_RT_CALL(cudaMemcpyAsync(host_norm[p], norm[p], sizeof(float), cudaMemcpyDeviceToHost, stream[p]));
      CUDA_RT_CALL(cudaEventRecord(computed[p], stream[p]));
    }
    for (int p = 0; p < parts; p++) {
      const int other = 1 - p;
      CUDA_RT_CALL(cudaSetDevice(p % devices));
      CUDA_RT_CALL(cudaStreamWaitEvent(stream[p], computed[other], 0));
      const float* from = next[p] + (p == 0 ? inner : 1) * nx;
      float* to = next[other] + (p == 0 ? 0 : inner + 1) * nx;
      CUDA_RT_CALL(cudaMemcpyPeerAsync(to, other % devices, from, p % devices, nx * sizeof(float), stream[p]));
      CUDA_RT_CALL(cudaEventRecord(copied[p][s % 2], stream[p]));
    }
    for (int p = 0; p < parts; p++) std::swap(a[p], next[p]);
    if (s == 0 || s == steps - 1) {
      for (int p = 0; p < parts; p++) CUDA_RT_CALL(cudaStreamSynchronize(stream[p]));
      norms[s > 0] = std::sqrt(*host_norm[0] + *host_norm[1]);
    }
  }
  std::vector<float> result(nx * ny), expected = reference(nx, ny, steps);
  for (int p = 0; p < parts; p++) {
    CUDA_RT_CALL(cudaSetDevice(p % devices));
    CUDA_RT_CALL(cudaStreamSynchronize(stream[p]));
    CUDA_RT_CALL(cudaMemcpy(&result[(p * inner + 1) * nx], a[p] + nx, nx * inner * sizeof(float), cudaMemcpyDefault));
  }
  int wrong = 0;
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) wrong += std::fabs(result[y * nx + x] - expected[y * nx + x]) > 1e-5f;
  // A kernel of device 0 reads the other's memory.
  CUDA_RT_CALL(cudaSetDevice(0));
  float before, after, remote;
  CUDA_RT_CALL(cudaMemcpy(&before, a[0] + nx + 1, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_RT_CALL(cudaMemcpy(&remote, a[1] + nx + 1, sizeof(float), cudaMemcpyDeviceToHost));
  add_remote<<<(nx * inner + 127) / 128, 128>>>(a[1] + nx, a[0] + nx, nx * inner);
  CUDA_RT_CALL(cudaMemcpy(&after, a[0] + nx + 1, sizeof(float), cudaMemcpyDeviceToHost));
  wrong += std::fabs(after - before - remote) > 1e-6f || !(norms[1] < norms[0]);
  printf("norms %g and %g, %d wrong\n", norms[0], norms[1], wrong);
  for (int p = 0; p < parts; p++) {
    CUDA_RT_CALL(cudaSetDevice(p % devices));
    CUDA_RT_CALL(cudaFree(a[p]));
    CUDA_RT_CALL(cudaFree(next[p]));
    CUDA_RT_CALL(cudaFree(norm[p]));
    CUDA_RT_CALL(cudaFreeHost(host_norm[p]));
    CUDA_RT_CALL(cudaStreamDestroy(stream[p]));
  }
  return wrong != 0;
}
