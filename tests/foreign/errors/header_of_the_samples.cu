// A header that NVIDIA's samples bring along: the first line says where it is from.
// expect: header_of_the_samples.cu:3: helper_cuda.h comes with NVIDIA's samples, not with CUDA.
#include <helper_cuda.h>

int main() { return 0; }
