// Transposes a matrix with tiles: load a tile, transpose it, store it on the other side.
//
// Not in the book. What to look at: transpose.cu needs shared memory and a barrier to read and
// write along rows, and padded rows to avoid bank conflicts. Here a view cuts both matrices into
// tiles, and one function transposes a tile. The masked load and store leave out what lies beyond
// the edge. The compiler decides how the numbers move. Tile kernels need CUDA 13.3 or newer, and
// nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run transpose_tiles --size 4096

#include <cuda_tile.h>

#include <string>
#include <vector>

#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

// out = in transposed; both are n x n, row after row. Each block moves one tile.
template <int kRows, int kColumns>
__tile_global__ void transpose_tiles(const float* __restrict__ in, float* __restrict__ out, int n) {
  in = ct::assume_aligned(in, 16_ic);
  out = ct::assume_aligned(out, 16_ic);
  const auto from =
      ct::partition_view{ct::tensor_span{in, ct::extents{n, n}}, ct::shape<kRows, kColumns>{}};
  const auto to =
      ct::partition_view{ct::tensor_span{out, ct::extents{n, n}}, ct::shape<kColumns, kRows>{}};
  const int row = ct::bid().y, column = ct::bid().x;  // of tiles
  to.store_masked(ct::transpose(from.load_masked(row, column)), column, row);
}

// A kernel, and the rows and columns of its tile of `in`.
struct Way {
  const char* words;
  void (*kernel)(const float*, float*, int);
  int rows, columns;
};
const Way kWays[] = {{"tiles of 32 x 32", transpose_tiles<32, 32>, 32, 32},
                     {"tiles of 64 x 64", transpose_tiles<64, 64>, 64, 64},
                     {"tiles of 128 x 32", transpose_tiles<128, 32>, 128, 32}};

void launch(const Way& way, const float* in, float* out, int n) {
  const dim3 blocks((n + way.columns - 1) / way.columns, (n + way.rows - 1) / way.rows);
  way.kernel<<<blocks, 1>>>(in, out, n);
  HANDLE_ERROR(cudaGetLastError());
}

// out = in transposed on the device, both n x n.
void transpose(const Way& way, const float* in, float* out, int n) {
  if (n == 0) return;
  const size_t bytes = sizeof(float) * n * n;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  launch(way, dev_in, dev_out, n);
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}

// ---- Checking and timing, not the lesson.

// Returns the kernel's time in milliseconds. It does not depend on the numbers.
double kernel_ms(const Way& way, int n) {
  const size_t bytes = sizeof(float) * n * n;
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemset(dev_in, 0, bytes));
  const double ms = course::measure_device_ms([&] { launch(way, dev_in, dev_out, n); });
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
  return ms;
}

int main(int argc, char** argv) {
  int n = 1024;
  course::Options options("Transposes a matrix with tiles.");
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
  for (const Way& way : kWays) {
    std::vector<float> out(count);
    transpose(way, in.data(), out.data(), n);
    if (!course::verify(way.words, out.data(), expected.data(), count)) return course::kExitWrong;
  }
  printf("%d x %d numbers on %s: all verified\n", n, n, course::device_name().c_str());
  if (n == 0) return 0;
  for (const Way& way : kWays) {
    const double ms = kernel_ms(way, n);
    printf("%-40s kernel %.4f ms, %.1f GB/s\n", way.words, ms, course::billions_per_second(2 * bytes, ms));
  }
  printf("%-40s %.1f GB/s\n", "a copy within the device's memory",
         course::measure_copy_gb_per_s());
  if (course::runs_on_cpu_device()) printf("(times on the CPU device say nothing about a GPU)\n");
  return 0;
}
