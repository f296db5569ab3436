// In the manner of the test suites of FFT libraries: all types of transforms in one to three dimensions, in place and out of place,
// with layouts and without, in batches and in a stream, against sums. What lies between and around the elements stays.
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <vector>

typedef std::complex<double> Number;
int wrong = 0;
std::mt19937 engine(53);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
char now[300];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CUFFT_SUCCESS)

const int kRoom = 4096, kFirst = 64;  // numbers of each array, and the first that a plan sees

// One side of a transform: real or complex elements, where they are, and how many there are in the last dimension.
struct Side {
  bool is_complex;
  int embed[3], stride, apart, columns;
  int numbers() const { return is_complex ? 2 : 1; }
  size_t at(int batch, int x, int y, int z) const {
    return kFirst + static_cast<size_t>(numbers()) * (batch * apart + ((x * embed[1] + y) * embed[2] + z) * stride);
  }
};

Number load(const std::vector<double> &from, const Side &side, int batch, int x, int y, int z) {
  const size_t i = side.at(batch, x, y, z);
  return {from[i], side.is_complex ? from[i + 1] : 0};
}
void store(std::vector<double> *to, const Side &side, int batch, int x, int y, int z, Number value) {
  const size_t i = side.at(batch, x, y, z);
  (*to)[i] = value.real();
  if (side.is_complex) (*to)[i + 1] = value.imag();
}

template <typename T>
bool same(const T *device, const std::vector<double> &expected) {
  std::vector<T> got(kRoom);
  cudaMemcpy(got.data(), device, kRoom * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < kRoom; i++)
    if (!(std::abs(got[i] - expected[i]) <= (sizeof(T) == 8 ? 1e-9 : 2e-3)))
      return printf("number %d: %g, expected %g; ", i, double(got[i]), expected[i]), false;
  return true;
}

// Kind: 0 complex to complex, 1 real to complex, 2 complex to real.
template <typename T>
void transform(int kind, cudaStream_t stream) {
  const bool is_double = sizeof(T) == 8, forward = kind == 1 || (kind == 0 && coin()), in_place = coin();
  const int rank = 1 + random_to(3), batch = 1 + random_to(3);
  int n[3] = {1, 1, 1};
  for (int d = 3 - rank; d < 3; d++) n[d] = 1 + random_to(rank == 1 ? 12 : 6);
  const bool with_layout = coin() && !in_place;
  Side from = {kind != 1, {}, 1, 0, kind == 2 ? n[2] / 2 + 1 : n[2]}, to = {kind != 2, {}, 1, 0, kind == 1 ? n[2] / 2 + 1 : n[2]};
  for (Side *side : {&from, &to}) {
    int pitch = side->columns;
    if (!with_layout && in_place && !side->is_complex) pitch = 2 * (n[2] / 2 + 1);
    side->embed[0] = n[0], side->embed[1] = n[1], side->embed[2] = pitch;
    if (with_layout) {
      side->embed[1] += rank == 3 ? random_to(2) : 0, side->embed[2] += random_to(3), side->stride = 1 + random_to(2);
    }
    side->apart = side->embed[0] * side->embed[1] * side->embed[2] * side->stride + (with_layout ? random_to(3) : 0);
  }
  const cufftType types[2][3] = {{CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}, {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}};
  const cufftType type = types[is_double][kind];
  snprintf(now, sizeof now, "type %x, %s, rank %d, %d x %d x %d, %d batches, strides %d %d, %s", type, forward ? "forward" : "back",
           rank, n[0], n[1], n[2], batch, from.stride, to.stride,
           in_place      ? "in place"
           : with_layout ? "with layouts"
                         : "plain");
  std::vector<double> numbers(kRoom), other(kRoom);
  for (double &x : numbers) x = (random_to(2001) - 1000) / 500.0;
  for (double &x : other) x = 77 + random_to(10);
  if (kind == 2)  // the elements that belong to each other are conjugates
    for (int b = 0; b < batch; b++)
      for (int z : {0, n[2] / 2})
        if (z == 0 || n[2] % 2 == 0)
          for (int x = 0; x < n[0]; x++)
            for (int y = 0; y < n[1]; y++) {
              const int u = (n[0] - x) % n[0], v = (n[1] - y) % n[1];
              const Number value = load(numbers, from, b, x, y, z);
              store(&numbers, from, b, u, v, z, u == x && v == y ? Number(value.real(), 0) : std::conj(value));
            }
  T *in, *out;
  cudaMalloc(&in, kRoom * sizeof(T)), cudaMalloc(&out, kRoom * sizeof(T));
  const auto upload = [](T *device, const std::vector<double> &values) {
    const std::vector<T> narrow(values.begin(), values.end());
    cudaMemcpy(device, narrow.data(), kRoom * sizeof(T), cudaMemcpyHostToDevice);
  };
  upload(in, numbers), upload(out, other);
  cufftHandle plan;
  int *const sizes = n + 3 - rank, *const in_embed = from.embed + 3 - rank, *const out_embed = to.embed + 3 - rank;
  const int way = with_layout ? 0 : random_to(3);
  int actual = batch;
  if (way == 0) {
    GOOD(cufftPlanMany(&plan, rank, sizes, with_layout ? in_embed : nullptr, from.stride, from.apart,
                       with_layout ? out_embed : nullptr, to.stride, to.apart, type, batch));
  } else if (way == 1) {
    if (rank > 1) actual = 1;
    GOOD(rank == 1   ? cufftPlan1d(&plan, n[2], type, batch)
         : rank == 2 ? cufftPlan2d(&plan, n[1], n[2], type)
                     : cufftPlan3d(&plan, n[0], n[1], n[2], type));
  } else {
    size_t bytes = 0;
    if (rank > 1) actual = 1;
    GOOD(cufftCreate(&plan));
    GOOD(rank == 1   ? cufftMakePlan1d(plan, n[2], type, batch, &bytes)
         : rank == 2 ? cufftMakePlan2d(plan, n[1], n[2], type, &bytes)
                     : cufftMakePlan3d(plan, n[0], n[1], n[2], type, &bytes));
  }
  GOOD(cufftSetStream(plan, stream));
  T *const target = in_place ? in : out;
  std::vector<double> expected = in_place ? numbers : other;
  const double sign = forward ? -1 : 1, pi = std::acos(-1.0);
  for (int b = 0; b < actual; b++)
    for (int u = 0; u < n[0]; u++)
      for (int v = 0; v < n[1]; v++)
        for (int w = 0; w < to.columns; w++) {
          Number sum = 0;
          for (int x = 0; x < n[0]; x++)
            for (int y = 0; y < n[1]; y++)
              for (int z = 0; z < n[2]; z++) {
                const bool there = z < from.columns;
                const Number value = there ? load(numbers, from, b, x, y, z)
                                           : std::conj(load(numbers, from, b, (n[0] - x) % n[0], (n[1] - y) % n[1], n[2] - z));
                sum +=
                    value * std::polar(1.0, sign * 2 * pi * (double(u * x) / n[0] + double(v * y) / n[1] + double(w * z) / n[2]));
              }
          store(&expected, to, b, u, v, w, sum);
        }
  const auto run = [&](cufftHandle of_plan) -> int {
    void *const a = in + kFirst, *const c = target + kFirst;
    const int direction = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
    switch (type) {
      case CUFFT_C2C:
        return cufftExecC2C(of_plan, static_cast<cufftComplex *>(a), static_cast<cufftComplex *>(c), direction);
      case CUFFT_Z2Z:
        return cufftExecZ2Z(of_plan, static_cast<cufftDoubleComplex *>(a), static_cast<cufftDoubleComplex *>(c), direction);
      case CUFFT_R2C:
        return cufftExecR2C(of_plan, static_cast<cufftReal *>(a), static_cast<cufftComplex *>(c));
      case CUFFT_D2Z:
        return cufftExecD2Z(of_plan, static_cast<cufftDoubleReal *>(a), static_cast<cufftDoubleComplex *>(c));
      case CUFFT_C2R:
        return cufftExecC2R(of_plan, static_cast<cufftComplex *>(a), static_cast<cufftReal *>(c));
      default:
        return cufftExecZ2D(of_plan, static_cast<cufftDoubleComplex *>(a), static_cast<cufftDoubleReal *>(c));
    }
  };
  GOOD(run(plan));
  cudaStreamSynchronize(stream);
#ifdef __CPU_DEVICE__
  const bool all_stay = true;
#else
  const bool all_stay = kind == 0;  // a GPU may use gaps, and the input of what becomes real, as room to work
#endif
  if (all_stay) {
    EXPECT(same(target, expected));
    if (!in_place) EXPECT(same(in, numbers));
  }
  GOOD(cufftDestroy(plan));
  EXPECT(run(plan) == CUFFT_INVALID_PLAN && cufftDestroy(plan) == CUFFT_INVALID_PLAN &&
         cufftSetStream(plan, stream) == CUFFT_INVALID_PLAN);
  if (all_stay) EXPECT(same(target, expected));
  cudaFree(in), cudaFree(out);
}

void refused() {
  snprintf(now, sizeof now, "what is refused");
  cufftHandle plan;
  int n[] = {4, 4, 4, 4};
  [[maybe_unused]] int zero[] = {4, 0, 4};
  for (const int rank : {0, 4, -1})
    EXPECT(cufftPlanMany(&plan, rank, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) != CUFFT_SUCCESS);
  for (const int size : {0, -1}) {
    EXPECT(cufftPlan1d(&plan, size, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
#ifdef __CPU_DEVICE__  // cuFFT 12 takes some of these plans
    EXPECT(cufftPlan2d(&plan, size, 4, CUFFT_C2C) != CUFFT_SUCCESS && cufftPlan2d(&plan, 4, size, CUFFT_C2C) != CUFFT_SUCCESS);
    EXPECT(cufftPlan3d(&plan, 4, 4, size, CUFFT_C2C) != CUFFT_SUCCESS);
#endif
  }
  EXPECT(cufftPlan1d(&plan, 4, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
#ifdef __CPU_DEVICE__
  EXPECT(cufftPlanMany(&plan, 3, zero, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) != CUFFT_SUCCESS);
#endif
  cufftComplex *data;
  cudaMalloc(&data, 64 * sizeof *data);
  GOOD(cufftCreate(&plan));
  EXPECT(cufftExecC2C(plan, data, data, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);  // made, but not for a size
#ifdef __CPU_DEVICE__
  size_t bytes = 0;
  GOOD(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
  EXPECT(cufftExecR2C(plan, reinterpret_cast<cufftReal *>(data), data) == CUFFT_INVALID_TYPE);
  EXPECT(cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex *>(data), reinterpret_cast<cufftDoubleComplex *>(data),
                      CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
  EXPECT(cufftExecC2C(plan, data, data + 56, CUFFT_FORWARD) == CUFFT_SUCCESS &&
         cufftExecC2C(plan, data, data + 57, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
#endif
  GOOD(cufftDestroy(plan));
  // Each plan has a number of its own.
  cufftHandle a, b;
  GOOD(cufftPlan1d(&a, 4, CUFFT_C2C, 1)), GOOD(cufftPlan1d(&b, 8, CUFFT_C2C, 1));
  EXPECT(a != b);
  GOOD(cufftDestroy(a)), GOOD(cufftExecC2C(b, data, data, CUFFT_FORWARD)), GOOD(cufftDestroy(b));
  cudaFree(data);
}

// The stream that a plan was given before its size: a transform comes after what was queued there.
void stream_of_a_plan() {
  snprintf(now, sizeof now, "a stream that was set before the size");
  cudaStream_t stream;
  cufftHandle plan;
  size_t bytes = 0;
  cufftComplex *data, host[8];
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaMalloc(&data, 16 * sizeof *data);
  GOOD(cufftCreate(&plan)), GOOD(cufftSetStream(plan, stream)), GOOD(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
  cudaMemset(data, 0x40, 16 * sizeof *data), cudaDeviceSynchronize();
  cudaMemsetAsync(data, 0, 8 * sizeof *data, stream);
  GOOD(cufftExecC2C(plan, data, data + 8, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  cudaMemcpy(host, data + 8, sizeof host, cudaMemcpyDeviceToHost);
  for (const cufftComplex &x : host) EXPECT(x.x == 0 && x.y == 0);
  GOOD(cufftDestroy(plan));
  cudaFree(data), cudaStreamDestroy(stream);
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 60; i++)
    for (int kind = 0; kind < 3; kind++) transform<float>(kind, stream), transform<double>(kind, i % 2 ? stream : nullptr);
  refused(), stream_of_a_plan();
  cudaStreamDestroy(stream);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
