// Accesses whose counts are known: what ./course profile must say of each kernel stands in
// tests/profile/profile_check.py, and is what Nsight Compute counts on a GPU (tests/profile/profile_counts.md).
//
// Compiled with `common/cpu_device/nvcc --branches`, and with NVIDIA's nvcc -arch=sm_90 for ncu.
#include <cstdio>

// ---- loads from global memory: 64 blocks of 256 threads ----

__device__ int self() { return threadIdx.x + blockIdx.x * blockDim.x; }

template <typename T>
__device__ void keep(T value, T* out) {  // nobody can leave out the load
  if (value == T(123)) *out = value;
}

__global__ void load_stride_1(const int* a, int* out) { keep(a[self()], out); }
__global__ void load_stride_2(const int* a, int* out) { keep(a[2 * self()], out); }
__global__ void load_stride_8(const int* a, int* out) { keep(a[8 * self()], out); }
__global__ void load_stride_33(const int* a, int* out) { keep(a[33 * self()], out); }
__global__ void load_from_1(const int* a, int* out) { keep(a[self() + 1], out); }
__global__ void load_from_8(const int* a, int* out) { keep(a[self() + 8], out); }
__global__ void load_from_13(const int* a, int* out) { keep(a[self() + 13], out); }
__global__ void load_backwards(const int* a, int* out) { keep(a[100000 - self()], out); }
__global__ void load_neighbor(const int* a, int* out) { keep(a[self() ^ 1], out); }
__global__ void load_one(const int* a, int* out) { keep(a[blockIdx.x], out); }
__global__ void load_one_for_four(const int* a, int* out) { keep(a[self() / 4], out); }
__global__ void load_bytes(const char* a, int* out) { keep(int(a[self()]), out); }
__global__ void load_shorts(const short* a, int* out) { keep(int(a[self()]), out); }
__global__ void load_8(const double* a, double* out) { keep(a[self()], out); }
__global__ void load_8_from_1(const double* a, double* out) { keep(a[self() + 1], out); }
__global__ void load_8_stride_2(const double* a, double* out) { keep(a[2 * self()], out); }
__global__ void load_8_one(const double* a, double* out) { keep(a[blockIdx.x], out); }
__global__ void load_8_halves(const double* a, double* out) { keep(a[threadIdx.x % 16], out); }
__device__ void keep4(float4 v, float* out) { keep(v.x + v.y + v.z + v.w, out); }
__global__ void load_16(const float4* a, float* out) { keep4(a[self()], out); }
__global__ void load_16_from_1(const float4* a, float* out) { keep4(a[self() + 1], out); }
__global__ void load_16_stride_2(const float4* a, float* out) { keep4(a[2 * self()], out); }
__global__ void load_16_one(const float4* a, float* out) { keep4(a[blockIdx.x], out); }
__global__ void load_16_quarters(const float4* a, float* out) { keep4(a[threadIdx.x % 8], out); }
__global__ void load_odd_lanes(const int* a, int* out) {
  if (threadIdx.x % 2 == 1) keep(a[self()], out);
}
// Blocks of 40 threads: a warp of 32 and one of 8.
__global__ void load_partial_warp(const int* a, int* out) { keep(a[self()], out); }
// Blocks of 8 x 32 and of 16 x 16 threads in rows of 1000 numbers.
__global__ void load_rows(const int* a, int* out) {
  keep(a[threadIdx.x + blockIdx.x * blockDim.x + 1000 * threadIdx.y], out);
}
__global__ void load_rows_of_16(const int* a, int* out) {
  keep(a[threadIdx.x + blockIdx.x * blockDim.x + 1000 * threadIdx.y], out);
}
__global__ void load_loop(const int* a, int* out) {  // thread i goes round i % 32 times
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < threadIdx.x % 32; k++) sum += a[32 * k + threadIdx.x];
  keep(sum, out);
}
__global__ void load_nested_loops(const int* a, int* out) {
  int sum = 0;
#pragma unroll 1
  for (int j = 0; j < 4; j++)
#pragma unroll 1
    for (int k = 0; k < (threadIdx.x + j) % 4; k++) sum += a[self() + 32 * (4 * j + k)];
  keep(sum, out);
}

// ---- stores ----

__global__ void store_stride_1(int* a) { a[self()] = self(); }
__global__ void store_stride_2(int* a) { a[2 * self()] = self(); }
__global__ void store_one(int* a) { a[blockIdx.x] = 7; }
__global__ void store_from_3(int* a) { a[self() + 3] = self(); }
__global__ void store_bytes(char* a) { a[self()] = 1; }
__global__ void store_8(double* a) { a[self()] = 1; }
__global__ void store_8_from_1(double* a) { a[self() + 1] = 1; }
__global__ void store_16(float4* a) { a[self()] = make_float4(1, 2, 3, 4); }
__global__ void store_16_stride_2(float4* a) { a[2 * self()] = make_float4(1, 2, 3, 4); }
__global__ void store_uchar4(uchar4* a) { a[self()] = make_uchar4(1, 2, 3, 4); }
__global__ void store_both_branches(volatile int* a) {  // 2 blocks of 64 threads
  if (threadIdx.x % 2 == 0)
    a[self()] = 1;
  else
    a[self() + 1000] = a[self() + 2000];
}
__global__ void store_by_warps(volatile int* a) {  // a branch in which each warp agrees
  if (threadIdx.x / 32 % 2 == 0)
    a[self()] = 1;
  else
    a[self() + 1000] = a[self() + 2000];
}

// ---- shared memory: blocks of 32 x 32 threads, or of 256 ----

__global__ void shared_columns(float* out) {
  __shared__ float t[32][32];
  t[threadIdx.x][threadIdx.y] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x + 32 * threadIdx.y] = t[threadIdx.x][31 - threadIdx.y];
}
__global__ void shared_padded(float* out) {
  __shared__ float t[32][33];
  t[threadIdx.x][threadIdx.y] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x + 32 * threadIdx.y] = t[threadIdx.x][31 - threadIdx.y];
}
__global__ void shared_rows(float* out) {
  __shared__ float t[32][32];
  t[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x + 32 * threadIdx.y] = t[31 - threadIdx.y][threadIdx.x];
}
template <typename T, int stride, int count>
__device__ void through_shared(T* out) {
  __shared__ T t[count];
  t[threadIdx.x * stride % count] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = t[(255 - threadIdx.x) * stride % count];
}
__global__ void shared_stride_2(float* out) { through_shared<float, 2, 512>(out); }
__global__ void shared_stride_4(float* out) { through_shared<float, 4, 1024>(out); }
__global__ void shared_bytes(unsigned char* out) { through_shared<unsigned char, 1, 256>(out); }
__global__ void shared_8(double* out) { through_shared<double, 1, 256>(out); }
__global__ void shared_8_stride_2(double* out) { through_shared<double, 2, 512>(out); }
__global__ void shared_8_stride_3(double* out) { through_shared<double, 3, 768>(out); }
template <int stride>
__device__ void through_shared_16(float4* out) {
  __shared__ float4 t[256 * stride];
  t[threadIdx.x * stride] = make_float4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  out[threadIdx.x] = t[(255 - threadIdx.x) * stride];
}
__global__ void shared_16(float4* out) { through_shared_16<1>(out); }
__global__ void shared_16_stride_2(float4* out) { through_shared_16<2>(out); }
__global__ void shared_16_stride_3(float4* out) { through_shared_16<3>(out); }
__global__ void shared_broadcast(float* out) {
  __shared__ float t[256];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x / 32] + t[threadIdx.x / 8 * 33 % 256];
}
__global__ void shared_8_broadcast(double* out) {
  __shared__ double t[256];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x / 32] + t[threadIdx.x % 16 * 16];
}
__global__ void shared_half_active(float* out) {
  __shared__ float t[1024];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = t[threadIdx.x * 4];
}

// ---- atomics: 2 blocks of 64 threads ----

__global__ void atomic_on_1(int* o) { atomicAdd(&o[0], 1); }
__global__ void atomic_on_1_unknown(int* o, const int* zeros) { atomicAdd(&o[zeros[self()]], 1); }
__global__ void atomic_on_4(int* o) { atomicAdd(&o[threadIdx.x % 4], 1); }
__global__ void atomic_on_32(int* o) { atomicAdd(&o[threadIdx.x % 32], 1); }
__global__ void atomic_on_32_far(int* o) { atomicAdd(&o[threadIdx.x % 32 * 33], 1); }
__global__ void atomic_float_on_4(float* o) { atomicAdd(&o[threadIdx.x % 4], 1.0f); }
__global__ void atomic_8_on_4(unsigned long long* o) { atomicAdd(&o[threadIdx.x % 4], 1ull); }
__global__ void atomic_8_on_32(unsigned long long* o) { atomicAdd(&o[threadIdx.x % 32], 1ull); }
__global__ void atomic_result_on_4(int* o, int* out) { out[self()] = atomicAdd(&o[threadIdx.x % 4], 1); }
__global__ void atomic_result_on_32(int* o, int* out) { out[self()] = atomicAdd(&o[threadIdx.x % 32], 1); }
__global__ void atomic_result_on_1_unknown(int* o, const int* zeros, int* out) {
  out[self()] = atomicAdd(&o[zeros[self()]], 1);
}
__global__ void atomic_max_on_4(int* o) { atomicMax(&o[threadIdx.x % 4], int(threadIdx.x)); }
__global__ void atomic_cas_on_32(int* o, int* out) { out[self()] = atomicCAS(&o[threadIdx.x % 32], 0, 1); }
__global__ void atomic_exchange_on_4(int* o) { atomicExch(&o[threadIdx.x % 4], 1); }
__global__ void atomic_uneven(int* o) { atomicAdd(&o[threadIdx.x % 32 * (threadIdx.x % 32 >= 20)], 1); }
__global__ void atomic_shared_on_4(int* out) {
  __shared__ int t[64];
  t[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&t[threadIdx.x % 4], 1);
  __syncthreads();
  out[self()] = t[threadIdx.x];
}

// ---- branches: 2 blocks of 64 threads; constant memory ----

__device__ unsigned mix(unsigned x, int rounds) {
#pragma unroll 1
  for (int i = 0; i < rounds; i++) x = x * 1664525u + (x >> 7) + 1013904223u;
  return x;
}
__global__ void branch_odd_even(unsigned* out, int rounds) {
  unsigned x = threadIdx.x;
  if (threadIdx.x % 2 == 0)
    x = mix(x, rounds);
  else
    x = mix(x + 1, rounds) ^ 5;
  out[self()] = x;
}
__global__ void branch_by_warps(unsigned* out, int rounds) {
  unsigned x = threadIdx.x;
  if (threadIdx.x / 32 % 2 == 0)
    x = mix(x, rounds);
  else
    x = mix(x + 1, rounds) ^ 5;
  out[self()] = x;
}
__global__ void branch_rounds(unsigned* out) { out[self()] = mix(threadIdx.x, threadIdx.x % 32 + 1); }

__constant__ float table[64];
__global__ void constant_one(float* out) { out[self()] = table[blockIdx.x]; }
__global__ void constant_scattered(float* out) { out[self()] = table[threadIdx.x]; }
__global__ void constant_on_4(float* out) { out[self()] = table[threadIdx.x % 4]; }

int main() {
  const size_t bytes = size_t(4) << 20;
  void *a, *b;
  if (cudaMalloc(&a, bytes) != cudaSuccess || cudaMalloc(&b, bytes) != cudaSuccess) return 1;
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  const auto of = [](auto* type, void* memory) { return static_cast<decltype(type)>(memory); };
  int *i = of((int*)0, a), *o = of((int*)0, b);
  double *d = of((double*)0, a), *od = of((double*)0, b);
  float4* f4 = of((float4*)0, a);
  float* of1 = of((float*)0, b);
  unsigned* u = of((unsigned*)0, b);
  auto* l = of((unsigned long long*)0, b);

  load_stride_1<<<64, 256>>>(i, o);
  load_stride_2<<<64, 256>>>(i, o);
  load_stride_8<<<64, 256>>>(i, o);
  load_stride_33<<<64, 256>>>(i, o);
  load_from_1<<<64, 256>>>(i, o);
  load_from_8<<<64, 256>>>(i, o);
  load_from_13<<<64, 256>>>(i, o);
  load_backwards<<<64, 256>>>(i, o);
  load_neighbor<<<64, 256>>>(i, o);
  load_one<<<64, 256>>>(i, o);
  load_one_for_four<<<64, 256>>>(i, o);
  load_bytes<<<64, 256>>>(of((char*)0, a), o);
  load_shorts<<<64, 256>>>(of((short*)0, a), o);
  load_8<<<64, 256>>>(d, od);
  load_8_from_1<<<64, 256>>>(d, od);
  load_8_stride_2<<<64, 256>>>(d, od);
  load_8_one<<<64, 256>>>(d, od);
  load_8_halves<<<64, 256>>>(d, od);
  load_16<<<64, 256>>>(f4, of1);
  load_16_from_1<<<64, 256>>>(f4, of1);
  load_16_stride_2<<<64, 256>>>(f4, of1);
  load_16_one<<<64, 256>>>(f4, of1);
  load_16_quarters<<<64, 256>>>(f4, of1);
  load_odd_lanes<<<64, 256>>>(i, o);
  load_partial_warp<<<64, 40>>>(i, o);
  load_rows<<<4, dim3(8, 32)>>>(i, o);
  load_rows_of_16<<<4, dim3(16, 16)>>>(i, o);
  load_loop<<<2, 64>>>(i, o);
  load_nested_loops<<<2, 64>>>(i, o);
  store_stride_1<<<64, 256>>>(o);
  store_stride_2<<<64, 256>>>(o);
  store_one<<<64, 256>>>(o);
  store_from_3<<<64, 256>>>(o);
  store_bytes<<<64, 256>>>(of((char*)0, b));
  store_8<<<64, 256>>>(od);
  store_8_from_1<<<64, 256>>>(od);
  store_16<<<64, 256>>>(of((float4*)0, b));
  store_16_stride_2<<<64, 256>>>(of((float4*)0, b));
  store_uchar4<<<64, 256>>>(of((uchar4*)0, b));
  store_both_branches<<<2, 64>>>(o);
  store_by_warps<<<2, 64>>>(o);
  shared_columns<<<1, dim3(32, 32)>>>(of1);
  shared_padded<<<1, dim3(32, 32)>>>(of1);
  shared_rows<<<1, dim3(32, 32)>>>(of1);
  shared_stride_2<<<1, 256>>>(of1);
  shared_stride_4<<<1, 256>>>(of1);
  shared_bytes<<<1, 256>>>(of((unsigned char*)0, b));
  shared_8<<<1, 256>>>(od);
  shared_8_stride_2<<<1, 256>>>(od);
  shared_8_stride_3<<<1, 256>>>(od);
  shared_16<<<1, 256>>>(of((float4*)0, b));
  shared_16_stride_2<<<1, 256>>>(of((float4*)0, b));
  shared_16_stride_3<<<1, 256>>>(of((float4*)0, b));
  shared_broadcast<<<1, 256>>>(of1);
  shared_8_broadcast<<<1, 256>>>(od);
  shared_half_active<<<1, 256>>>(of1);
  atomic_on_1<<<2, 64>>>(o);
  atomic_on_1_unknown<<<2, 64>>>(o, i);
  atomic_on_4<<<2, 64>>>(o);
  atomic_on_32<<<2, 64>>>(o);
  atomic_on_32_far<<<2, 64>>>(o);
  cudaMemset(b, 0, bytes);
  atomic_float_on_4<<<2, 64>>>(of1);
  cudaMemset(b, 0, bytes);
  atomic_8_on_4<<<2, 64>>>(l);
  atomic_8_on_32<<<2, 64>>>(l);
  atomic_result_on_4<<<2, 64>>>(o, o + 1000);
  atomic_result_on_32<<<2, 64>>>(o, o + 1000);
  atomic_result_on_1_unknown<<<2, 64>>>(o, i, o + 1000);
  atomic_max_on_4<<<2, 64>>>(o);
  atomic_cas_on_32<<<2, 64>>>(o, o + 1000);
  atomic_exchange_on_4<<<2, 64>>>(o);
  atomic_uneven<<<2, 64>>>(o);
  atomic_shared_on_4<<<2, 64>>>(o);
  branch_odd_even<<<2, 64>>>(u, 100);
  branch_by_warps<<<2, 64>>>(u, 100);
  branch_rounds<<<2, 64>>>(u);
  constant_one<<<2, 64>>>(of1);
  constant_scattered<<<2, 64>>>(of1);
  constant_on_4<<<2, 64>>>(of1);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
