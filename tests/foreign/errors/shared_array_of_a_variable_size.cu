// A shared array whose size is a parameter: the first line names the way that works.
// expect: shared_array_of_a_variable_size.cu:5: the size of a __shared__ array must be a constant.

__global__ void reverse(float* a, int n) {
  __shared__ float s[n];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[n - 1 - threadIdx.x];
}

int main() { return 0; }
