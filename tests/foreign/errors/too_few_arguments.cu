// What the compiler says of a call speaks of CUDA's parameters, and of none that only we have.
// expect: cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind)
int main() {
  int* x;
  return cudaMemcpy(x);
}
