// Numbers of several words in PTX: sums and differences with a carry from word to word, of 32 and of 64 bits, and products that are added
// with a carry. Of random words, and of those next to the limits, against __int128 on the host.
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;
struct Numbers {
  u32 sum[4], difference[4], product[4];
  u64 wide_sum[2], wide_difference[2];
  u32 again[3], less_again[3];  // the first word's carry in both others, as the second one keeps none
};

__global__ void chains(const u32 *a, const u32 *b, Numbers *to, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const u32 *x = a + 4 * t, *y = b + 4 * t;
  Numbers r = {};
  asm("add.cc.u32 %0, %4, %8;\n\t addc.cc.u32 %1, %5, %9;\n\t addc.cc.u32 %2, %6, %10;\n\t addc.u32 %3, %7, %11;"
      : "=&r"(r.sum[0]), "=&r"(r.sum[1]), "=&r"(r.sum[2]), "=r"(r.sum[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
  asm("sub.cc.u32 %0, %4, %8;\n\t subc.cc.u32 %1, %5, %9;\n\t subc.cc.u32 %2, %6, %10;\n\t subc.u32 %3, %7, %11;"
      : "=&r"(r.difference[0]), "=&r"(r.difference[1]), "=&r"(r.difference[2]), "=r"(r.difference[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
  const u64 xl = u64(x[1]) << 32 | x[0], xh = u64(x[3]) << 32 | x[2], yl = u64(y[1]) << 32 | y[0], yh = u64(y[3]) << 32 | y[2];
  asm("add.cc.u64 %0, %2, %4;\n\t addc.u64 %1, %3, %5;" : "=&l"(r.wide_sum[0]), "=l"(r.wide_sum[1]) : "l"(xl), "l"(xh), "l"(yl), "l"(yh));
  asm("sub.cc.u64 %0, %2, %4;\n\t subc.u64 %1, %3, %5;" : "=&l"(r.wide_difference[0]), "=l"(r.wide_difference[1]) : "l"(xl), "l"(xh), "l"(yl), "l"(yh));
  // (x1:x0) * y0 + (y3:y2:y1), in three words.
  asm("mad.lo.cc.u32 %0, %3, %5, %6;\n\t madc.hi.cc.u32 %1, %3, %5, %7;\n\t addc.u32 %2, %8, 0;\n\t"
      "mad.lo.cc.u32 %1, %4, %5, %1;\n\t madc.hi.u32 %2, %4, %5, %2;"
      : "=&r"(r.product[0]), "=&r"(r.product[1]), "=&r"(r.product[2])
      : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
  asm("add.cc.u32 %0, %3, %4;\n\t addc.u32 %1, %5, %6;\n\t addc.u32 %2, %7, %8;"
      : "=&r"(r.again[0]), "=&r"(r.again[1]), "=r"(r.again[2]) : "r"(x[0]), "r"(y[0]), "r"(x[1]), "r"(y[1]), "r"(x[2]), "r"(y[2]));
  asm("sub.cc.u32 %0, %3, %4;\n\t subc.u32 %1, %5, %6;\n\t subc.u32 %2, %7, %8;"
      : "=&r"(r.less_again[0]), "=&r"(r.less_again[1]), "=r"(r.less_again[2]) : "r"(x[0]), "r"(y[0]), "r"(x[1]), "r"(y[1]), "r"(x[2]), "r"(y[2]));
  to[t] = r;
}

int main() {
  const int n = 4096;
  std::mt19937 random(3);
  const u32 limits[] = {0, 1, 0xffffffff, 0xfffffffe, 0x80000000, 0x7fffffff};
  std::vector<u32> words(8 * n);
  for (u32 &w : words) w = random() % 2 ? limits[random() % 6] : random();
  u32 *a, *b;
  Numbers *to;
  cudaMallocManaged(&a, 16 * n), cudaMallocManaged(&b, 16 * n), cudaMallocManaged(&to, n * sizeof *to);
  for (int i = 0; i < 4 * n; i++) a[i] = words[i], b[i] = words[4 * n + i];
  chains<<<n / 128, 128>>>(a, b, to, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  const auto number = [](const u32 *w, int count) {
    u128 all = 0;
    for (int i = count - 1; i >= 0; i--) all = all << 32 | w[i];
    return all;
  };
  for (int t = 0; t < n; t++) {
    const u32 *x = a + 4 * t, *y = b + 4 * t;
    const u128 all_x = number(x, 4), all_y = number(y, 4), sum = all_x + all_y, difference = all_x - all_y;
    const u128 product = u128(u64(x[1]) << 32 | x[0]) * y[0] + number(y + 1, 3);
    bool right = number(to[t].sum, 4) == sum && number(to[t].difference, 4) == difference &&
                       (u128(to[t].wide_sum[1]) << 64 | to[t].wide_sum[0]) == sum &&
                       (u128(to[t].wide_difference[1]) << 64 | to[t].wide_difference[0]) == difference &&
                       number(to[t].product, 3) == (product & ((u128(1) << 96) - 1));
    const u32 carry = x[0] + y[0] < x[0], borrow = x[0] < y[0];
    for (int i = 0; i < 3; i++)
      right = right && to[t].again[i] == x[i] + y[i] + (i > 0 ? carry : 0) && to[t].less_again[i] == x[i] - y[i] - (i > 0 ? borrow : 0);
    if (!right && wrong++ < 5) printf("%d: %08x %08x %08x %08x and %08x %08x %08x %08x\n", t, x[3], x[2], x[1], x[0], y[3], y[2], y[1], y[0]);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
