// In the manner of libraries that compare in asm: setp and set with each comparison of PTX, of each type, with a second
// condition and without. Each pair of values is compared with C++ on the host, equal ones and what is not a number too.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

// What a comparison of PTX gives: the result, its opposite, the result as a mask, and combined with a condition.
struct Answers {
  int yes, no, mask, with[3], opposite[3];
};

#define ASK(TYPE, LETTER, T, HOW)                                                                                   \
  {                                                                                                                 \
    Answers &it = out[at++];                                                                                        \
    asm("{ .reg .pred p, q; setp." #HOW "." TYPE " p|q, %2, %3; selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"      \
        : "=r"(it.yes), "=r"(it.no)                                                                                 \
        : LETTER(a), LETTER(b));                                                                                    \
    asm("set." #HOW ".u32." TYPE " %0, %1, %2;" : "=r"(it.mask) : LETTER(a), LETTER(b));                            \
    asm("{ .reg .pred p, q, c; setp.ne.s32 c, %4, 0; setp." #HOW ".and." TYPE " p|q, %2, %3, c; "                   \
        "selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"                                                             \
        : "=r"(it.with[0]), "=r"(it.opposite[0])                                                                    \
        : LETTER(a), LETTER(b), "r"(condition));                                                                    \
    asm("{ .reg .pred p, q, c; setp.ne.s32 c, %4, 0; setp." #HOW ".or." TYPE " p|q, %2, %3, c; "                    \
        "selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"                                                             \
        : "=r"(it.with[1]), "=r"(it.opposite[1])                                                                    \
        : LETTER(a), LETTER(b), "r"(condition));                                                                    \
    asm("{ .reg .pred p, q, c; setp.ne.s32 c, %4, 0; setp." #HOW ".xor." TYPE " p|q, %2, %3, c; "                   \
        "selp.s32 %0, 1, 0, p; selp.s32 %1, 1, 0, q; }"                                                             \
        : "=r"(it.with[2]), "=r"(it.opposite[2])                                                                    \
        : LETTER(a), LETTER(b), "r"(condition));                                                                    \
  }

#define SIGNED(X, ...) X(__VA_ARGS__, eq) X(__VA_ARGS__, ne) X(__VA_ARGS__, lt) X(__VA_ARGS__, le) X(__VA_ARGS__, gt) X(__VA_ARGS__, ge)
#define UNSIGNED(X, ...) SIGNED(X, __VA_ARGS__) X(__VA_ARGS__, lo) X(__VA_ARGS__, ls) X(__VA_ARGS__, hi) X(__VA_ARGS__, hs)
#define REAL(X, ...)                                                                                                \
  SIGNED(X, __VA_ARGS__) X(__VA_ARGS__, equ) X(__VA_ARGS__, neu) X(__VA_ARGS__, ltu) X(__VA_ARGS__, leu)            \
  X(__VA_ARGS__, gtu) X(__VA_ARGS__, geu) X(__VA_ARGS__, num) X(__VA_ARGS__, nan)
#define NAME(ignored, how) #how,
const std::vector<const char *> kSigned = {SIGNED(NAME, )}, kUnsigned = {UNSIGNED(NAME, )}, kReal = {REAL(NAME, )};

#define KERNEL(T, SET, TYPE, LETTER)                                     \
  __global__ void ask(T a, T b, int condition, Answers *out) {           \
    int at = 0;                                                          \
    SET(ASK, TYPE, LETTER, T)                                            \
  }
KERNEL(int32_t, SIGNED, "s32", "r")
KERNEL(int64_t, SIGNED, "s64", "l")
KERNEL(uint32_t, UNSIGNED, "u32", "r")
KERNEL(uint64_t, UNSIGNED, "u64", "l")
KERNEL(float, REAL, "f32", "f")
KERNEL(double, REAL, "f64", "d")

// The definition: which of the four relations of two values a comparison is true for.
template <typename T>
bool holds(const char *name, T a, T b) {
  struct Rule {
    const char *name;
    bool less, equal, greater, unordered;
  };
  static const Rule rules[] = {
      {"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},  {"gt", 0, 0, 1, 0},
      {"ge", 0, 1, 1, 0},  {"lo", 1, 0, 0, 0},  {"ls", 1, 1, 0, 0},  {"hi", 0, 0, 1, 0},  {"hs", 0, 1, 1, 0},
      {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1}, {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1},
      {"geu", 0, 1, 1, 1}, {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1}};
  for (const Rule &rule : rules)
    if (std::string(rule.name) == name) return a < b ? rule.less : a == b ? rule.equal : a > b ? rule.greater : rule.unordered;
  return false;
}

int wrong = 0;

template <typename T>
void compare(const char *type, const std::vector<const char *> &names, const std::vector<T> &values) {
  Answers *out;
  if (cudaMallocManaged(&out, names.size() * sizeof(Answers)) != cudaSuccess) std::exit(2);
  for (T a : values)
    for (T b : values)
      for (int condition : {0, 1}) {
        ask<<<1, 1>>>(a, b, condition, out);
        if (cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
        for (size_t i = 0; i < names.size(); i++) {
          const int yes = holds(names[i], a, b);
          const Answers &got = out[i];
          if (got.yes == yes && got.no == !yes && got.mask == (yes ? -1 : 0) && got.with[0] == (yes & condition) &&
              got.with[1] == (yes | condition) && got.with[2] == (yes ^ condition) && got.opposite[0] == (!yes & condition) &&
              got.opposite[1] == (!yes | condition) && got.opposite[2] == (!yes ^ condition))
            continue;
          wrong++;
          fprintf(stderr, "%s.%s of %g and %g, condition %d: %d %d %d, %d %d %d, %d %d %d\n", names[i], type, double(a), double(b),
                  condition, got.yes, got.no, got.mask, got.with[0], got.with[1], got.with[2], got.opposite[0], got.opposite[1],
                  got.opposite[2]);
        }
      }
  cudaFree(out);
}

template <typename T>
std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {Limits::lowest(), T(-1), T(0), T(1), T(7), Limits::max()};
  if (Limits::has_quiet_NaN) all.insert(all.end(), {Limits::quiet_NaN(), Limits::infinity(), T(-0.0)});
  return all;
}

int main() {
  compare("s32", kSigned, numbers<int32_t>());
  compare("s64", kSigned, numbers<int64_t>());
  compare("u32", kUnsigned, numbers<uint32_t>());
  compare("u64", kUnsigned, numbers<uint64_t>());
  compare("f32", kReal, numbers<float>());
  compare("f64", kReal, numbers<double>());
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
