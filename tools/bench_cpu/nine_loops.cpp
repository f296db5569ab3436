// The nine benchmarks of tests/cpu_device/loops/nine_kernels.cu as loops that somebody would write for one core, with
// `#pragma omp simd`; the same additions in the same order.
//
//   g++ -O3 -march=native -ffp-contract=off -fopenmp-simd -fno-math-errno nine_loops.cpp -o nine_loops
#include <cmath>
#include <memory>

#include "nine.h"

constexpr int kTile = 16;
struct Body {
  float x, y, z, mass;
};

static void saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
#pragma omp simd
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

static void stencil(const float* __restrict in, float* __restrict out, int w, int h) {
  for (int y = 1; y < h - 1; y++)
#pragma omp simd
    for (int x = 1; x < w - 1; x++)
      out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

static void product(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
  for (int row = 0; row < n; row++) {
    float* out = c + row * n;
    std::fill(out, out + n, 0.0f);
    for (int k = 0; k < n; k++) {
      const float left = a[row * n + k];
#pragma omp simd
      for (int col = 0; col < n; col++) out[col] += left * b[k * n + col];
    }
  }
}

static void product_tiles(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
  for (int row = 0; row < n; row += kTile)
    for (int col = 0; col < n; col += kTile) {
      float sum[kTile][kTile] = {};
      for (int k = 0; k < n; k++)
        for (int y = 0; y < kTile; y++) {
          const float left = a[(row + y) * n + k];
#pragma omp simd
          for (int x = 0; x < kTile; x++) sum[y][x] += left * b[k * n + col + x];
        }
      for (int y = 0; y < kTile; y++)
        for (int x = 0; x < kTile; x++) c[(row + y) * n + col + x] = sum[y][x];
    }
}

static void julia(unsigned char* out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float jx = 1.5f * (w / 2 - x) / (w / 2), jy = 1.5f * (h / 2 - y) / (h / 2);
      int i = 0;
      for (; i < 200; i++) {
        const float r = jx * jx - jy * jy - 0.8f, m = 2 * jx * jy + 0.156f;
        jx = r;
        jy = m;
        if (jx * jx + jy * jy > 1000) break;
      }
      out[y * w + x] = static_cast<unsigned char>(i);
    }
}

static void bodies(const Body* __restrict p, Body* __restrict f, int n) {
  for (int first = 0; first < n; first += kTile) {
    float fx[kTile] = {}, fy[kTile] = {}, fz[kTile] = {};
    for (int k = 0; k < n; k++) {
      const Body other = p[k];
#pragma omp simd
      for (int i = 0; i < kTile; i++) {
        const float dx = other.x - p[first + i].x, dy = other.y - p[first + i].y, dz = other.z - p[first + i].z;
        const float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        const float s = other.mass * inv * inv * inv;
        fx[i] += dx * s;
        fy[i] += dy * s;
        fz[i] += dz * s;
      }
    }
    for (int i = 0; i < kTile; i++) f[first + i] = {fx[i], fy[i], fz[i], 0};
  }
}

static void reduce(const float* __restrict in, float* __restrict out, int n) {
  float cache[256];
  for (int block = 0; block < n / 256; block++) {
    std::copy(in + block * 256, in + block * 256 + 256, cache);
    for (int s = 128; s > 0; s /= 2)
#pragma omp simd
      for (int i = 0; i < s; i++) cache[i] += cache[i + s];
    out[block] = cache[0];
  }
}

static void histogram(const unsigned char* data, unsigned* out, int n) {
  unsigned bins[4][256] = {};  // neighbors are often the same: one counter would wait for itself
  for (int i = 0; i < n; i += 4)
    for (int k = 0; k < 4; k++) bins[k][data[i + k]]++;
  for (int i = 0; i < 256; i++) out[i] += bins[0][i] + bins[1][i] + bins[2][i] + bins[3][i];
}

static void transpose(const float* __restrict in, float* __restrict out, int n) {
  for (int y = 0; y < n; y += kTile)
    for (int x = 0; x < n; x += kTile)
      for (int i = 0; i < kTile; i++)
        for (int k = 0; k < kTile; k++) out[(x + i) * n + y + k] = in[(y + k) * n + x + i];
}

int main(int argc, char** argv) {
  const auto [w, n, m, j, b] = sizes_of(argc, argv);
  std::vector<float> x(n), y(n);
  std::vector<unsigned> bins(256);
  for (int i = 0; i < n; i++) x[i] = y[i] = start_value(i);
  const auto of = [](const void* data) { return [data](size_t) { return static_cast<const unsigned char*>(data); }; };
  float *in = x.data(), *out = y.data();
  auto* bytes = reinterpret_cast<unsigned char*>(in);
  measure("saxpy", n * 4ul, [&, n = n] { saxpy(n, 2, in, out); }, of(out));
  measure("product", m * m * 4ul, [&, n = n, m = m] { product(in, in + n / 4, out, m); }, of(out));
  measure("product, tiles", m * m * 4ul, [&, n = n, m = m] { product_tiles(in, in + n / 4, out, m); }, of(out));
  measure("Julia set", j * j, [&, j = j] { julia(reinterpret_cast<unsigned char*>(out), j, j); }, of(out));
  measure("stencil", n * 4ul, [&, w = w] { stencil(in, out, w, w); }, of(out));
  measure("bodies", b * 16ul, [&, b = b] { bodies(reinterpret_cast<Body*>(in), reinterpret_cast<Body*>(out), b); }, of(out));
  measure("reduction", n / 256 * 4ul, [&, n = n] { reduce(in, out, n); }, of(out));
  measure("histogram", 1024, [&, n = n] { histogram(bytes, bins.data(), n); }, of(bins.data()));
  measure("transpose", n * 4ul, [&, w = w] { transpose(in, out, w); }, of(out));
}
