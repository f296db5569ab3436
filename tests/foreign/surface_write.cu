// In the manner of image filters: a kernel that reads one surface and writes another, and a texture of
// the array that it wrote.
#include <cstdio>
#include <vector>

const int kWidth = 37, kHeight = 21;

__global__ void transpose_and_halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar4 pixel;
  surf2Dread(&pixel, from, x * sizeof(uchar4), y);
  const uchar4 right = surf2Dread<uchar4>(from, (x + 1) * sizeof(uchar4), y, cudaBoundaryModeClamp);
  const uchar4 outside = surf2Dread<uchar4>(from, -4, y, cudaBoundaryModeZero);
  pixel.x /= 2;
  pixel.y = right.x;
  pixel.w = outside.x + outside.y;
  surf2Dwrite(pixel, to, y * sizeof(uchar4), x);
  surf2Dwrite(pixel, to, 4 * width * height, x, cudaBoundaryModeZero);  // nowhere
}
__global__ void through_texture(cudaTextureObject_t from, uchar4 *to, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) to[i] = tex2D<uchar4>(from, i % width + 0.5f, i / width + 0.5f);
}

// GPUs are more lenient, or decide otherwise.
#ifdef __CPU_DEVICE__
const bool on_cpu_device = true;
#else
const bool on_cpu_device = false;
#endif

int main() {
  std::vector<uchar4> image(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; i++)
    image[i] = make_uchar4(i % 251, i % 7, i % 11, 255);
  cudaArray_t from, to;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&from, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaMallocArray(&to, &format, kHeight, kWidth, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(from, 0, 0, image.data(), kWidth * sizeof(uchar4), kWidth * sizeof(uchar4), kHeight,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = from;
  cudaSurfaceObject_t in, out;
  cudaCreateSurfaceObject(&in, &resource);
  resource.res.array.array = to;
  cudaCreateSurfaceObject(&out, &resource);
  transpose_and_halve<<<dim3(3, 2), dim3(16, 16)>>>(in, out, kWidth, kHeight);

  cudaTextureObject_t texture;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaCreateTextureObject(&texture, &resource, &how, NULL);
  uchar4 *result;
  cudaMallocManaged(&result, image.size() * sizeof(uchar4));
  through_texture<<<8, 128>>>(texture, result, kHeight, kWidth);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < kWidth; x++) {
      const uchar4 old = image[y * kWidth + x], got = result[x * kHeight + y];
      const uchar4 right = image[y * kWidth + (x + 1 < kWidth ? x + 1 : x)];
      if (got.x != old.x / 2 || got.y != right.x || got.z != old.z || got.w != 0) {
        fprintf(stderr, "pixel (%d, %d) is wrong\n", x, y);
        return 1;
      }
    }
  // An array that was not made for surfaces.
  cudaArray_t plain;
  cudaMallocArray(&plain, &format, 4, 4);
  resource.res.array.array = plain;
  cudaSurfaceObject_t none;
  if (on_cpu_device && cudaCreateSurfaceObject(&none, &resource) == cudaSuccess) return 1;
  cudaDestroyTextureObject(texture);
  if (cudaDestroySurfaceObject(in) != cudaSuccess) return 1;
  if (on_cpu_device && cudaDestroySurfaceObject(in) == cudaSuccess) return 1;
  cudaDestroySurfaceObject(out);
  printf("the picture is right\n");
  return 0;
}
