#include <algorithm>

#include "book.h"
#include "harness.h"

void dependency(const int* in, int* out, int n);

int main() {
  const std::vector<int> data = lab::get<int>();
  const int n = static_cast<int>(data.size());
  int *in, *out;
  HANDLE_ERROR(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocDefault));
  std::copy(data.begin(), data.end(), in);
  std::fill(out, out + n, -2);  // results are odd
  dependency(in, out, n);
  lab::put(std::vector<int>(out, out + n));
  HANDLE_ERROR(cudaFreeHost(in));
  HANDLE_ERROR(cudaFreeHost(out));
  return lab::done();
}
