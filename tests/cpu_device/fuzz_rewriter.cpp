// Throws damaged programs at the launch rewriter and checks what must hold for any input.
//
//   fuzz_rewriter [RUNS [SEED]]  mutates the programs below, always the same way for the same seed
//   fuzz_rewriter FILE...        runs files, such as those that libFuzzer has found
//
// With libFuzzer: clang++ -std=c++17 -g -O1 -fsanitize=fuzzer,address,undefined -DUSE_LIBFUZZER ...
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../../common/cpu_device/rewriter/architecture.h"
#include "../../common/cpu_device/rewriter/rewriter.h"
#include "../../common/cpu_device/rewriter/split.h"
#include "../../common/cpu_device/rewriter/tokens.h"

namespace {

using cpu_device::Kind;
using cpu_device::Position;
using cpu_device::Tokens;
using cpu_device::Word;

[[noreturn]] void fail(const char* what, std::string_view input, std::string_view output) {
  std::fprintf(stderr, "%s\n--- input (%zu bytes)\n%.*s\n--- output\n%.*s\n", what, input.size(),
               static_cast<int>(input.size()), input.data(), static_cast<int>(output.size()),
               output.data());
  std::ofstream("fuzz_rewriter.failed", std::ios::binary) << input;
  std::fprintf(stderr, "--- the input is kept in ./fuzz_rewriter.failed\n");
  std::abort();
}

// Words that the rewriter never adds, removes or moves to another line, with their places.
std::map<std::string_view, std::vector<Position>> own_words(const Tokens& tokens) {
  std::map<std::string_view, std::vector<Position>> words;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens.spelling(i);
    if (tokens.is_identifier(i) && word.size() >= 2 && word[0] == 'v' && word[1] >= '0' &&
        word[1] <= '9') {
      words[word].push_back(tokens.locate(tokens[i].begin));
    }
  }
  return words;
}

// Where the functions are defined, nothing else has changed.
void check_split(std::string_view input) {
  constexpr std::string_view used = "[[gnu::used]] ";
  const cpu_device::SplitHeaders parts = cpu_device::split_host_functions(input);
  if (parts.functions == 0) return;
  std::string rest = parts.definitions;
  size_t at = 0;
  for (int i = 0; i < parts.functions; ++i) {
    at = rest.find(used, at);
    if (at == rest.npos) fail("a function that is split off is not defined", input, parts.definitions);
    rest.erase(at, used.size());
  }
  if (rest != input) fail("splitting changes the definitions", input, parts.definitions);
}

void check(std::string_view input) {
  check_split(input);
  std::vector<std::string> errors, warnings;
  cpu_device::merge_architectures(input, "namespace n { void f() { int v0; } } int v1 = 2;", warnings);
  cpu_device::merge_architectures("struct A { A() : v0(1) { } int v0; };", input, warnings);
  cpu_device::rewrite(input, errors, "input.cu", true);  // for a checked run
  cpu_device::rewrite(input, errors, "input.cu", false, true, false, true);  // with loops
  errors.clear();
  const std::string output = cpu_device::rewrite(input, errors, "input.cu");
  if (!errors.empty()) {
    if (!output.empty()) fail("errors, and a result", input, output);
    for (const std::string& error : errors) {
      if (error.find(": error: ") == std::string::npos) fail("an error without a place", input, {});
    }
    return;
  }

  const Tokens before(input), after(output);
  // The operands of PTX come to stand in one line, some twice.
  bool removes_words = output.find("::cpu_device::ptx::") != output.npos, depends = false;
  for (uint32_t i = 0; i < before.size(); ++i) {
    // What their parentheses hold may go or move.
    removes_words |= before.is(i, "alignas") || before.is(i, "__launch_bounds__") ||
                     before.is(i, "__maxnreg__") || before.is(i, "__cluster_dims__") ||
                     before.is(i, "__block_size__");
    // So may what stands in those of `asm("bar.sync 0;")`, where a damaged program has more than strings.
    uint32_t open = i + 1;
    while (before.is(i, "asm") && open < i + 4 && before.is_identifier(open)) ++open;
    removes_words |= before.is(i, "asm") && before.is(open, '(');
    // What is done to these depends on what is around them, which may have changed.
    depends |= before.is(i, "texture") || before.is(i, "__noinline__");
    // A stray `#` may come to stand at the begin of a line, and make it a directive.
    if (before.is(i, '#')) return;
  }
  bool has_launch = false;
  for (const uint32_t hit : after.hits()) {
    const Word word = after[hit].word;
    if (!removes_words && (word == Word::kGlobal || word == Word::kShared)) {
      fail("a keyword is left", input, output);
    }
    has_launch |= word == Word::kOther;
  }

  // As a preprocessor's output does. Without, there is no way back to the file without a name.
  const bool starts_with_marker = before.size() > 0 && !before.locate(before[0].begin).file.empty();
  if (!removes_words) {
    const auto words_after = own_words(after);
    for (const auto& [word, places] : own_words(before)) {
      const auto found = words_after.find(word);
      if (found == words_after.end() || found->second.size() < places.size()) {
        fail("a word is lost", input, output);
      }
      if (places.size() > 1 || !starts_with_marker || places[0].file.size() > 1000) continue;
      bool in_place = false;
      for (const Position& place : found->second) {
        in_place |= place.file == places[0].file && place.line == places[0].line;
      }
      if (!in_place) fail("a word is on another line", input, output);
    }
  }

  // Where keywords and launches are gone, there is nothing left to do. (What was between two `<`
  // may be gone, too, so that they are now a launch.)
  if (has_launch || removes_words || depends) return;
  const std::string again = cpu_device::rewrite(output, errors, "input.cu");
  if (!errors.empty() || again != output) fail("rewriting twice is not once", input, output);
}

// clang-format off
const char* const kPrograms[] = {
R"(# 1 "a.cu"
# 1 "/usr/include/x.h" 1 3 4
extern int v1 (int) __attribute__((__noinline__));
# 2 "a.cu" 2
__global__ void v2(int* v3, const float v4 = 1'000.5e-3f) { v3[threadIdx.x] = v4; }
int main() { v2<<<v5, 256>>>(v6, 7); return 0; }
)",
R"(# 1 "a.h"
namespace v1 { static int v2; inline int v3(int v4 = {1}) { exit(1 + 1 + 1 + 1 + 1 + 1); return v4 + std::move(v2); }
class v5 { public: v5() : v6{1}, v7(2) {} [[noreturn]] static void v8() { v3(); throw 1; } int v6, v7; }; }
extern "C" { inline void v9() { string v10; v1::v5::v8(1, 2, 3, 4, 5, 6); } }
# 2 "a.cu" 2
int main() { v9(); }
)",
R"(# 1 "a.cu"
template <typename T, int N = (4 > 3)>
static __global__ void __launch_bounds__(256, 2) v1(T* v2, A<B<C>> v3)
{
  __shared__ alignas(16) T v4[N][N + 1], v5;
  extern __shared__ __attribute__((aligned(16))) unsigned char v6[];
#pragma unroll 4
  for (int i = 0; i < N; ++i) v4[i][0] = v2[i];
  asm volatile("" ::: "memory"); printf(__func__, __PRETTY_FUNCTION__);
}
template __global__ void v1<float, 3>(float*, A<B<C>>);
)",
R"(# 1 "a.cu"
void f() {
  v1::v2<(A > B), 4><<<dim3(v3 >> 2), 1 << 5, 8 * sizeof(float), v4>>>(v5);
  (*v6)<<<g, b>>>(); v7[i]<<<1, 2>>>(x); v8->v9.v10 << <1,
# 5 "a.cu" 3 4
    __null
# 5 "a.cu"
    >> > (v11, [&] { v12<<<1, 2>>>(v13); });
  v14 ? v15<<<1, 2>>>() : v16<<<{1, 2}, dim3{3}>>>(R"x(<<< " )x");
}
)",
R"(# 1 "a.cu"
namespace { extern "C" { __shared__ int v1; extern volatile __shared__ float v2[][33];
struct v3 : v4<v5> { friend __global__ void v6(v3); union { int a; }; };
__global__ auto v7(int v8...) noexcept -> void { __shared__ union { float f; int i; } v9; }
[[maybe_unused]] __global__ void (v10)(T... v11) { static __shared__ float (*v12)[4]; }
texture<float, 2> v13; __noinline__ int v14();
}}
)",
R"(# 1 "a.cu"
auto v1 = [=] __device__ (auto v2) { extern __shared__ int v3[]; return [=] { return v3[v2]; }; };
std::operator<<<char>(std::cout, "__global__ <<<1, 2>>>(x) \" \\"); // v4<<<1>>>()
/* __shared__ */ char c = '<', d = '\'', e = L'\\'; #pragma unroll
asm volatile("{ .reg .pred p<2>; setp.lt.and.s32 p0|p1, %1, -0x5, !p; @p0 mov.b64 {%0, _}, %%clock64; }"
  "ld.global.v2.f32 {%0, %2}, [%3 + 4]; /* x */ shfl.sync.idx.b32 %0, %1, 1, 0x1f, -1; vote.sync;"
  : "=r"(a), "+f"(b) : "l"(c), "n"(4) : "memory"); asm("bar.sync 0, 1; mad.lo.cc.u32 %0");
_Pragma("x") a < b > c; d << e >> f; A<B<C<int>>>(3); k<<<A<B<C<int>>>(3), 4>>>(v5);
)",
R"(# 1 "a.cu"
float v1(float v2, float* v3, int v4) { __shared__ float v5[9]; v3[threadIdx.x] = v2; v4 -= 1; __syncthreads(); return v3[v4]; }
# 5 "a.h"
namespace v6 { void v7(const float* v8, float v9[]) { v9[0] = v1(v8[0], v9, 2); __syncthreads(); return; } }
__global__ void v10(float* v2, int n) { __shared__ float v3[8]; float v4 = v1(v2[1], v3, n), *v8 = v2;
  for (size_t i = static_cast<size_t>(blockIdx.x) + threadIdx.x; i < n; i += 2) v4 += v2[i];
  if (n > 1) v4 = v1(v4, v3, n - 1); else v6::v7(v2, v3); v4 += v1(v4, v8, 1); v2[n] = v4; }
)",
R"(# 1 "a.cu"
__global__ void v1(int* v2, int n) { int i; for (i = 0] ; i < n; i++) v2[i] = 0; while (i < n} i++; if (v2[0)) i = 1; }
)",
};

const char* const kDictionary[] = {
  "<<<", ">>>", "<", ">", "<<", ">>", "(", ")", "{", "}", "[", "]", ",", ";", ":", "::", "->", ".", "=", "&", "*",
  "#", "\n", "\"", "'", "\\", "R\"(", ")\"", "/*", "*/", "//", " ", "...", "<<<1,2>>>(x)", "\n# 7 \"b.h\" 1 3\n",
  "\n#pragma unroll\n", "__global__", "__shared__", "extern", "static", "volatile", "alignas(8)", "__noinline__",
  "__launch_bounds__(1)", "template", "template<class T>", "operator", "void", "int", "auto", "struct", "union",
  "namespace", "friend", "return", "for", "if", "try", "noexcept", "asm", "__attribute__((", "decltype(", "texture<int>",
  "asm(\"bar.sync 0;\")", "%0", "@p ", "shfl.sync", ".reg .b32", "__func__", "__syncthreads();", "v1(v2, v3, 1);", "= v1(", "static_cast<int>(", "[=]", "[&]{", "}()", "k", "v77", "0x1e+", "1'0", "\xc3\xa4", "\0",
};
// clang-format on

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  std::string next() {
    std::string text = pick(kPrograms);
    for (size_t rounds = 1 + below(6); rounds > 0; --rounds) change(text);
    return text;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <size_t N>
  const char* pick(const char* const (&list)[N]) {
    return list[below(N)];
  }

  void change(std::string& text) {
    const size_t at = below(text.size() + 1);
    const size_t length = below(std::min<size_t>(text.size() - at, 1 + below(80)) + 1);
    switch (below(8)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 2:
      case 3:
        text.insert(at, pick(kDictionary));
        break;
      case 4:
        text.replace(at, std::min<size_t>(length, 3), pick(kDictionary));
        break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 6: {
        const std::string other = pick(kPrograms);
        const size_t from = below(other.size());
        text.insert(at, other.substr(from, below(120)));
        break;
      }
      case 7: {
        const std::string piece = below(2) ? pick(kDictionary) : text.substr(at, length);
        for (size_t count = below(40); count > 0; --count) text.insert(at, piece);
        break;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check({reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef USE_LIBFUZZER
int main(int argc, char** argv) {
  char* end = nullptr;
  const unsigned long long runs = argc > 1 ? std::strtoull(argv[1], &end, 10) : 20000;
  if (argc > 1 && (*end != '\0' || argv[1][0] == '-')) {
    for (int i = 1; i < argc; ++i) {
      std::ifstream file(argv[i], std::ios::binary);
      if (!file) {
        std::fprintf(stderr, "fuzz_rewriter: cannot read %s\n", argv[i]);
        return 2;
      }
      check(std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return 0;
  }
  const unsigned long long seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (const char* program : kPrograms) check(program);
  Mutator mutator(seed);
  for (unsigned long long run = 0; run < runs; ++run) check(mutator.next());
  std::printf("%llu inputs, seed %llu\n", runs, seed);
  return 0;
}
#endif
