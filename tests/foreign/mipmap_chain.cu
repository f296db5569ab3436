// In the manner of image pyramids: each level of a mipmap is made of the one before by a kernel that reads
// it through a texture and writes through a surface; then a kernel looks at all of them.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define CHECK(call)                                                                             \
  do {                                                                                          \
    const cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));            \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

const int kSize = 32, kLevels = 6;

__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  // Between four elements: linear filtering makes their mean.
  const float4 mean = tex2D<float4>(from, (x + 0.5f) / size, (y + 0.5f) / size);
  surf2Dwrite(mean, to, x * sizeof(float4), y);
}

__global__ void look(cudaTextureObject_t pyramid, float *result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = tex2DLod<float4>(pyramid, 0.5f, 0.5f, i * 0.25f).x;
}

int main() {
  cudaMipmappedArray_t pyramid;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  CHECK(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(kSize, kSize, 0), kLevels,
                                 cudaArraySurfaceLoadStore));
  std::vector<float4> image(kSize * kSize);
  double mean = 0;
  for (int i = 0; i < kSize * kSize; i++) {
    image[i] = make_float4(i % 17, i % 5, 1, 0);
    mean += image[i].x / image.size();
  }
  cudaArray_t level;
  CHECK(cudaGetMipmappedArrayLevel(&level, pyramid, 0));
  CHECK(cudaMemcpy2DToArray(level, 0, 0, image.data(), kSize * sizeof(float4), kSize * sizeof(float4),
                            kSize, cudaMemcpyHostToDevice));

  for (int i = 1; i < kLevels; i++) {
    cudaArray_t smaller;
    CHECK(cudaGetMipmappedArrayLevel(&smaller, pyramid, i));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    cudaTextureObject_t from;
    CHECK(cudaCreateTextureObject(&from, &resource, &how, NULL));
    resource.res.array.array = smaller;
    cudaSurfaceObject_t to;
    CHECK(cudaCreateSurfaceObject(&to, &resource));
    const int size = kSize >> i;
    halve<<<dim3((size + 7) / 8, (size + 7) / 8), dim3(8, 8)>>>(from, to, size);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(from));
    CHECK(cudaDestroySurfaceObject(to));
    level = smaller;
  }

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = pyramid;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = kLevels - 1;
  cudaTextureObject_t all;
  CHECK(cudaCreateTextureObject(&all, &resource, &how, NULL));
  const int n = 4 * kLevels + 8;
  float *result;
  CHECK(cudaMallocManaged(&result, n * sizeof(float)));
  look<<<1, n>>>(all, result, n);
  CHECK(cudaDeviceSynchronize());
  // The last level is the mean of the image, and what is between two levels is between their values.
  for (int i = 4 * (kLevels - 1); i < n; i++)
    if (fabs(result[i] - mean) > 1e-4) {
      fprintf(stderr, "level %g: %g instead of %g\n", i * 0.25, result[i], mean);
      return 1;
    }
  for (int i = 0; i < 4 * (kLevels - 1); i++) {
    const int below = i / 4 * 4;
    const float share = (i - below) * 0.25f;
    const float want = (1 - share) * result[below] + share * result[below + 4];
    if (fabs(result[i] - want) > 1e-4) {
      fprintf(stderr, "level %g: %g instead of %g\n", i * 0.25, result[i], want);
      return 1;
    }
  }
  CHECK(cudaDestroyTextureObject(all));
  CHECK(cudaFreeMipmappedArray(pyramid));
  printf("the pyramid is right\n");
  return 0;
}
