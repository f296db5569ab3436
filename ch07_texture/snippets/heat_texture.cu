// Reads a stencil through a 2-D texture, whose clamped edge replaces all tests for the edge.
// Topic: textures
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// The center of cell x is at x + 0.5. Coordinates outside the plate return the edge's value.
__global__ void heat_step(float* out, size_t pitch, cudaTextureObject_t in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float center = tex2D<float>(in, x + 0.5f, y + 0.5f);
  const float left = tex2D<float>(in, x - 0.5f, y + 0.5f);
  const float right = tex2D<float>(in, x + 1.5f, y + 0.5f);
  const float top = tex2D<float>(in, x + 0.5f, y - 0.5f);
  const float bottom = tex2D<float>(in, x + 0.5f, y + 1.5f);
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(out) + y * pitch);
  row[x] = center + 0.25f * (top + bottom + left + right - 4.0f * center);
}

// A texture object that reads size x size floats, whose rows start every `pitch` bytes.
cudaTextureObject_t make_texture(float* data, size_t pitch, int size) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = data;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = resource.res.pitch2D.height = size;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main() {
  const int size = 50, row = size * sizeof(float);
  std::vector<float> plate(size * size, 0.0f);
  plate[0] = 100;  // a hot corner
  float *in, *out;
  size_t pitch;
  HANDLE_ERROR(cudaMallocPitch(&in, &pitch, row, size));
  HANDLE_ERROR(cudaMallocPitch(&out, &pitch, row, size));
  HANDLE_ERROR(cudaMemcpy2D(in, pitch, plate.data(), row, row, size, cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture = make_texture(in, pitch, size);
  heat_step<<<dim3(4, 4), dim3(16, 16)>>>(out, pitch, texture, size);
  HANDLE_ERROR(cudaMemcpy2D(plate.data(), row, out, pitch, row, size, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  printf("the corner has %g, its neighbor %g\n", plate[0], plate[1]);
  return plate[0] == 50 && plate[1] == 25 ? 0 : 1;
}
