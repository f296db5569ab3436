// In the manner of sparse matrices and stencils that read their vectors through textures: elements of plain memory before, at and
// behind its ends, in each type, read as they are and as numbers from -1 to 1. Beyond the ends there are zeros.
#include <climits>
#include <cstdio>
#include <vector>

const int kPlaces = 9, kElements = 10;
__constant__ int places[kPlaces];

template <typename T>
__global__ void fetch(cudaTextureObject_t from, T *out) {
  const int i = threadIdx.x;
  if (i < kPlaces) out[i] = tex1Dfetch<T>(from, places[i]);
}

int wrong = 0;

bool is_zero(const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i] != 0) return false;
  return true;
}

// Memory of kElements elements, of which the texture has all but the last ones. Each byte is 1 + its place, never 0.
template <typename Element, typename Result>
void ends(const char *name, cudaTextureReadMode mode, int used, const int *at) {
  std::vector<unsigned char> bytes(kElements * sizeof(Element));
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<unsigned char>(1 + i % 100);
  void *memory;
  Result *out;
  cudaMalloc(&memory, bytes.size());
  cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaMallocManaged(&out, kPlaces * sizeof *out);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<Element>();
  resource.res.linear.sizeInBytes = used * sizeof(Element);
  cudaTextureDesc how = {};
  how.readMode = mode;
  cudaTextureObject_t texture;
  if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess) wrong++, printf("%s: no texture\n", name);
  fetch<Result><<<1, 32>>>(texture, out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s: failed\n", name);
  for (int i = 0; i < kPlaces; i++) {
    const bool inside = at[i] >= 0 && at[i] < used;
    const auto *got = reinterpret_cast<const unsigned char *>(&out[i]);
    bool right = is_zero(got, sizeof(Result)) != inside;
    if (inside && sizeof(Element) == sizeof(Result) && mode == cudaReadModeElementType)
      for (size_t b = 0; b < sizeof(Result); b++) right &= got[b] == bytes[at[i] * sizeof(Element) + b];
    if (!right) wrong++, printf("%s, %d of %d elements: the one at %d is wrong\n", name, used, kElements, at[i]);
  }
  cudaDestroyTextureObject(texture);
  cudaFree(memory), cudaFree(out);
}

int main() {
  for (const int used : {1, 7, 8, kElements}) {
    const int at[kPlaces] = {-1, 0, 1, used - 1, used, used + 1, INT_MAX, INT_MIN, -used};
    cudaMemcpyToSymbol(places, at, sizeof at);
    const auto as_is = cudaReadModeElementType, as_fractions = cudaReadModeNormalizedFloat;
    ends<float, float>("float", as_is, used, at), ends<int, int>("int", as_is, used, at), ends<unsigned, unsigned>("unsigned", as_is, used, at);
    ends<char, char>("char", as_is, used, at), ends<unsigned char, unsigned char>("unsigned char", as_is, used, at);
    ends<short, short>("short", as_is, used, at), ends<unsigned short, unsigned short>("unsigned short", as_is, used, at);
    ends<float2, float2>("float2", as_is, used, at), ends<float4, float4>("float4", as_is, used, at), ends<int2, int2>("int2", as_is, used, at);
    ends<uchar4, uchar4>("uchar4", as_is, used, at), ends<short2, short2>("short2", as_is, used, at);
    ends<unsigned char, float>("unsigned char as a fraction", as_fractions, used, at), ends<short, float>("short as a fraction", as_fractions, used, at);
    ends<uchar4, float4>("uchar4 as fractions", as_fractions, used, at), ends<ushort2, float2>("ushort2 as fractions", as_fractions, used, at);
  }
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
