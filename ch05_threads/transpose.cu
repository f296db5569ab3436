// Transposes a matrix in three ways: along columns, through a tile, and through a padded tile.
//
// Not in the book. What to look at: a warp reads or writes 32 numbers at once. Memory is accessed
// in sectors of 32 bytes. In transpose_naive a warp reads a row and writes a column. Each number of
// the column is in a different sector, most of which stays unused. transpose_tiled reads and writes
// rows only, and transposes in shared memory. There a column is slow for a different reason: the 32
// numbers of a column of a 32 x 32 tile are in the same bank, which serves one after the other.
// transpose_padded has one more number in each row of the tile, so no two are in the same bank.
// ./course profile counts the sectors and the conflicts.
//
//   ./course run transpose --size 4096
//   ./course profile transpose --size 256

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

constexpr int kTile = 32;  // threads per block in each dimension, and the side of a tile

// out = in transposed; both are n x n, row after row.
__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < n && y < n) out[size_t(x) * n + y] = in[size_t(y) * n + x];
}

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[size_t(y) * n + x];
  __syncthreads();
  // The tile's place on the other side of the diagonal. threadIdx.x still runs along a row.
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_x < n && out_y < n)
    out[size_t(out_y) * n + out_x] = tile[threadIdx.x][threadIdx.y];
}

// The same, except for the + 1.
__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[size_t(y) * n + x];
  __syncthreads();
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_x < n && out_y < n)
    out[size_t(out_y) * n + out_x] = tile[threadIdx.x][threadIdx.y];
}

using Transpose = void (*)(const float*, float*, int);
constexpr struct {
  const char* words;
  Transpose kernel;
} kWays[] = {{"naive: reads rows, writes columns", transpose_naive},
             {"tiled: rows only, through shared memory", transpose_tiled},
             {"padded: the same without bank conflicts", transpose_padded}};

// out = in transposed on the device, both n x n.
void transpose(Transpose kernel, const float* in, float* out, int n) {
  if (n == 0) return;
  const size_t bytes = sizeof(float) * n * n;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  const unsigned tiles = (n + kTile - 1) / kTile;
  kernel<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_in, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}

// ---- Checking and timing, not the lesson.

// Returns the kernel's time in milliseconds. It does not depend on the numbers.
double kernel_ms(Transpose kernel, int n) {
  const size_t bytes = sizeof(float) * n * n;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemset(dev_in, 0, bytes));
  const unsigned tiles = (n + kTile - 1) / kTile;
  const double ms = course::measure_device_ms(
      [=] { kernel<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_in, dev_out, n); });
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
  return ms;
}

int main(int argc, char** argv) {
  int n = 1024;
  course::Options options("Transposes a matrix in three ways.");
  options.number("size", &n, 0, 46340, "rows, and as many columns");
  options.parse(argc, argv);
  const double bytes = sizeof(float) * double(n) * n;
  course::require_memory(2 * bytes, 3 * bytes);

  const size_t count = size_t(n) * n;
  std::vector<float> in(count), expected(count);
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      const float value = static_cast<float>((size_t(y) * n + x) % 16777213);  // exact in a float
      in[size_t(y) * n + x] = value;
      expected[size_t(x) * n + y] = value;
    }
  for (const auto& way : kWays) {
    std::vector<float> out(count);
    transpose(way.kernel, in.data(), out.data(), n);
    if (!course::verify(way.words, out.data(), expected.data(), count)) return course::kExitWrong;
  }
  printf("%d x %d numbers on %s: all verified\n", n, n, course::device_name().c_str());
  if (n == 0) return 0;
  for (const auto& way : kWays) {
    const double ms = kernel_ms(way.kernel, n);
    printf("%-40s kernel %.4f ms, %.1f GB/s\n", way.words, ms, course::billions_per_second(2 * bytes, ms));
  }
  printf("%-40s %.1f GB/s\n", "a copy within the device's memory",
         course::measure_copy_gb_per_s());
  if (course::runs_on_cpu_device())
    printf("(times on the CPU device say nothing about a GPU; ./course profile counts instead)\n");
  return 0;
}
