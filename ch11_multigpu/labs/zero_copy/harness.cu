#include <algorithm>

#include "book.h"
#include "harness.h"

float* allocate(int n);
void zero_copy(float* a, float* b, float* c, int n);

int main() {
  const std::vector<float> first = lab::get<float>(), second = lab::get<float>();
  const int n = static_cast<int>(first.size());
  float *a = allocate(n), *b = allocate(n), *c = allocate(n);
  std::copy(first.begin(), first.end(), a);
  std::copy(second.begin(), second.end(), b);
  std::fill(c, c + n, -1e30f);
  zero_copy(a, b, c, n);
  const std::vector<float> sum(c, c + n);
  HANDLE_ERROR(cudaFreeHost(a));
  HANDLE_ERROR(cudaFreeHost(b));
  HANDLE_ERROR(cudaFreeHost(c));
  lab::put(sum);
  return lab::done();
}
