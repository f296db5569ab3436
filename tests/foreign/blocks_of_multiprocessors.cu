// In the manner of programs that look where their blocks run (%smid): of any grid, each multiprocessor gets its share.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void where(unsigned *at) {
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  at[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = sm;
}

int main(int, char **argv) {
  // Five of them, where there is no GPU. Read before main() begins, so the program starts itself once more.
  if (getenv("CPU_DEVICE_MULTIPROCESSORS") == nullptr) {
    setenv("CPU_DEVICE_MULTIPROCESSORS", "5", 1);
    execv("/proc/self/exe", argv);
  }
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const unsigned sms = device.multiProcessorCount;
  int bad = 0;
  const dim3 grids[] = {dim3(1), dim3(sms), dim3(sms + 1), dim3(7, 5, 3), dim3(1, 9, 4), dim3(2, 1, 11), dim3(1, 1, 3 * sms), dim3(3, 4, 2)};
  for (const dim3 grid : grids) {
    const unsigned blocks = grid.x * grid.y * grid.z;
    std::vector<unsigned> at(blocks, 99), count(sms, 0);
    unsigned *device_at;
    cudaMalloc(&device_at, blocks * sizeof(unsigned));
    where<<<grid, 1>>>(device_at);
    cudaMemcpy(at.data(), device_at, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(device_at);
    bool good = true;
    for (const unsigned sm : at)
      if (sm < sms)
        count[sm]++;
      else
        good = false;
    for (const unsigned n : count) good = good && n <= (blocks + sms - 1) / sms;
    if (!good) bad++, printf("%u x %u x %u blocks are not spread over %u multiprocessors\n", grid.x, grid.y, grid.z, sms);
  }
  printf(bad ? "wrong\n" : "right\n");
  return bad != 0;
}
