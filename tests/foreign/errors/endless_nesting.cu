// expect: let the recursion of launches end
__global__ void again(int depth) { again<<<1, 1>>>(depth + 1); }
int main() {
  again<<<1, 1>>>(0);
  return cudaDeviceSynchronize() == cudaErrorLaunchMaxDepthExceeded ? 1 : 0;
}
