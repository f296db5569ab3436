#include <algorithm>

#include "book.h"
#include "harness.h"

void overlap(const float* in, float* out, int n);

int main() {
  const std::vector<float> data = lab::get<float>();
  const int n = static_cast<int>(data.size());
  float *in, *out;
  HANDLE_ERROR(cudaHostAlloc(&in, (n + 1) * sizeof(float), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&out, (n + 1) * sizeof(float), cudaHostAllocDefault));
  std::copy(data.begin(), data.end(), in);
  std::fill(out, out + n, -1.0f);
  overlap(in, out, n);
  lab::put(std::vector<float>(out, out + n));
  HANDLE_ERROR(cudaFreeHost(in));
  HANDLE_ERROR(cudaFreeHost(out));
  return lab::done();
}
