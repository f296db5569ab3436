// In the manner of a test of interval arithmetic: add, sub, mul, fma, div, rcp and sqrt in PTX, of float and double, rounded to
// nearest, to zero, down and up, and conversions to whole numbers, against the host in the same rounding mode.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { if (cudaError_t e = (x)) { fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

constexpr int kOperations = 8, kModes = 4;

#define TWO(OP, MODE, TYPE, R, y, a, b) asm(OP "." MODE "." TYPE " %0, %1, %2;" : "=" R(y) : R(a), R(b))
#define ONE(OP, MODE, TYPE, R, y, a) asm(OP "." MODE "." TYPE " %0, %1;" : "=" R(y) : R(a))
#define ALL(MODE, WHOLE, TYPE, R, T, out, a, b, c)                                                      \
  {                                                                                                     \
    T y;                                                                                                \
    TWO("add", MODE, TYPE, R, y, a, b); *out++ = y;                                                     \
    TWO("sub", MODE, TYPE, R, y, a, b); *out++ = y;                                                     \
    TWO("mul", MODE, TYPE, R, y, a, b); *out++ = y;                                                     \
    TWO("div", MODE, TYPE, R, y, a, b); *out++ = y;                                                     \
    asm("fma." MODE "." TYPE " %0, %1, %2, %3;" : "=" R(y) : R(a), R(b), R(c)); *out++ = y;             \
    ONE("rcp", MODE, TYPE, R, y, a); *out++ = y;                                                        \
    ONE("sqrt", MODE, TYPE, R, y, fabs(a)); *out++ = y;                                                 \
    int i;                                                                                              \
    asm("cvt." WHOLE ".s32." TYPE " %0, %1;" : "=r"(i) : R(c)); *out++ = static_cast<T>(i);             \
  }
__global__ void floats(const float* in, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  out += i * kModes * kOperations;
  ALL("rn", "rni", "f32", "f", float, out, a, b, c)
  ALL("rz", "rzi", "f32", "f", float, out, a, b, c)
  ALL("rm", "rmi", "f32", "f", float, out, a, b, c)
  ALL("rp", "rpi", "f32", "f", float, out, a, b, c)
}
__global__ void doubles(const double* in, int n, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  out += i * kModes * kOperations;
  ALL("rn", "rni", "f64", "d", double, out, a, b, c)
  ALL("rz", "rzi", "f64", "d", double, out, a, b, c)
  ALL("rm", "rmi", "f64", "d", double, out, a, b, c)
  ALL("rp", "rpi", "f64", "d", double, out, a, b, c)
}

// On the host, in the mode that is set: the compiler must not compute ahead, nor move it.
template <typename T>
__attribute__((noinline, optimize("O0"))) T on_host(int operation, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  switch (operation) {
    case 0: result = a + b; break;
    case 1: result = a - b; break;
    case 2: result = a * b; break;
    case 3: result = a / b; break;
    case 4: result = std::fma(x, y, z); break;
    case 5: result = T(1) / a; break;
    case 6: result = std::sqrt(std::fabs(a)); break;
    case 7: result = std::nearbyint(c); break;
  }
  return result;
}

template <typename T, typename Kernel>
int check(const char* type, Kernel kernel) {
  static const char* const names[] = {"add", "sub", "mul", "div", "fma", "rcp", "sqrt", "cvt"};
  static const char* const mode_names[] = {"rn", "rz", "rm", "rp"};
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD}, n = 2000;
  std::vector<T> in(3 * n), out(n * kModes * kOperations);
  unsigned state = 1;
  for (T& x : in) {
    state = state * 1664525 + 1013904223;
    x = static_cast<T>((state >> 8) % 20001 * 0.37 - 3700.1) / static_cast<T>(1 + state % 7);
  }
  in[2] = 0.5, in[5] = -0.5, in[8] = 2.5, in[11] = 1.5;
  T *dev_in, *dev_out;
  CK(cudaMalloc(&dev_in, in.size() * sizeof(T)));
  CK(cudaMalloc(&dev_out, out.size() * sizeof(T)));
  CK(cudaMemcpy(dev_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
  kernel<<<(n + 255) / 256, 256>>>(dev_in, n, dev_out);
  CK(cudaMemcpy(out.data(), dev_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int mode = 0; mode < kModes; mode++)
      for (int operation = 0; operation < kOperations; operation++) {
        fesetround(modes[mode]);
        const T wanted = on_host(operation, in[3 * i], in[3 * i + 1], in[3 * i + 2]);
        fesetround(FE_TONEAREST);
        const T got = out[(i * kModes + mode) * kOperations + operation];
        if (got == wanted || (std::isnan(got) && std::isnan(wanted)) || wrong++ > 5) continue;
        printf("%s.%s.%s of %.9g %.9g %.9g: %.17g, not %.17g\n", names[operation], mode_names[mode], type, in[3 * i] * 1.0, in[3 * i + 1] * 1.0,
               in[3 * i + 2] * 1.0, got * 1.0, wanted * 1.0);
      }
  CK(cudaFree(dev_in));
  CK(cudaFree(dev_out));
  return wrong;
}

int main() {
  const int wrong = check<float>("f32", floats) + check<double>("f64", doubles);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
