// expect: cusparse.h: cuSPARSE is not on the CPU device
#include <cusparse.h>
int main() {
  cusparseHandle_t handle;
  return cusparseCreate(&handle);
}
