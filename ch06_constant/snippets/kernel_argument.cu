// Passes a table as a kernel argument: constant memory that belongs to one launch.
// Topic: constant memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

struct Table {
  float squares[100];
};

// __grid_constant__: the kernel only reads the table, so no thread gets a copy of its own.
__global__ void lookup_kernel(const __grid_constant__ Table table, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table.squares[i % 100];
}

// out[i] = table.squares[i % 100].
void look_up(const Table& table, float* out, int n) {
  float* dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_out, n * sizeof(float)));
  lookup_kernel<<<(n + 255) / 256, 256>>>(table, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_out));
}

int main() {
  Table table;
  for (int i = 0; i < 100; i++) table.squares[i] = i * i;
  std::vector<float> out(1000);
  look_up(table, out.data(), 1000);
  printf("out[999] = %g\n", out[999]);
  return out[7] == 49 && out[999] == 99 * 99 ? 0 : 1;
}
