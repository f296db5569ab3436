// In the manner of image code that looks into pixels: surfaces whose elements have 1 to 16 bytes, read and written in pieces
// of 1 to 16 bytes, narrower and wider than an element, at every place where a piece is whole, the last in each row included.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

// A piece at byte x of row y is read, and its bytes are written back, each plus one.
template <typename Piece>
__global__ void change(cudaSurfaceObject_t surface, unsigned char *seen, int pieces, int row_bytes) {
  const int piece = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (piece >= pieces) return;
  const int x = piece * static_cast<int>(sizeof(Piece));
  Piece value = surf2Dread<Piece>(surface, x, y);
  unsigned char *const bytes = reinterpret_cast<unsigned char *>(&value);
  for (int i = 0; i < static_cast<int>(sizeof(Piece)); i++) seen[y * row_bytes + x + i] = bytes[i]++;
  surf2Dwrite(value, surface, x, y);
}

static int wrong = 0;

template <typename Piece>
void with_pieces(const cudaChannelFormatDesc &format, int element, int width, int height) {
  const int row = element * width, pieces = row / static_cast<int>(sizeof(Piece));
  if (pieces * static_cast<int>(sizeof(Piece)) != row) return;
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &what);
  std::vector<unsigned char> before(row * height), seen(row * height), after(row * height);
  for (size_t i = 0; i < before.size(); i++) before[i] = static_cast<unsigned char>(7 * i + i / 256);
  cudaMemcpy2DToArray(array, 0, 0, before.data(), row, row, height, cudaMemcpyHostToDevice);
  unsigned char *device;
  cudaMalloc(&device, seen.size());
  change<Piece><<<dim3((pieces + 31) / 32, height), 32>>>(surface, device, pieces, row);
  cudaMemcpy(seen.data(), device, seen.size(), cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(after.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  int bad = 0;
  for (size_t i = 0; i < before.size(); i++) bad += seen[i] != before[i] || after[i] != static_cast<unsigned char>(before[i] + 1);
  if (bad > 0 || error != cudaSuccess)
    wrong++, printf("elements of %d bytes, pieces of %zu, %d x %d: %d bytes wrong, %s\n", element, sizeof(Piece), width, height, bad,
                    cudaGetErrorString(error));
  cudaFree(device);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}

template <typename Element>
void with_elements() {
  for (const int width : {1, 2, 5, 16, 33})
    for (const int height : {1, 3}) {
      const cudaChannelFormatDesc format = cudaCreateChannelDesc<Element>();
      const int element = sizeof(Element);
      with_pieces<unsigned char>(format, element, width, height);
      with_pieces<unsigned short>(format, element, width, height);
      with_pieces<unsigned>(format, element, width, height);
      with_pieces<uint2>(format, element, width, height);
      with_pieces<uint4>(format, element, width, height);
    }
}

int main() {
  with_elements<unsigned char>();
  with_elements<uchar2>();
  with_elements<short>();
  with_elements<uchar4>();
  with_elements<float>();
  with_elements<ushort4>();
  with_elements<float2>();
  with_elements<float4>();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
