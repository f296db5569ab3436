// Nine kernels that most programs are made of, as somebody would write them who has not heard of the CPU
// device: a benchmark, and a test of what their results are. For each: the least processor time of five
// launches, and a number made of all bytes of its result, which must be the same however it runs.
//
//   nvcc -O3 nine_kernels.cu -o nine_kernels
//   CPU_DEVICE_THREADS=1 ./nine_kernels               as loops over the threads of a block
//   CPU_DEVICE_THREADS=1 CPU_DEVICE_LOOPS=0 ./nine_kernels   thread by thread
//   ./nine_kernels 0.1                                with a tenth of the elements
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kTile = 16;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stencil(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void product_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / kTile; t++) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * kTile + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * kTile + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < kTile; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void julia(unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float jx = 1.5f * (w / 2 - x) / (w / 2), jy = 1.5f * (h / 2 - y) / (h / 2);
  int i = 0;
  for (; i < 200; i++) {
    float r = jx * jx - jy * jy - 0.8f, m = 2 * jx * jy + 0.156f;
    jx = r;
    jy = m;
    if (jx * jx + jy * jy > 1000) break;
  }
  out[y * w + x] = i;
}

__global__ void bodies(const float4* p, float4* f, int n) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float fx = 0, fy = 0, fz = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float s = tile[k].w * inv * inv * inv;
      fx += dx * s;
      fy += dy * s;
      fz += dz * s;
    }
    __syncthreads();
  }
  f[i] = make_float4(fx, fy, fz, 0);
}

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float cache[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = cache[0];
}

__global__ void histogram(const unsigned char* data, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&bins[data[i]], 1u);
    i += stride;
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  int to_x = blockIdx.y * 16 + threadIdx.x, to_y = blockIdx.x * 16 + threadIdx.y;
  out[to_y * n + to_x] = tile[threadIdx.x][threadIdx.y];
}

static double processor_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

template <typename Launch>
static void measure(const char* name, const void* result, size_t bytes, Launch launch) {
  double least = 1e9;
  for (int i = 0; i < 5; i++) {
    const double start = processor_ms();
    launch();
    cudaDeviceSynchronize();
    least = std::min(least, processor_ms() - start);
  }
  std::vector<unsigned char> host(bytes);
  cudaMemcpy(host.data(), result, bytes, cudaMemcpyDeviceToHost);
  unsigned long long number = 0;
  for (const unsigned char byte : host) number = number * 1099511628211ull + byte;
  if (cudaError_t error = cudaGetLastError()) {
    printf("%s: %s\n", name, cudaGetErrorString(error));
    exit(1);
  }
  printf("%-16s %9.2f ms   %016llx\n", name, least, number);
}

int main(int argc, char** argv) {
  const double part = argc > 1 ? atof(argv[1]) : 1;
  const int w = std::max(64, int(4096 * part) / 64 * 64), n = w * w;  // of pictures and vectors
  const int m = std::max(64, int(512 * part) / 64 * 64);              // of matrices
  const int j = std::max(64, int(1024 * part) / 64 * 64);             // of the Julia set
  const int b = std::max(256, int(4096 * part) / 256 * 256);          // bodies
  std::vector<float> host(n);
  for (int i = 0; i < n; i++) host[i] = static_cast<float>(i % 1000 * 919 % 1000) / 1000.0f;
  float *x, *y;
  unsigned* bins;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  const dim3 square(16, 16), tiles(w / 16, w / 16), products(m / 16, m / 16);
  measure("saxpy", y, n * 4ul, [&] { saxpy<<<n / 256, 256>>>(n, 2, x, y); });
  measure("product", y, m * m * 4ul, [&] { product<<<products, square>>>(x, x + n / 4, y, m); });
  measure("product, tiles", y, m * m * 4ul, [&] { product_tiles<<<products, square>>>(x, x + n / 4, y, m); });
  measure("Julia set", y, j * j, [&] { julia<<<dim3(j / 16, j / 16), square>>>((unsigned char*)y, j, j); });
  measure("stencil", y, n * 4ul, [&] { stencil<<<tiles, square>>>(x, y, w, w); });
  measure("bodies", y, b * 16ul, [&] { bodies<<<b / 256, 256>>>((float4*)x, (float4*)y, b); });
  measure("reduction", y, n / 256 * 4, [&] { reduce<<<n / 256, 256>>>(x, y, n); });
  measure("histogram", bins, 1024, [&] { histogram<<<64, 256>>>((unsigned char*)x, bins, n); });
  measure("transpose", y, n * 4ul, [&] { transpose<<<tiles, square>>>(x, y, w); });
}
