#include "harness.h"

int best_device(const cudaDeviceProp* devices, int count, int major, int minor);

int main() {
  const std::vector<long> table = lab::get<long>();  // major, minor, memory of each
  const std::vector<int> asked = lab::get<int>();    // major, minor of each question
  std::vector<cudaDeviceProp> devices(table.size() / 3);
  for (size_t i = 0; i < devices.size(); i++) {
    devices[i].major = static_cast<int>(table[3 * i]);
    devices[i].minor = static_cast<int>(table[3 * i + 1]);
    devices[i].totalGlobalMem = static_cast<size_t>(table[3 * i + 2]);
  }
  std::vector<int> chosen;
  for (size_t i = 0; i + 1 < asked.size(); i += 2)
    chosen.push_back(best_device(devices.data(), static_cast<int>(devices.size()), asked[i],
                                 asked[i + 1]));
  lab::put_of_host(chosen, 0);
  return lab::done();
}
