#include "book.h"
#include "harness.h"

int two_devices(const int* a, const int* b, int n, int* shares);

int main() {
  const std::vector<int> a = lab::get<int>(), b = lab::get<int>();
  std::vector<int> shares(16);
  const int sum = two_devices(a.data(), b.data(), static_cast<int>(a.size()), shares.data());
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  lab::put_of_host(std::vector<int>{sum}, a.empty() ? 0 : sizeof(int));
  lab::put_of_host(shares, 0);
  lab::put_of_host(std::vector<int>{count}, 0);
  return lab::done();
}
