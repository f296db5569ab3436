// cudaMemcpy() without its direction: the first line names the four arguments.
// expect: direction_missing_in_cudamemcpy.cu:6: cudaMemcpy() needs four arguments

int main() {
  float a = 0, *b = nullptr;
  cudaMemcpy(&a, b, sizeof a);
  return 0;
}
