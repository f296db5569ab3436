// A launch with two angle brackets: the first line says how it is written.
// expect: launch_with_two_brackets.cu:7: a launch has three angle brackets on each side: kernel<<<blocks, threads>>>(arguments)
__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
  int* a = nullptr;
  fill<<1, 32>>(a);
  return 0;
}
