// expect: recursion of launches must come to an end
__global__ void again(int depth) { again<<<1, 1>>>(depth + 1); }
int main() {
  again<<<1, 1>>>(0);
  return cudaDeviceSynchronize() == cudaErrorLaunchMaxDepthExceeded ? 1 : 0;
}
