// In the manner of programs whose last warp is not full: exchanges among the first n lanes of a warp alone, for each n. A lane
// that takes no part gives 0, so sums over the others are right; beyond the segment a lane keeps its own value.
#include <cstdio>
#include <cstdlib>

struct Got {
  double sum, down, up, across, of;
};

template <typename T>
__global__ void exchange(int n, int step, Got *out) {
  const int lane = threadIdx.x;
  if (lane >= n) return;
  const unsigned mask = n == 32 ? 0xffffffffu : (1u << n) - 1;
  const T mine = T(lane + 1);
  T sum = mine;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(mask, sum, offset);
  out[lane] = {double(sum), double(__shfl_down_sync(mask, mine, step)), double(__shfl_up_sync(mask, mine, step)),
               double(__shfl_xor_sync(mask, mine, step)), double(__shfl_sync(mask, mine, step))};
}

int wrong = 0;

template <typename T>
void check(const char *type, Got *out) {
  for (int n = 1; n <= 32; n++)
    for (int step : {1, 2, 3, 7, 8, 16, 31}) {
      exchange<T><<<1, 32>>>(n, step, out);
      if (cudaDeviceSynchronize() != cudaSuccess) exit(2);
      const auto of = [&](int lane) { return lane < n ? lane + 1 : 0; };
      for (int lane = 0; lane < n; lane++) {
        const double down = lane + step < 32 ? of(lane + step) : lane + 1, up = lane >= step ? of(lane - step) : lane + 1;
        const Got &it = out[lane];
        if (it.down == down && it.up == up && it.across == of(lane ^ step) && it.of == of(step) && (lane > 0 || it.sum == n * (n + 1) / 2))
          continue;
        wrong++;
        fprintf(stderr, "%s, lane %d of %d, step %d: sum %g, down %g, up %g, xor %g, of %g\n", type, lane, n, step, it.sum, it.down, it.up,
                it.across, it.of);
      }
    }
}

int main() {
  Got *out;
  if (cudaMallocManaged(&out, 32 * sizeof(Got)) != cudaSuccess) return 2;
  check<int>("int", out);
  check<unsigned>("unsigned", out);
  check<float>("float", out);
  check<long long>("long long", out);
  check<double>("double", out);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
