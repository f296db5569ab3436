// A missing semicolon in a kernel. The compiler sees the kernel's body as a lambda. Its message names the kernel.
// expect: semicolon_missing_in_kernel.cu: In kernel ‘scale’:

template <int kFactor>
__global__ void __launch_bounds__(256)
scale(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x
  if (i < n) a[i] *= kFactor;
}

int main() { return 0; }
