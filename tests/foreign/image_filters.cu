// In the manner of image samples: textures over arrays and pitched memory, wrap, mirror, linear filter, a surface that is
// written, and a 3-D lookup table.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void cuda(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    std::exit(1);
  }
}
#define CU(x) cuda((x), __LINE__)

__global__ void rotate(cudaTextureObject_t tex, cudaSurfaceObject_t out, int w, int h, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x / (float)w - 0.5f, v = y / (float)h - 0.5f;
  float s, c;
  sincosf(angle, &s, &c);
  float tu = u * c - v * s + 0.5f, tv = v * c + u * s + 0.5f;
  surf2Dwrite(tex2D<float>(tex, tu, tv), out, x * (int)sizeof(float), y);
}

__global__ void box(cudaTextureObject_t tex, uchar4* out, size_t pitch, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      float4 t = tex2D<float4>(tex, x + dx + 0.5f, y + dy + 0.5f);
      sum.x += t.x, sum.y += t.y, sum.z += t.z, sum.w += t.w;
    }
  float k = 255.0f / ((2 * r + 1) * (2 * r + 1));
  uchar4* row = (uchar4*)((char*)out + y * pitch);
  row[x] = make_uchar4(sum.x * k + 0.5f, sum.y * k + 0.5f, sum.z * k + 0.5f, sum.w * k + 0.5f);
}

__global__ void lookup(cudaTextureObject_t table, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex3D<float>(table, (i % 4) / 4.0f + 0.125f, (i / 4 % 4) / 4.0f + 0.125f, (i / 16) / 4.0f + 0.25f);
}

__global__ void read_back(cudaSurfaceObject_t s, float* out, int w, int h) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y;
  if (x < w && y < h) {
    float value;
    surf2Dread(&value, s, x * sizeof(float), y, cudaBoundaryModeTrap);
    out[y * w + x] = value;
  }
}

int main() {
  const int w = 37, h = 29;
  bool right = true;
  // 1. Rotation by 0 with a linear filter samples between texels, by the half that the formula leaves out.
  std::vector<float> image(w * h);
  for (int i = 0; i < w * h; i++) image[i] = float(i % w) + 100.0f * (i / w);
  auto channel = cudaCreateChannelDesc<float>();
  cudaArray_t array, target;
  CU(cudaMallocArray(&array, &channel, w, h));
  CU(cudaMallocArray(&target, &channel, w, h, cudaArraySurfaceLoadStore));
  CU(cudaMemcpy2DToArray(array, 0, 0, image.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  cudaResourceDesc res{};
  res.resType = cudaResourceTypeArray;
  res.res.array.array = array;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t tex;
  CU(cudaCreateTextureObject(&tex, &res, &how, nullptr));
  cudaSurfaceObject_t surface;
  cudaResourceDesc out_res{};
  out_res.resType = cudaResourceTypeArray;
  out_res.res.array.array = target;
  CU(cudaCreateSurfaceObject(&surface, &out_res));
  dim3 block(8, 8), grid((w + 7) / 8, (h + 7) / 8);
  rotate<<<grid, block>>>(tex, surface, w, h, 0.0f);
  CU(cudaGetLastError());
  float* flat;
  CU(cudaMalloc(&flat, w * h * sizeof(float)));
  read_back<<<dim3(2, h), 32>>>(surface, flat, w, h);
  std::vector<float> got(w * h), direct(w * h);
  CU(cudaMemcpy(got.data(), flat, w * h * sizeof(float), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy2DFromArray(direct.data(), w * sizeof(float), target, 0, 0, w * sizeof(float), h, cudaMemcpyDeviceToHost));
  right = right && got == direct;
  for (int y = 1; y < h; y++)
    for (int x = 1; x < w; x++) {
      // The average of four neighbors, as far as the coordinates' 8 bits allow.
      float expected = (x - 0.5f) + 100.0f * (y - 0.5f);
      if (std::fabs(got[y * w + x] - expected) > 0.6f) right = false;
    }
  std::printf("rotated: %s\n", right ? "yes" : "no");

  // 2. A box filter over pitched uchar4, read as normalized floats, mirrored or clamped at the edges.
  std::vector<uchar4> pixels(w * h);
  for (int i = 0; i < w * h; i++) pixels[i] = make_uchar4(i % 251, i % 17, 200, 255);
  uchar4 *in, *out;
  size_t in_pitch, out_pitch;
  CU(cudaMallocPitch(&in, &in_pitch, w * sizeof(uchar4), h));
  CU(cudaMallocPitch(&out, &out_pitch, w * sizeof(uchar4), h));
  CU(cudaMemcpy2D(in, in_pitch, pixels.data(), w * sizeof(uchar4), w * sizeof(uchar4), h, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = in;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  pitched.res.pitch2D.width = w;
  pitched.res.pitch2D.height = h;
  pitched.res.pitch2D.pitchInBytes = in_pitch;
  cudaTextureDesc clamp{};
  clamp.addressMode[0] = clamp.addressMode[1] = cudaAddressModeClamp;
  clamp.filterMode = cudaFilterModePoint;
  clamp.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t pixel_tex;
  CU(cudaCreateTextureObject(&pixel_tex, &pitched, &clamp, nullptr));
  box<<<grid, block>>>(pixel_tex, out, out_pitch, w, h, 1);
  std::vector<uchar4> filtered(w * h);
  CU(cudaMemcpy2D(filtered.data(), w * sizeof(uchar4), out, out_pitch, w * sizeof(uchar4), h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int xx = std::min(std::max(x + dx, 0), w - 1), yy = std::min(std::max(y + dy, 0), h - 1);
          sum += pixels[yy * w + xx].x;
        }
      bad += std::abs(filtered[y * w + x].x - (int)std::floor(sum / 9 + 0.5)) > 1 || filtered[y * w + x].z != 200 || filtered[y * w + x].w != 255;
    }
  std::printf("filtered: %d wrong\n", bad);
  right = right && bad == 0;

  // 3. A 4 x 4 x 2 table.
  float values[32];
  for (int i = 0; i < 32; i++) values[i] = i * i;
  cudaExtent extent = make_cudaExtent(4, 4, 2);
  cudaArray_t volume;
  CU(cudaMalloc3DArray(&volume, &channel, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values, 4 * sizeof(float), 4, 4);
  copy.dstArray = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CU(cudaMemcpy3D(&copy));
  cudaResourceDesc vres{};
  vres.resType = cudaResourceTypeArray;
  vres.res.array.array = volume;
  cudaTextureDesc vhow{};
  vhow.addressMode[0] = vhow.addressMode[1] = vhow.addressMode[2] = cudaAddressModeBorder;
  vhow.filterMode = cudaFilterModePoint;
  vhow.normalizedCoords = true;
  cudaTextureObject_t table;
  CU(cudaCreateTextureObject(&table, &vres, &vhow, NULL));
  lookup<<<1, 64>>>(table, flat, 64);
  CU(cudaMemcpy(got.data(), flat, 64 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) {
    int z = i / 16;  // 0.25, 0.5, 0.75 of the depth 2, then outside
    float expected = z == 0 ? values[i % 16] : z < 3 ? values[16 + i % 16] : 0.0f;
    if (got[i] != expected) right = false, std::printf("table %d: %g, not %g\n", i, got[i], expected);
  }
  CU(cudaDestroyTextureObject(tex));
  CU(cudaDestroyTextureObject(pixel_tex));
  CU(cudaDestroyTextureObject(table));
  CU(cudaDestroySurfaceObject(surface));
  CU(cudaFreeArray(array));
  CU(cudaFreeArray(target));
  CU(cudaFreeArray(volume));
  CU(cudaFree(in));
  CU(cudaFree(out));
  CU(cudaFree(flat));
  std::printf("%s\n", right ? "OK" : "wrong");
  return right ? 0 : 1;
}
