// Floats of a 2-D array, filtered by tex2D() and by tex2DLod() at level 0: the same to the last bit, inside and at the edges, for
// all address modes, one to four channels, and coordinates that are no numbers or far away. Some values are known exactly.
#include <cmath>
#include <cstdio>
#include <cstring>

template <typename T>
__global__ void both(cudaTextureObject_t texture, const float2 *places, T *plain, T *at_level, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  plain[i] = tex2D<T>(texture, places[i].x, places[i].y);
  at_level[i] = tex2DLod<T>(texture, places[i].x, places[i].y, 0.0f);
}

static int bad = 0;

template <typename T>
static void compare(int channels) {
  const int width = 13, height = 7, n = 3000;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  T values[width * height];
  for (int i = 0; i < width * height * channels; i++) reinterpret_cast<float *>(values)[i] = i * i % 97 * 0.37f;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, values, width * sizeof(T), width * sizeof(T), height, cudaMemcpyHostToDevice);
  float2 *places;
  T *plain, *at_level;
  cudaMallocManaged(&places, n * sizeof(float2));
  cudaMallocManaged(&plain, n * sizeof(T));
  cudaMallocManaged(&at_level, n * sizeof(T));
  for (int mode = 0; mode < 8; mode++) {
    const bool normalized = mode >= 4;
    for (int i = 0; i < n; i++) {
      const float x = (i * 7919 % 2003) / 100.0f - 3.0f, y = (i * 104729 % 1511) / 100.0f - 4.0f;
      places[i] = normalized ? make_float2(x / width, y / height) : make_float2(x, y);
    }
    places[0] = make_float2(NAN, 2.5f), places[1] = make_float2(1e30f, -INFINITY), places[2] = make_float2(0.0f, -0.0f);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = static_cast<cudaTextureAddressMode>(mode % 4);
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = normalized;
    for (int c = 0; c < 4; c++) how.borderColor[c] = 1000.0f + c;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    both<<<(n + 255) / 256, 256>>>(texture, places, plain, at_level, n);
    if (cudaDeviceSynchronize() != cudaSuccess) bad++;
    for (int i = 0; i < n; i++)
      if (memcmp(&plain[i], &at_level[i], sizeof(T)) != 0 && bad++ < 10)
        printf("%d channels, mode %d: at (%g, %g) %.9g and %.9g\n", channels, mode, places[i].x, places[i].y,
               reinterpret_cast<float *>(&plain[i])[0], reinterpret_cast<float *>(&at_level[i])[0]);
    // Halfway between four elements, and a center.
    places[0] = normalized ? make_float2(3.0f / width, 2.0f / height) : make_float2(3, 2);
    places[1] = normalized ? make_float2(3.5f / width, 2.5f / height) : make_float2(3.5f, 2.5f);
    both<<<1, 2>>>(texture, places, plain, at_level, 2);
    cudaDeviceSynchronize();
    const auto value = [&](int x, int y) { return reinterpret_cast<float *>(values)[(y * width + x) * channels]; };
    const float mean = (value(2, 1) + value(3, 1) + value(2, 2) + value(3, 2)) / 4;
    const float found[2] = {reinterpret_cast<float *>(plain)[0], reinterpret_cast<float *>(plain)[channels]};
    if (std::fabs(found[0] - mean) > 0.01f * (1 + mean) || std::fabs(found[1] - value(3, 2)) > 0.01f * (1 + value(3, 2)))
      bad++, printf("%d channels, mode %d: %g, not %g, or %g, not %g\n", channels, mode, found[0], mean, found[1], value(3, 2));
    cudaDestroyTextureObject(texture);
  }
  cudaFreeArray(array);
}

int main() {
  compare<float>(1);
  compare<float2>(2);
  compare<float4>(4);
  printf("%d differ\n", bad);
  return bad != 0;
}
