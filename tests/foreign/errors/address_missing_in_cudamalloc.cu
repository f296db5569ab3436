// cudaMalloc() without the & of its first argument: the first line says what the function needs.
// expect: address_missing_in_cudamalloc.cu:6: this function stores an address, so it needs the address of a pointer

int main() {
  float* a;
  cudaMalloc(a, 4);
  return 0;
}
