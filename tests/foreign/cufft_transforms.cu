// In the manner of first programs with cuFFT: forward and back, against sums written down, in one to
// three dimensions, with sizes that are primes, in place, in batches.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::complex<double> Complex;

#define CHECK(call)                                             \
  do {                                                          \
    if ((call) != 0) {                                          \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #call); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

std::vector<double> numbers(size_t n) {
  static unsigned seed = 1;
  std::vector<double> x(n);
  for (double &value : x) {
    seed = seed * 1664525u + 1013904223u;
    value = (seed >> 8) / 16777216.0 - 0.5;
  }
  return x;
}
template <typename T>
T *on_device(const std::vector<T> &from) {
  T *data;
  CHECK(cudaMalloc(&data, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return data;
}
void close(Complex value, Complex expected, double bound, const char *what, int n) {
  if (!(std::abs(value - expected) <= bound)) {
    fprintf(stderr, "%s of %d: (%g, %g), expected (%g, %g)\n", what, n, value.real(), value.imag(),
            expected.real(), expected.imag());
    exit(1);
  }
}
Complex sum(const std::vector<Complex> &x, int n, int k) {
  Complex total = 0;
  for (int j = 0; j < n; j++) total += x[j] * std::polar(1.0, -2 * M_PI * ((long)j * k % n) / n);
  return total;
}

void one_dimension(int n) {
  const auto re = numbers(n), im = numbers(n);
  std::vector<Complex> x(n);
  std::vector<cufftDoubleComplex> in(n), out(n);
  for (int i = 0; i < n; i++) x[i] = Complex(re[i], im[i]), in[i] = {re[i], im[i]};
  cufftDoubleComplex *data = on_device(in);
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
  CHECK(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD));
  CHECK(cudaMemcpy(out.data(), data, n * sizeof(out[0]), cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; k += 1 + n / 7) close({out[k].x, out[k].y}, sum(x, n, k), 1e-12 * n, "Z2Z", n);
  CHECK(cufftExecZ2Z(plan, data, data, CUFFT_INVERSE));
  CHECK(cudaMemcpy(out.data(), data, n * sizeof(out[0]), cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; k++) close({out[k].x / n, out[k].y / n}, x[k], 1e-12, "back", n);
  CHECK(cufftDestroy(plan));
  cudaFree(data);
}

// Real numbers, in rows: forward in place with the room that this needs, and back.
void real_in_place(int nx, int ny) {
  const int half = ny / 2 + 1;
  const auto x = numbers((size_t)nx * ny);
  std::vector<float> padded((size_t)nx * 2 * half, 0);
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) padded[(size_t)i * 2 * half + j] = (float)x[(size_t)i * ny + j];
  float *data = on_device(padded);
  cufftHandle forward, back;
  CHECK(cufftPlan2d(&forward, nx, ny, CUFFT_R2C));
  CHECK(cufftPlan2d(&back, nx, ny, CUFFT_C2R));
  CHECK(cufftExecR2C(forward, data, (cufftComplex *)data));
  std::vector<cufftComplex> spectrum((size_t)nx * half);
  CHECK(cudaMemcpy(spectrum.data(), data, spectrum.size() * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
  for (int u = 0; u < nx; u += 2)
    for (int v = 0; v < half; v += 3) {
      Complex total = 0;
      for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
          total += x[(size_t)i * ny + j] *
                   std::polar(1.0, -2 * M_PI * ((double)i * u / nx + (double)j * v / ny));
      const cufftComplex got = spectrum[(size_t)u * half + v];
      close({got.x, got.y}, total, 1e-4, "R2C", ny);
    }
  CHECK(cufftExecC2R(back, (cufftComplex *)data, data));
  CHECK(cudaMemcpy(padded.data(), data, padded.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      close(padded[(size_t)i * 2 * half + j] / (nx * ny), x[(size_t)i * ny + j], 1e-5, "C2R", ny);
  CHECK(cufftDestroy(forward));
  CHECK(cufftDestroy(back));
  cudaFree(data);
}

// Real numbers in batches of one to three dimensions, one transform behind the other as cuFFT lays them out by itself, forward
// and back: in place, where each row has room for its spectrum, and elsewhere.
void real_batches(int rank, const int *n, int batch, bool in_place) {
  const int columns = n[rank - 1], half = columns / 2 + 1, pitch = in_place ? 2 * half : columns;
  int rows = 1;
  for (int d = 0; d < rank - 1; d++) rows *= n[d];
  const size_t all_rows = (size_t)rows * batch;
  const auto x = numbers(all_rows * columns);
  std::vector<double> in(all_rows * pitch, 0);
  for (size_t r = 0; r < all_rows; r++)
    for (int j = 0; j < columns; j++) in[r * pitch + j] = x[r * columns + j];
  double *data = on_device(in);
  cufftDoubleComplex *result = in_place ? (cufftDoubleComplex *)data : on_device(std::vector<cufftDoubleComplex>(all_rows * half, {7, 7}));
  cufftHandle forward, back;
  std::vector<int> sizes(n, n + rank);
  if (rank == 1) {
    CHECK(cufftPlan1d(&forward, columns, CUFFT_D2Z, batch));
    CHECK(cufftPlan1d(&back, columns, CUFFT_Z2D, batch));
  } else {
    CHECK(cufftPlanMany(&forward, rank, sizes.data(), NULL, 1, 0, NULL, 1, 0, CUFFT_D2Z, batch));
    CHECK(cufftPlanMany(&back, rank, sizes.data(), NULL, 1, 0, NULL, 1, 0, CUFFT_Z2D, batch));
  }
  CHECK(cufftExecD2Z(forward, data, result));
  std::vector<cufftDoubleComplex> spectrum(all_rows * half);
  CHECK(cudaMemcpy(spectrum.data(), result, spectrum.size() * sizeof(spectrum[0]), cudaMemcpyDeviceToHost));
  // The number of turns that row r makes with row u.
  const auto turns = [&](int r, int u) {
    double sum = 0;
    for (int d = rank - 2; d >= 0; d--) sum += (double)(r % n[d]) * (u % n[d]) / n[d], r /= n[d], u /= n[d];
    return sum;
  };
  for (int b = 0; b < batch; b++)
    for (int u = 0; u < rows; u++)
      for (int v = 0; v < half; v++) {
        Complex total = 0;
        for (int r = 0; r < rows; r++)
          for (int j = 0; j < columns; j++)
            total += x[((size_t)b * rows + r) * columns + j] * std::polar(1.0, -2 * M_PI * (turns(r, u) + (double)j * v / columns));
        const cufftDoubleComplex got = spectrum[((size_t)b * rows + u) * half + v];
        close({got.x, got.y}, total, 1e-11, in_place ? "a batch in place" : "a batch", b);
      }
  CHECK(cufftExecZ2D(back, result, data));
  CHECK(cudaMemcpy(in.data(), data, in.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (size_t r = 0; r < all_rows; r++)
    for (int j = 0; j < columns; j++) close(in[r * pitch + j] / (rows * columns), x[r * columns + j], 1e-12, "a batch back", (int)r);
  CHECK(cufftDestroy(forward));
  CHECK(cufftDestroy(back));
  cudaFree(data);
  if (!in_place) cudaFree(result);
}

// GPUs are more lenient, or decide otherwise.
#ifdef __CPU_DEVICE__
const bool on_cpu_device = true;
#else
const bool on_cpu_device = false;
#endif

int main() {
  for (int n : {1, 2, 3, 4, 8, 12, 37, 60, 128, 251, 1000, 1024, 1155, 2 * 509}) one_dimension(n);
  real_in_place(6, 10);
  real_in_place(5, 7);

  for (const int batch : {1, 2, 3})
    for (const bool in_place : {false, true}) {
      const int even[] = {10}, odd[] = {7}, plane[] = {4, 6}, odd_plane[] = {3, 5}, volume[] = {2, 3, 4};
      real_batches(1, even, batch, in_place), real_batches(1, odd, batch, in_place);
      real_batches(2, plane, batch, in_place), real_batches(2, odd_plane, batch, in_place);
      real_batches(3, volume, batch, in_place);
    }

  // Columns of a matrix as a batch: the elements of one lie `count` apart.
  const int n = 16, count = 3;
  const auto re = numbers(n * count);
  std::vector<cufftComplex> in(n * count), out(n * count);
  for (int i = 0; i < n * count; i++) in[i] = {(float)re[i], 0};
  cufftComplex *data = on_device(in), *result = on_device(out);
  int size[] = {n}, embed[] = {n};
  cufftHandle plan;
  CHECK(cufftPlanMany(&plan, 1, size, embed, count, 1, embed, 1, n, CUFFT_C2C, count));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(cufftSetStream(plan, stream));
  CHECK(cufftExecC2C(plan, data, result, CUFFT_FORWARD));
  cudaStreamSynchronize(stream);
  CHECK(cudaMemcpy(out.data(), result, out.size() * sizeof(out[0]), cudaMemcpyDeviceToHost));
  for (int c = 0; c < count; c++) {
    std::vector<Complex> column(n);
    for (int i = 0; i < n; i++) column[i] = re[i * count + c];
    for (int k = 0; k < n; k++) close({out[c * n + k].x, out[c * n + k].y}, sum(column, n, k), 1e-5, "batch", n);
  }
  CHECK(cufftDestroy(plan));

  // A wave in three dimensions has one number that is not 0.
  const int nx = 4, ny = 6, nz = 5;
  std::vector<cufftComplex> wave(nx * ny * nz);
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      for (int z = 0; z < nz; z++) {
        const Complex value = std::polar(1.0, 2 * M_PI * (1.0 * x / nx + 2.0 * y / ny + 3.0 * z / nz));
        wave[(x * ny + y) * nz + z] = {(float)value.real(), (float)value.imag()};
      }
  cufftComplex *volume = on_device(wave);
  CHECK(cufftPlan3d(&plan, nx, ny, nz, CUFFT_C2C));
  CHECK(cufftExecC2C(plan, volume, volume, CUFFT_FORWARD));
  CHECK(cudaMemcpy(wave.data(), volume, wave.size() * sizeof(wave[0]), cudaMemcpyDeviceToHost));
  for (int i = 0; i < nx * ny * nz; i++)
    close({wave[i].x, wave[i].y}, i == (1 * ny + 2) * nz + 3 ? nx * ny * nz : 0, 1e-4, "3-D", i);
  if (on_cpu_device && cufftExecR2C(plan, (float *)volume, volume) == CUFFT_SUCCESS) return 1;
  printf("all transforms are right\n");
  return 0;
}
