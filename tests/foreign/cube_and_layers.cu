// In the manner of lessons on cube maps and layered textures: a kernel that changes each layer, a look into
// six directions, and four neighbors gathered at once.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                  \
  if ((call) != cudaSuccess) {                                                       \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()));       \
    exit(EXIT_FAILURE);                                                              \
  }

#define WIDTH 16
#define FACES 6
#define LAYERS 4

__global__ void negate_layer(float *out, int layer, cudaTextureObject_t in) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + 0.5f) / (float)WIDTH, v = (y + 0.5f) / (float)WIDTH;
  out[layer * WIDTH * WIDTH + y * WIDTH + x] = -tex2DLayered<float>(in, u, v, layer) + layer;
}

__global__ void look_around(float *out, cudaTextureObject_t cube) {
  const float3 where[FACES] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  int i = threadIdx.x;
  out[i] = texCubemap<float>(cube, where[i].x, where[i].y, where[i].z);
}

__global__ void neighbors(float4 *out, cudaTextureObject_t plane) {
  *out = tex2Dgather<float4>(plane, 3.0f, 5.0f, 0);
}

int main(void) {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const size_t bytes = FACES * WIDTH * WIDTH * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < FACES * WIDTH * WIDTH; i++) host[i] = (float)i;
  float *device;
  CHECK(cudaMalloc((void **)&device, bytes));

  cudaArray *layers;
  CHECK(cudaMalloc3DArray(&layers, &desc, make_cudaExtent(WIDTH, WIDTH, LAYERS), cudaArrayLayered));
  cudaMemcpy3DParms copy = {0};
  copy.srcPos = make_cudaPos(0, 0, 0);
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.srcPtr = make_cudaPitchedPtr(host, WIDTH * sizeof(float), WIDTH, WIDTH);
  copy.dstArray = layers;
  copy.extent = make_cudaExtent(WIDTH, WIDTH, LAYERS);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));

  cudaTextureObject_t tex;
  cudaResourceDesc res = {};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = layers;
  cudaTextureDesc descr = {};
  descr.normalizedCoords = true;
  descr.filterMode = cudaFilterModeLinear;
  descr.addressMode[0] = cudaAddressModeWrap;
  descr.addressMode[1] = cudaAddressModeWrap;
  descr.readMode = cudaReadModeElementType;
  CHECK(cudaCreateTextureObject(&tex, &res, &descr, NULL));
  dim3 block(8, 8), grid(WIDTH / 8, WIDTH / 8);
  for (int layer = 0; layer < LAYERS; layer++) negate_layer<<<grid, block>>>(device, layer, tex);
  float *result = (float *)malloc(bytes);
  CHECK(cudaMemcpy(result, device, LAYERS * WIDTH * WIDTH * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < LAYERS * WIDTH * WIDTH; i++)
    if (result[i] != -host[i] + i / (WIDTH * WIDTH)) {
      printf("layers: element %d is %f\n", i, result[i]);
      return 1;
    }

  cudaArray *cube;
  CHECK(cudaMalloc3DArray(&cube, &desc, make_cudaExtent(WIDTH, WIDTH, FACES), cudaArrayCubemap));
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(WIDTH, WIDTH, FACES);
  CHECK(cudaMemcpy3D(&copy));
  res.res.array.array = cube;
  descr.filterMode = cudaFilterModePoint;
  CHECK(cudaCreateTextureObject(&tex, &res, &descr, NULL));
  look_around<<<1, FACES>>>(device, tex);
  CHECK(cudaMemcpy(result, device, FACES * sizeof(float), cudaMemcpyDeviceToHost));
  for (int f = 0; f < FACES; f++)  // the middle of each face
    if (result[f] != host[f * WIDTH * WIDTH + WIDTH / 2 * WIDTH + WIDTH / 2]) {
      printf("cube: face %d is %f\n", f, result[f]);
      return 1;
    }

  cudaArray *plane;
  CHECK(cudaMallocArray(&plane, &desc, WIDTH, WIDTH, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(plane, 0, 0, host, WIDTH * sizeof(float), WIDTH * sizeof(float), WIDTH,
                            cudaMemcpyHostToDevice));
  res.res.array.array = plane;
  descr.normalizedCoords = false;
  descr.addressMode[0] = descr.addressMode[1] = cudaAddressModeClamp;
  CHECK(cudaCreateTextureObject(&tex, &res, &descr, NULL));
  neighbors<<<1, 1>>>((float4 *)device, tex);
  CHECK(cudaMemcpy(result, device, sizeof(float4), cudaMemcpyDeviceToHost));
  const int below[4] = {5 * WIDTH + 2, 5 * WIDTH + 3, 4 * WIDTH + 3, 4 * WIDTH + 2};
  for (int i = 0; i < 4; i++)
    if (result[i] != host[below[i]]) {
      printf("gather: channel %d is %f\n", i, result[i]);
      return 1;
    }
  printf("layers, cube and neighbors are right\n");
  return 0;
}
