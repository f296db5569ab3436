// expect: block_size_attribute.cu:3: error: __block_size__ is not supported on the CPU device
__global__ void plain() {}
__block_size__((8, 8, 1)) __global__ void eight_by_eight() {}
int main() { return 1; }
