// What single programs asked for and did not find: headers of the first architectures, the runtime's
// context in the driver interface, attributes, plans of cufftXt.h, four Poisson numbers.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufftXt.h>
#include <curand_kernel.h>
#include <sm_11_atomic_functions.h>
#include <sm_12_atomic_functions.h>
#include <sm_13_double_functions.h>

#include <cmath>
#include <cstdio>

__global__ void add(const char c, const double *a, const float b, double *sum) { *sum = c + *a + b; }

__global__ void poisson(float *mean) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, threadIdx.x, 0, &state);
  float sum = 0;
  for (int i = 0; i < 100; i++) {
    const uint4 four = curand_poisson4(&state, 5.0);
    sum += four.x + four.y + four.z + four.w;
  }
  atomicAdd(mean, sum / 400 / 64);
}

int main() {
  int bad = 0;
  double *values;
  float *mean;
  cudaMallocManaged(&values, 2 * sizeof(double));  // and no cuInit(), no cuCtxCreate()
  cudaMallocManaged(&mean, sizeof(float));
  values[0] = 2.5, *mean = 0;
  CUcontext context = nullptr;
  if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) bad = 1, puts("no context");
  cudaFunction_t kernel;
  cudaGetFuncBySymbol(&kernel, (const void *)add);
  struct {
    char c;
    const double *a;
    float b;
    double *sum;
  } arguments = {1, values, 0.25f, values + 1};
  size_t size = sizeof arguments;
  void *packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                    CU_LAUNCH_PARAM_END};
  if (cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, packed) != CUDA_SUCCESS) bad = 1;
  cudaDeviceSynchronize();
  if (values[1] != 3.75) bad = 1, printf("the sum is %f\n", values[1]);
  int attribute = -1;
  cuDeviceGetAttribute(&attribute, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
  if (attribute < 0) bad = 1, puts("an attribute");

  poisson<<<1, 64>>>(mean);
  cudaDeviceSynchronize();
  if (std::fabs(*mean - 5) > 0.1) bad = 1, printf("the mean is %f\n", *mean);

  cufftHandle plan;
  cufftDoubleComplex *wave;
  long long n = 16;
  size_t work;
  cudaMallocManaged(&wave, n * sizeof *wave);
  for (int i = 0; i < n; i++) wave[i] = {std::cos(2 * M_PI * 3 * i / n), 0};
  cufftCreate(&plan);
  if (cufftXtMakePlanMany(plan, 1, &n, nullptr, 1, 1, CUDA_C_64F, nullptr, 1, 1, CUDA_C_64F, 1, &work,
                          CUDA_C_64F) != CUFFT_SUCCESS)
    bad = 1, puts("no plan");
  cufftExecZ2Z(plan, wave, wave, CUFFT_FORWARD);
  cudaDeviceSynchronize();
  if (std::fabs(wave[3].x - 8) > 1e-9 || std::fabs(wave[4].x) > 1e-9) bad = 1, puts("the wave");
  cufftDestroy(plan);
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
