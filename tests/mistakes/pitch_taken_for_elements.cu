// The pitch of cudaMallocPitch() is in bytes; here it counts floats.
__global__ void fill(float* picture, size_t pitch) {
  const int x = threadIdx.x, y = blockIdx.x;
#ifdef RIGHT
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(picture) + y * pitch);
#else
  float* row = picture + y * pitch;
#endif
  row[x] = x + y;  // finds out-of-bounds
}

int main() {
  float* picture;
  size_t pitch;
  cudaMallocPitch(&picture, &pitch, 30 * sizeof(float), 8);
  fill<<<8, 30>>>(picture, pitch);
  cudaDeviceSynchronize();
  cudaFree(picture);
}
