// The launch rewriter: what it makes of kernels, launches and shared memory, that lines and columns
// stay, and what it says of code that CUDA does not allow either.
#include "../../common/cpu_device/rewriter/rewriter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../../common/cpu_device/rewriter/architecture.h"
#include "../../common/cpu_device/rewriter/ptx.h"
#include "../../common/cpu_device/rewriter/split.h"
#include "../../common/cpu_device/rewriter/tokens.h"

namespace {

using cpu_device::Kind;
using cpu_device::Position;
using cpu_device::Tokens;

std::vector<std::string> errors_of(const std::string& source) {
  std::vector<std::string> errors;
  cpu_device::rewrite(source, errors, "a.cu");
  return errors;
}

std::string rewritten(const std::string& source) {
  std::vector<std::string> errors;
  const std::string result = cpu_device::rewrite(source, errors, "a.cu");
  for (const std::string& error : errors) FAIL_CHECK(error);
  return result;
}

// The result without line markers, and with single blanks only where they part two words.
std::string flat(const std::string& source) {
  std::string lines;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    const std::string line = source.substr(begin, end - begin);
    if (line.compare(0, 2, "# ") != 0) lines += line + ' ';
    begin = end + 1;
  }
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != ' ') {
      result += lines[i];
      continue;
    }
    const size_t next = lines.find_first_not_of(' ', i);
    if (next == std::string::npos) break;
    if (!result.empty() && is_word(result.back()) && is_word(lines[next])) result += ' ';
    i = next - 1;
  }
  return result;
}

std::string rewritten_flat(const std::string& source) { return flat(rewritten(source)); }

// Every word that is in the source once, and still in the result, must be where it was.
void check_positions(const std::string& source) {
  const std::string result = rewritten(source);
  const Tokens before(source), after(result);
  const auto find_words = [](const Tokens& tokens) {
    std::map<std::string, std::vector<Position>> words;
    for (uint32_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != Kind::kPunctuator) {
        words[std::string(tokens.spelling(i))].push_back(tokens.locate(tokens[i].begin));
      }
    }
    return words;
  };
  const auto words_before = find_words(before);
  auto words_after = find_words(after);
  int compared = 0;
  for (const auto& [word, places] : words_before) {
    if (places.size() != 1 || words_after[word].empty() || word == "alignas") continue;
    ++compared;
    bool found = false;
    for (const Position& place : words_after[word]) {
      found |= place.file == places[0].file && place.line == places[0].line &&
               place.column == places[0].column;
    }
    INFO(word << " of line " << places[0].line << " in\n" << result);
    CHECK(found);
  }
  CHECK(compared > 0);
}

std::string repeat(const std::string& text, size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string launch_of(const std::string& callee, const std::string& arguments = "x") {
  return "(::cpu_device::configure(1,2)," + callee + "(" + arguments + "))";
}

}  // namespace

TEST_CASE("plain C++ is left alone, byte by byte") {
  const std::vector<std::string> sources = {
      "",
      "\n",
      "int main() { return 0; }",
      "# 1 \"a.cu\"\n# 1 \"<built-in>\" 1\n# 2 \"a.cu\" 2\nint x;\n",
      "std::cout << a << b; c = d >> 2 >> 1; if (a < b) c > d;",
      "std::operator<<<std::char_traits<char>>(os, \"x\"); operator<< <char>(os); "
      "operator<<<int>(x);",
      "struct S { friend S& operator<<<int>(S&, int); bool operator<(S) const; };",
      "A<B<C<int>>> x; A<B<C<D<int>>>> y; template <template <class> class T = A> struct E;",
      "const char* a = \"k<<<1, 2>>>(x); __global__\"; char b = '\\''; char c[] = \"\\\"<<<\";",
      "auto r = R\"(k<<<1,2>>>(x) \" __shared__ int x = 1; )\"; auto s = u8R\"x(<<< )\" )x\";",
      "auto n = 1'000'000; auto m = 0x1'F'; auto c = u'<'; auto d = L\"<<<\"; auto e = 1e+3 + "
      ".5e-3;",
      "// k<<<1, 2>>>(x);\n/* __global__ void k() {} \n k<<<1>>> */ int y;",
      "#pragma GCC unroll 4\nfor (;;) {}\n#pragma omp parallel\n{}\n#pragma once\n",
      "int __global = 1; int __shared; void __globals__(); int asm_ = 0; auto f = __func__;",
      "__asm__(\"mov %eax, %ebx\"); extern int f() __asm__(\"\" \"__isoc99_fscanf\"); "
      "asm(\"nop\");",
      "void g() __attribute__((__noinline__)); [[gnu::__noinline__]] void h();",
      "__attribute__((cold, __noinline__)) void i(); __attribute__((__always_inline__)) void j();",
      "\"not closed\nint x; 'y\nR\"(never closed",
  };
  for (const std::string& source : sources) CHECK(rewritten(source) == source);
}

TEST_CASE("numbers of each base end where they end, with separators at each place") {
  const char* const numbers[] = {"1000000", "0xffffu", "0xFaCe9ULL", "0b1011", "0777", "1.25e+3f", "0x1a.8p-3", "1e5", "0x9e9"};
  for (const std::string number : numbers)
    for (size_t first = 1; first <= number.size(); first++)
      for (size_t second = first; second <= number.size(); second++) {
        std::string written = number;  // a separator is between two digits
        for (size_t at : {second, first == second ? number.size() : first})
          if (at < number.size() && at > (number[1] == 'x' || number[1] == 'b' ? 2u : 0u) && isxdigit(number[at - 1]) && isxdigit(number[at]))
            written.insert(at, "'");
        const std::string source = "auto n = " + written + ";";
        INFO(source);
        CHECK(rewritten(source) == source);
        CHECK(rewritten_flat(source + "k<<<1,2>>>(x); char c = 'x';") == flat(source) + launch_of("k") + ";" + flat("char c = 'x';"));
      }
}

TEST_CASE("raw strings with each prefix and each length of delimiter are left alone, and the code after them is not") {
  const std::string letters = "aZ9_{}[]#<>%:;.?*+-/^&|~!=,'";  // what a delimiter may consist of
  for (const char* prefix : {"R", "u8R", "uR", "UR", "LR"})
    for (size_t length = 0; length <= 16; length++)
      for (size_t first = 0; first < letters.size(); first += length == 0 ? letters.size() : 1) {
        std::string delimiter;
        for (size_t i = 0; i < length; i++) delimiter += letters[(first + i) % letters.size()];
        const std::string shorter = delimiter.substr(0, length == 0 ? 0 : length - 1);
        const std::string raw = std::string("auto s = ") + prefix + "\"" + delimiter + "( \" k<<<1, 2>>>(x); )" +
                                (length == 0 ? "" : shorter + "\" __global__ )") + delimiter + "\";";
        INFO(raw);
        CHECK(rewritten(raw) == raw);
        CHECK(rewritten_flat(raw + "k<<<1,2>>>(x);") == flat(raw) + launch_of("k") + ";");
      }
}

TEST_CASE("launches") {
  CHECK(rewritten_flat("k<<<1,2>>>(x);") == launch_of("k") + ";");
  CHECK(rewritten_flat("k<<<1,2>>>()") == launch_of("k", ""));
  CHECK(rewritten_flat("k<<<g,b,s*4,stream>>>(x,y);") ==
        "(::cpu_device::configure(g,b,s*4,stream),k(x,y));");
  CHECK(rewritten_flat("k << <1,2>> > (x)") == launch_of("k"));
  CHECK(rewritten_flat("k\n<<<\n1\n,\n2\n>>>\n(\nx\n)\n;") == launch_of("k") + ";");
}

TEST_CASE("what is launched") {
  const std::vector<std::string> callees = {
      "k",
      "::k",
      "a::b::k",
      "::a::k",
      "k<int>",
      "k<>",
      "k<int,4,(A>B)>",
      "k<(1<<4),3<4>",
      "k<1<<4>",
      "k<A<B<C>>>",
      "k<sizeof(int[3])>",
      "k<decltype(a->b)>",
      "k<N-1,&x,'<',\"(\"[0]>",
      "a<b>::c<d>::k<e>",
      "a::template k<int>",
      "x.k",
      "x.y->z.k",
      "x->template k<int>",
      "this->k",
      "x[i]",
      "x[i][j]",
      "x[a[i]>2?b(1):0]",
      "f(x)",
      "f<int>(x)",
      "f(x)(y)[z].k",
      "x.f(y)->k",
      "(k)",
      "(*k)",
      "(*k[i])",
      "(c?a:b)",
      "(a,b)",
      "static_cast<void(*)(int)>(k)",
      "S{}.k",
      "S<int>{1,2}.k",
      "decltype(x)::k",
      "k<N<5>",
  };
  for (const std::string& callee : callees) {
    CHECK(rewritten_flat(callee + "<<<1,2>>>(x);") == launch_of(callee) + ";");
    for (const char* front :
         {"{", "};", "if(y)", "else ", "do ", "return ", "while(y)", "for(;;)", "case 1: ", "y,",
          "y?", "=", "(", "=[&]{", "y&&", "label: ", "if constexpr(y)", "else if(y)"}) {
      CHECK(rewritten_flat(front + callee + "<<<1,2>>>(x);") ==
            flat(front + launch_of(callee) + ";"));
    }
  }
}

TEST_CASE("values of a launch") {
  const std::vector<std::string> configurations = {
      "1,2",
      "{1,2},{3}",
      "dim3{1,2},dim3(3,4)",
      "dim3(n>>2),1<<5",
      "n>>2,n>>1",
      "a>b?1:2,3",
      "a<b?1:2,c>d",
      "f<int>(),f<a,b>()",
      "A<B<C<int>>>(3),4",
      "4,A<B<C<int>>>(3)",
      "4,A<B<C>>::value",
      "A<1>::value,A<A<1>::value>::value",
      "f(a,b,c,d,e),2",
      "f<a,b,c,d,e>::value,2",
      "[&]{return a,b;}(),2",
      "1,2,3",
      "1,2,0,stream",
      "1,2,sizeof(float[2])*(n+1),s",
  };
  for (const std::string& configuration : configurations) {
    CHECK(rewritten_flat("k<<<" + configuration + ">>>(x);") ==
          "(::cpu_device::configure(" + configuration + "),k(x));");
  }
}

TEST_CASE("launches inside launches") {
  CHECK(rewritten_flat("k<<<1,2>>>([&]{j<<<3,4>>>(y);});") ==
        "(::cpu_device::configure(1,2),k([&]{(::cpu_device::configure(3,4),j(y));}));");
  CHECK(rewritten_flat("k<<<[]{j<<<3,4>>>(y);return 1;}(),2>>>(x);") ==
        "(::cpu_device::configure([]{(::cpu_device::configure(3,4),j(y));return 1;}(),2),k(x));");
  CHECK(rewritten_flat("pick([]{j<<<3,4>>>(y);})<<<1,2>>>(x);") ==
        "(::cpu_device::configure(1,2),pick([]{(::cpu_device::configure(3,4),j(y));})(x));");
  CHECK(rewritten_flat("a<<<1,2>>>(x),b<<<1,2>>>(x)") == launch_of("a") + "," + launch_of("b"));
  CHECK(rewritten_flat("c?a<<<1,2>>>(x):b<<<1,2>>>(x)") ==
        "c?" + launch_of("a") + ":" + launch_of("b"));
}

TEST_CASE("where threads may leave a kernel early") {
  const auto leaves = [](const std::string& body) {
    return rewritten_flat("__global__ void k(){" + body + "}").find("threads_may_leave(1)") !=
           std::string::npos;
  };
  for (const int line : {1, 2, 5}) {
    const std::string source = "__global__ void k(){\n" + std::string(line - 1, '\n') + "if(a)\nreturn;\n\nb();\n__syncthreads();}";
    CHECK_MESSAGE(rewritten(source).find("threads_may_leave(" + std::to_string(line + 2) + ")") != std::string::npos, source);
  }
  CHECK(leaves("if(a){return;}auto f=[]{};"));
  CHECK(leaves("if(a)return;b();"));
  CHECK(leaves("if(a){b();__syncthreads();c();}"));
  CHECK(leaves("b();{for(;;){__syncthreads();}}"));
  CHECK(leaves("while(a)block.sync();"));
  CHECK_FALSE(leaves("b();"));
  CHECK_FALSE(leaves("__syncthreads();return;"));
  CHECK_FALSE(leaves("auto f=[&](int i)mutable{if(i)return;};f(1);"));
  CHECK_FALSE(leaves("auto f=[&]{return;};f();"));
  CHECK_FALSE(leaves("if(a)__syncthreads();b();"));
  CHECK_FALSE(leaves("for(;;){if(a)__syncthreads();}if(a)b();"));
  CHECK_FALSE(leaves("if(a){b();}"));
}

TEST_CASE("kernels") {
  const auto stub = [](const std::string& head, const std::string& name, const std::string& body,
                       const std::string& bounds = "") {
    return head + "{" + bounds + "return::cpu_device::kernel(\"" + name + "\",[=]()mutable->void{" +
           body + "});}";
  };
  const std::vector<std::string> heads = {
      "void k()",
      "static void k(int*a,float b=1.5f)",
      "void k(int*a)noexcept(true)",
      "void k(T...args)",
      "void k(const S s,int a[],void(*f)(int&))",
      "auto k()->void",
      "[[maybe_unused]]void k()",
      "__attribute__((unused))void k(int)__attribute__((cold))",
      "typename std::enable_if<(N>2),void>::type k(T*x)",
      "std::enable_if_t<A<B<C>>::value>k(T*x)",
      "void k(A<B,C>a,D*d=nullptr)",
  };
  for (const std::string& head : heads) {
    const std::string expected = stub(head, "k", "f();");
    CHECK(rewritten_flat("__global__ " + head + "{f();}") == expected);
    CHECK(rewritten_flat("template<class T>__global__ " + head + "{f();}") ==
          "template<class T>" + expected);
    CHECK(rewritten_flat("extern\"C\"{__global__ " + head + "{f();}}") ==
          "extern\"C\"{" + expected + "}");
    CHECK(rewritten_flat("namespace a::b{namespace{__global__ " + head + "{f();}}}") ==
          "namespace a::b{namespace{" + expected + "}}");
    CHECK(rewritten_flat("int x;__global__ " + head + ";") == "int x;" + head + ";");
  }
  CHECK(rewritten_flat("void __global__ k(){}") == stub("void k()", "k", ""));
  CHECK(rewritten_flat("static __global__ void k(){}") == stub("static void k()", "k", ""));
  CHECK(rewritten_flat("__global__ static inline void k(){}") ==
        stub("static inline void k()", "k", ""));
  CHECK(rewritten_flat("extern \"C\" __global__ void k(){}") ==
        stub("extern\"C\"void k()", "k", ""));
  CHECK(rewritten_flat("__global__ __global__ void k(){}") == stub("void k()", "k", ""));
  CHECK(rewritten_flat("__global__ void __launch_bounds__(256,(2)) k(){}") ==
        stub("void k()", "k", "", "::cpu_device::launch_bounds(256,(2));"));
  CHECK(rewritten_flat("__launch_bounds__(256) __global__ void k(){}") ==
        stub("void k()", "k", "", "::cpu_device::launch_bounds(256);"));
  CHECK(rewritten_flat("__global__ void __maxnreg__(64) k(){}") == stub("void k()", "k", ""));
  CHECK(rewritten_flat("__launch_bounds__(n) __global__ void k(int*n){}") ==
        stub("void k(int*n)", "k", ""));
  // What a declaration said is good for the definition, not for another kernel of that name.
  CHECK(rewritten_flat("__global__ void k(int) __launch_bounds__(n);__global__ void k(int i){}") ==
        "void k(int);" + stub("void k(int i)", "k", "", "::cpu_device::launch_bounds(n);"));
  CHECK(rewritten_flat("__global__ void __launch_bounds__(n) k(int);__global__ void k(){}") ==
        "void k(int);" + stub("void k()", "k", ""));
  CHECK(rewritten_flat("template<int n>__global__ void __launch_bounds__(n) k();"
                       "template<int n>__global__ void k(){}") ==
        "template<int n>void k();" +
            stub("template<int n>void k()", "k", "", "::cpu_device::launch_bounds(n);"));
  CHECK(rewritten_flat("template<int n>__global__ void __launch_bounds__(n) k();"
                       "template<int m>__global__ void k(){}") ==
        "template<int n>void k();" + stub("template<int m>void k()", "k", ""));
  CHECK(rewritten_flat("__global__ void(k)(int x){}") == stub("void(k)(int x)", "k", ""));
  CHECK(rewritten_flat("template<>__global__ void k<float>(float*){}") ==
        stub("template<>void k<float>(float*)", "k", ""));
  CHECK(rewritten_flat("template __global__ void k<long>(long*);") ==
        "template void k<long>(long*);");
  CHECK(rewritten_flat("struct S{friend __global__ void k(S);};") ==
        "struct S{friend void k(S);};");
  CHECK(rewritten_flat("struct S f(){}__global__ void k(){}") ==
        "struct S f(){}" + stub("void k()", "k", ""));
  CHECK(rewritten_flat("enum class E{a};class C{int x;};__global__ void k(){}") ==
        "enum class E{a};class C{int x;};" + stub("void k()", "k", ""));
  CHECK(rewritten_flat("template<class T>requires(sizeof(T)>2)__global__ void k(T){}") ==
        stub("template<class T>requires(sizeof(T)>2)void k(T)", "k", ""));
}

TEST_CASE("the name of a function inside a kernel") {
  CHECK(rewritten_flat("template<class T>static __global__ void k(T*a, int b){f(__func__);}") ==
        "template<class T>static void k(T*a,int b){return::cpu_device::kernel(\"k\",[=]()mutable->"
        "void{f(\"k\");});}");
  CHECK(rewritten("__global__ void k(int *a){__PRETTY_FUNCTION__;}").find("\"void k(int *a)\"") !=
        std::string::npos);
  CHECK(rewritten_flat("__global__ void k(){}void f(){__func__;}").find("__func__") !=
        std::string::npos);
}

TEST_CASE("shared memory") {
  const auto check = [](const std::string& names) {
    return "static_assert(" + names +
           "<=48*1024,\"a block has at most 48 KB of static __shared__ memory.For more,use'extern __shared__'and "
           "cudaFuncSetAttribute()\");";
  };
  const auto in_kernel = [](const std::string& declaration) {
    const std::string result = rewritten_flat("__device__ void f(){" + declaration + "}");
    const std::string head = "__device__ void f(){";
    CHECK(result.substr(0, head.size()) == head);
    return result.substr(head.size(), result.size() - head.size() - 1);
  };
  CHECK(in_kernel("__shared__ int x;") == "static thread_local int x;" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ float t[A][B+1];") ==
        "static thread_local float t[A][B+1];" + check("sizeof(t)"));
  CHECK(in_kernel("__shared__ int a,b[4],*c;") ==
        "static thread_local int a,b[4],*c;" + check("sizeof(a)+sizeof(b)+sizeof(c)"));
  CHECK(in_kernel("static __shared__ int x;") == "static thread_local int x;" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ static int x;") == "thread_local static int x;" + check("sizeof(x)"));
  CHECK(in_kernel("volatile __shared__ int x;") ==
        "volatile static thread_local int x;" + check("sizeof(x)"));
  CHECK(in_kernel("float __shared__ x[2];") ==
        "float static thread_local x[2];" + check("sizeof(x)"));
  CHECK(in_kernel("std::pair<int,A<2>> __shared__ x[2];") ==
        "std::pair<int,A<2>>static thread_local x[2];" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ A<B,3> x,y;") ==
        "static thread_local A<B,3>x,y;" + check("sizeof(x)+sizeof(y)"));
  CHECK(in_kernel("__shared__ typename A<(1>2)>::type x;") ==
        "static thread_local typename A<(1>2)>::type x;" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ alignas(16) float x[4];") ==
        "alignas(16)static thread_local float x[4];" + check("sizeof(x)"));
  CHECK(in_kernel("volatile __shared__ alignas(A) alignas(8) float x;") ==
        "alignas(A)alignas(8)volatile static thread_local float x;" + check("sizeof(x)"));
  CHECK(in_kernel("alignas(16) __shared__ float x[4];") ==
        "alignas(16)static thread_local float x[4];" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ __attribute__((aligned(8))) char x[4];") ==
        "static thread_local __attribute__((aligned(8)))char x[4];" + check("sizeof(x)"));
  CHECK(in_kernel("__shared__ union{float f;int i[2];}u;") ==
        "static thread_local union{float f;int i[2];}u;" + check("sizeof(u)"));
  CHECK(in_kernel("__shared__ struct S s;") ==
        "static thread_local struct S s;" + check("sizeof(s)"));
  CHECK(in_kernel("__shared__ float(*p)[4];") == "static thread_local float(*p)[4];");
  CHECK(in_kernel("__shared__ decltype(a) b;") ==
        "static thread_local decltype(a)b;" + check("sizeof(b)"));
  // In a checked run there is a gap before it, which must not get the alignment instead.
  std::vector<std::string> errors;
  const std::string checked =
      flat(cpu_device::rewrite("__device__ void f(){ __shared__ alignas(16) float x[4]; }", errors, "a.cu", true));
  CHECK(checked.find("alignas(16)static thread_local float x[4];") != std::string::npos);
  CHECK(checked.find("static thread_local unsigned char cpu_device_gap_") != std::string::npos);
  // What is visible together must fit together, and only that.
  CHECK(in_kernel("__shared__ int a;{__shared__ int b;}__shared__ int c;") ==
        "static thread_local int a;" + check("sizeof(a)") + "{static thread_local int b;" +
            check("sizeof(a)+sizeof(b)") + "}static thread_local int c;" +
            check("sizeof(a)+sizeof(c)"));
  CHECK(rewritten_flat("__shared__ int a;namespace n{__shared__ int b;}") ==
        "static thread_local int a;" + check("sizeof(a)") +
            "namespace n{static thread_local int b;" + check("sizeof(b)") + "}");
}

TEST_CASE("dynamic shared memory") {
  const auto in_kernel = [](const std::string& declaration) {
    const std::string result = rewritten_flat("__device__ void f(){" + declaration + "}");
    const std::string head = "__device__ void f(){";
    return result.substr(head.size(), result.size() - head.size() - 1);
  };
  const auto reference = [](const std::string& name) {
    return "=reinterpret_cast<decltype(" + name + ")>(*::cpu_device::dynamic_shared())";
  };
  CHECK(in_kernel("extern __shared__ float x[];") == "float(&x)[]" + reference("x") + ";");
  CHECK(in_kernel("__shared__ extern float x[];") == "float(&x)[]" + reference("x") + ";");
  CHECK(in_kernel("extern volatile __shared__ T x[];") ==
        "volatile T(&x)[]" + reference("x") + ";");
  CHECK(in_kernel("extern __shared__ float t[][33];") == "float(&t)[][33]" + reference("t") + ";");
  CHECK(in_kernel("extern __shared__ A<B,4> x[],*y[];") ==
        "A<B,4>(&x)[]" + reference("x") + ",*(&y)[]" + reference("y") + ";");
  CHECK(in_kernel("extern __shared__ alignas(16) unsigned char x[];") ==
        "unsigned char(&x)[]" + reference("x") + ";");
  CHECK(in_kernel("extern __shared__ __attribute__((aligned(16))) char x[];") ==
        "__attribute__((aligned(16)))char(&x)[]" + reference("x") + ";");
  CHECK(in_kernel("extern __shared__ int x;") == "int(&x)" + reference("x") + ";");
  // A reference to an array of unknown size cannot be captured by value. g++ takes two `extern` of one label for
  // different memory.
  const std::string label = "__asm__(\"cpu_device_dynamic_shared\")";
  CHECK(in_kernel("extern __shared__ float x[],y[];g([=]{x[0];});") ==
        "static thread_local float(&x)[]" + reference("x") + ",(&y)[]" + reference("y") + ";g([=]{x[0];});");
  CHECK(in_kernel("extern __shared__ float x[];g([]{});") ==
        "extern __thread float x[]" + label + ";g([]{});");
  CHECK(in_kernel("extern __shared__ float x[];g([&]{a[i];});") ==
        "float(&x)[]" + reference("x") + ";g([&]{a[i];});");
  // But g++ forgets the label of an `extern` in a template.
  CHECK(rewritten_flat("template<class T>void f(){extern __shared__ T x[];g([=]{x[0];});}") ==
        "template<class T>void f(){T(&x)[]" + reference("x") + ";g([=]{x[0];});}");
  CHECK(rewritten_flat("template<class T>struct S{void f(){extern __shared__ T x[];g([]{});}};") ==
        "template<class T>struct S{void f(){T(&x)[]" + reference("x") + ";g([]{});}};");
  CHECK(rewritten_flat("extern __shared__ float x[];") ==
        "extern __thread float x[]" + label + ";");
  CHECK(rewritten_flat("namespace{__shared__ extern volatile int x[][2];}") ==
        "namespace{extern __thread volatile int x[][2]" + label + ";}");
}

TEST_CASE("#pragma unroll") {
  const std::string loop = "for (;;) {}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"#pragma unroll\n", "#pragma GCC unroll 16"},
      {"#pragma unroll 4\n", "#pragma GCC unroll 4"},
      {"# pragma  unroll  4 \n", "#pragma GCC unroll 4"},
      {"#pragma unroll(8)\n", "#pragma GCC unroll 8"},
      {"#pragma unroll (8u)\n", "#pragma GCC unroll 8"},
      {"#pragma unroll 1\n", "#pragma GCC unroll 1"},
      {"#pragma unroll 10000\n", "#pragma GCC unroll 64"},
      {"#pragma nounroll\n", "#pragma GCC unroll 1"},
      {"#pragma unroll\n\n# 12 \"a.cu\"\n", "#pragma GCC unroll 16"},
      {"#pragma unroll 2\n#pragma unroll 4\n", "#pragma GCC unroll 4"},
      {"#pragma unroll N\n", ""},
      {"#pragma unroll 2 * 2\n", ""},
      {"#pragma unroll -1\n", ""},
      {"#pragma unroll 99999999999999999999\n", ""},
      {"#pragma nv_diag_suppress 177\n", ""},
      {"#pragma hd_warning_disable\n", ""},
  };
  for (const auto& [source, expected] : cases) {
    for (const char* next : {"for(;;){}", "while(x);", "do;while(x);"}) {
      CHECK(rewritten_flat(source + next) == flat(expected + "\n" + next));
    }
  }
  CHECK(rewritten_flat("#pragma unroll\nint x;") == "int x;");
  CHECK(rewritten_flat("#pragma unroll") == "");
  CHECK(rewritten_flat("#pragma unrolled 4\nfor(;;);") == "#pragma unrolled 4 for(;;);");
}

TEST_CASE("__noinline__") {
  CHECK(rewritten_flat("__noinline__ void f();") == "__attribute__((noinline))void f();");
  CHECK(rewritten_flat("static __device__ __noinline__ int g(){}") ==
        "static __device__ __attribute__((noinline))int g(){}");
}

TEST_CASE("references as parameters") {
  CHECK(rewritten_flat(
            "__global__ void k(int& a, const A<B&>& b, int (&c)[4], int&, int d = x & y) {}") ==
        "void k(int&a,const A<B&>&b,int(&c)[4],int&,int d=x&y){"
        "::cpu_device::refer(\"a\",__builtin_addressof(a));::cpu_device::refer(\"b\",__builtin_"
        "addressof(b));"
        "::cpu_device::refer(\"c\",__builtin_addressof(c));"
        "return::cpu_device::kernel(\"k\",[=,&a,&b,&c]()mutable->void{});}");
}

TEST_CASE("warp-synchronous code") {
  CHECK(rewritten_flat("void f(volatile int* s, int t) { s[t] += s[t + 2]; if (a) s[t] = s[t + 1]; "
                       "else b(); }") ==
        "void f(volatile int*s,int t){"
        "{auto cpu_device_value=::cpu_device::warp_term<'+'>(s[t],(s[t+2]));::cpu_device::warp_step(false);"
        "::cpu_device::warp_assign<'+'>(s[t],cpu_device_value);::cpu_device::warp_step(false);}"
        "if(a){auto cpu_device_value=::cpu_device::warp_term<'='>(s[t],(s[t+1]));::cpu_device::warp_step(true);"
        "::cpu_device::warp_assign<'='>(s[t],cpu_device_value);::cpu_device::warp_step(false);}else b();}");
  for (const char* source :
       {"void f(volatile int* s, int t) { s[t] += s[t + 2]; __syncwarp(); s[t] += s[t + 1]; }",
        "void f(volatile int* s, int t) { s[t] += s[t + 2]; }",
        "void f(volatile int* s, int t) { s[t] += s[t]; s[t] += 1; }",
        "void f(int* s, int t) { s[t] += s[t + 2]; s[t] += s[t + 1]; }",
        "void f(volatile int* s); void g(int* s) { s[0] += s[1]; s[0] += s[2]; }",
        "struct A { volatile int* s; void f() { s[0] += s[1]; s[0] += s[2]; } };",
        "void f() { volatile int* s = x; for (;;) { if (t < 2) s[t] += s[t + 2]; __syncthreads(); "
        "} }"}) {
    INFO(source);
    CHECK(rewritten_flat(source) == flat(source));
  }
  CHECK(rewritten_flat("void f(volatile int* s) { for (;;) s[t] += s[t + d]; }").find("(true)") !=
        std::string::npos);
}

TEST_CASE("lanes that exchange data through volatile memory") {
  const std::string address = "(const_cast<const void*>(static_cast<const volatile void*>(&";
  const auto changed = [](const std::string& body, const std::string& call) {
    return rewritten_flat("__global__ void f(int t, int d) { volatile __shared__ int s[64]; " + body + " }").find(call) != std::string::npos;
  };
  for (const char* body : {"if (t == 0) s[0] = d; d = s[0];", "if (t == 0) { s[0] = d; } d = s[0];", "s[t] = d; d = s[t ^ 1];",
                           "for (;;) { d = s[t]; s[d] = t; }"}) {
    INFO(body);
    CHECK(changed(body, "::cpu_device::warp_reads" + address));
    CHECK(changed(body, "::cpu_device::warp_writes" + address));
  }
  for (const char* body : {"if (t == 0) s[0] = d; __syncwarp(); d = s[0];", "s[t] = d; d = s[t];", "s[t] = d; barrier(); d = s[t + 1];",
                           "s[t] = d; while (s[0] == 0) {}", "s[t] = d; int e[] = {s[0]};", "s[t] = d; for (int i = s[0]; i < 9; i++) {}",
                           "s[t] = d; if (t < 9) d++; else d = s[0];", "s[t] = d; d = s[t / d];", "s[t] = d; d = s[f(t)];", "s[t] = d; d = s[t++];",
                           "s[t] = d; int k = 2, e = s[k];", "for (;;) { d = s[t]; asm(\"bar.warp.sync 1;\"); s[d] = t; asm(\"bar.warp.sync 1;\"); }"}) {
    INFO(body);
    CHECK_FALSE(changed(body, "warp_"));
  }
  const char* const loop = "void f(volatile int* s, int t) { do { s[t] = x; } while (s[t] != x); }";
  CHECK(rewritten_flat(loop) ==
        "void f(volatile int*s,int t){do{::cpu_device::warp_step(false);::cpu_device::warp_step(false);s[t]=x;"
        "::cpu_device::warp_step(true);}while(::cpu_device::polls(12u)&&(s[t]!=x));}");
  CHECK(rewritten_flat("void f(float* s) { int t = threadIdx.x; s[t] += s[t ^ 8]; }") ==
        "void f(float*s){int t=threadIdx.x;{::cpu_device::warp_step(false);auto cpu_device_value=s[t];cpu_device_value+=s[t^8];"
        "::cpu_device::warp_step(true);s[t]=cpu_device_value;::cpu_device::warp_step(false);}}");
  // Steps on volatile memory are rewritten as such, and not once more.
  const std::string steps = rewritten_flat("void f(volatile float* s) { int t = threadIdx.x; s[t] += s[t ^ 8]; s[t] += s[t ^ 4]; }");
  CHECK(steps.find("warp_assign<'+'>(s[t],cpu_device_value)") != std::string::npos);
  CHECK(steps.find("auto cpu_device_value=s[t]") == std::string::npos);
  for (const char* source : {"void f(float* s) { int t = 1; s[t] += s[t ^ 8]; }", "void f(float* s) { int t = threadIdx.x; if (t < 8) s[t] += s[t ^ 8]; }",
                             "void f(float* s) { int t = threadIdx.x; s[t] += s[t + 8]; }", "void f(float* s) { int t = threadIdx.x; s[t] += r[t ^ 8]; }"}) {
    INFO(source);
    CHECK(rewritten_flat(source) == flat(source));
  }
}

TEST_CASE("loops that wait for others") {
  const auto body = [](const std::string& code) { return rewritten_flat("volatile int f, g[9]; int read(volatile int* p); void k() { " + code + " }"); };
  const std::string before = flat("volatile int f, g[9]; int read(volatile int* p); void k() {");
  for (const auto& [code, expected] : std::vector<std::pair<std::string, std::string>>{
           {"while (f == 0) {}", "while(POLLS&&(f==0)){}"},
           {"while (0 == g[2]);", "while(POLLS&&(0==g[2]));"},
           {"while (read(q) == a) b();", "while(POLLS&&(read(q)==a))b();"},
           {"while (*(volatile int*)q == a) {}", "while(POLLS&&(*(volatile int*)q==a)){}"},
           {"do {} while (f == 0);", "do{}while(POLLS&&(f==0));"},
           {"do a = f; while (a == 0);", "do a=f;while(POLLS&&(a==0));"},
           {"for (;;) if (f) break;", "for(;POLLS;)if(f)break;"},
           {"for (;;) { if (f) return; }", "for(;POLLS;){if(f)return;}"},
           {"for (int i = 0; f == i; i++) {}", "for(int i=0;POLLS&&(f==i);i++){}"},
           {"for (int a = f; a == 0; a = f) {}", "for(int a=f;POLLS&&(a==0);a=f){}"},
           {"while (!a) a = f > 2;", "while(POLLS&&(!a))a=f>2;"}}) {
    INFO(code);
    const std::string result = body(code);
    const size_t at = result.find("::cpu_device::polls("), end = result.find("u)", at);
    REQUIRE(at != std::string::npos);
    CHECK(result.substr(0, at) + "POLLS" + result.substr(end + 2) == before + expected + "}");
  }
  for (const char* code : {"while (a == 0) {}", "for (int i = 0; i < n; i++) s += g[i];", "for (int a : g) {}", "while (a < n) s += g[a++];",
                           "while (int a = f) {}", "asm volatile(\"\"); while (a) {}", "if (f == 0) {}", "do { s += f; } while (a);"}) {
    INFO(code);
    CHECK(body(code).find("polls") == std::string::npos);
  }
  // What stands before the first word of it.
  CHECK(rewritten_flat("int f; void k() { while (f == 0) {} } void l(volatile int f) {}").find("polls") == std::string::npos);
  check_positions("volatile int f;\nvoid k() {\n  while (f == 0) {} one();\n  do two(); while (f == 0); three();\n}\n");
}

TEST_CASE("PTX") {
  CHECK(rewritten_flat("__global__ void k() { asm volatile(\"bar.arrive 1, 64;\"); }")
            .find("::cpu_device::part_barrier(") != std::string::npos);
  CHECK(rewritten_flat("__global__ void k() { if (a) asm volatile(\"bar.sync 0;\"); else b(); }")
            .find("if(a)do{::__syncthreads();}while(false);else b();") != std::string::npos);
  CHECK(rewritten_flat("void f() { asm(\"mov.u32 %0, \" \"%%tid.x;\" : \"=r\"(x[i << 2])); }") ==
        "void f(){do{[[maybe_unused]]::cpu_device::ptx::u64 ptx_0=0;ptx_0=::cpu_device::ptx::bits<"
        "::cpu_device::ptx::u32>(static_cast<::cpu_device::ptx::u32>(::threadIdx.x));"
        "::cpu_device::ptx::output<::cpu_device::ptx::u32>(x[i<<2],ptx_0);}while(false);}");
  // The line of the literal that holds the instruction.
  const auto errors =
      errors_of("__global__ void k() {\n  asm(\"bar.sync 0;\"\n      \"wgmma.fence;\");\n}\n");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == "a.cu:3: error: PTX: 'wgmma.fence' is not supported on the CPU device");
}

TEST_CASE("texture references") {
  const std::string reference = "::cpu_device::TextureReference";
  CHECK(rewritten_flat("texture<float>a;") == reference + "<float>a;");
  CHECK(rewritten_flat("static texture<float4,2,cudaReadModeElementType>a;") ==
        "static" + reference + "<float4,2,cudaReadModeElementType>a;");
  CHECK(rewritten_flat("int texture=1;x=texture<y;z.texture<a>b;") ==
        "int texture=1;x=texture<y;z.texture<a>b;");
  CHECK(rewritten_flat("surface<void,2>a;") == "::cpu_device::SurfaceReference<void,2>a;");
  CHECK(rewritten_flat("class surface{};texture<int>a;surface<int>b;") ==
        "class surface{};" + reference + "<int>a;surface<int>b;");
}

TEST_CASE("lines and columns stay where they were") {
  check_positions("  kernel<<<grid, block>>>(first, second);  next();\n  line2();\n");
  check_positions(
      "# 7 \"b.cu\"\nif (c) a::kernel<int, 4>  <<<grid, block>>>(arg); else other();\nend();\n");
  check_positions(
      "kernel\n  <<<grid,\n    block,\n  shared>>>(\n    first,\n  second); last();\nend();\n");
  check_positions(
      "# 3 \"a.cu\"\n  kernel<<<grid, \n# 3 \"a.cu\" 3 4\n  NULLS\n# 3 \"a.cu\"\n  , "
      "n>>>(arg);\nend();\n");
  check_positions(
      "__global__ void kernel(int* parameter) { body(parameter2); } int behind;\nint end;\n");
  check_positions("__global__\nvoid kernel(int a)\n{\n  body();\n}\nint end;\n");
  check_positions("void f() {\n  __shared__ float cache[size]; int other;\n  int third;\n}\n");
  check_positions("void f() {\n  __shared__ float\n  cache[size]; int other;\n  int third;\n}\n");
  check_positions("void f() {\n  extern __shared__ T data[]; int other;\n  int third;\n}\n");
  check_positions("void f() {\n  __shared__ alignas(X + X) float x; int other;\n}\n int end;");
  check_positions(
      "#pragma unroll 4\n  for (i; n; m) body();\n__noinline__ int g(); int h();\nint end;\n");
  check_positions(
      "k1<<<[&] { k2<<<a, b>>>(c); return d; }(), e>>>(f, [=] {\n  k3<<<g,\nh>>>(i); }); "
      "j();\nl();\n");
  check_positions("x = R\"(1\n2\n)\"; kernel<<<a, b>>>(c); d();\nend();\n");
  // An unknown file, and a name with quotes and backslashes.
  check_positions("# 5 \"dir \\\"x\\\"\\\\y.cu\" 2\nkernel<<<\ngrid, block>>>(a); b();\nend();\n");
}

TEST_CASE("a system header stays one, and a file its name") {
  // g++ marks what came from a system header's macro, here NULL, with 3.
  const std::string result = rewritten(
      "# 4 \"a.cu\"\n  k<<<1, 1, 0,\n# 4 \"a.cu\" 3 4\n   __null\n# 4 \"a.cu\"\n   >>>(x);\n  "
      "f();\n");
  const Tokens tokens(result);
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is_identifier(i)) continue;
    const Position position = tokens.locate(tokens[i].begin);
    INFO(result);
    CHECK(position.file == "\"a.cu\"");
    CHECK(position.is_system_header == (tokens.spelling(i) == "__null"));
  }
}

TEST_CASE("errors name file and line, and say what is wrong") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"k<<<1, 2(x);", "'<<<' without a matching '>>>'"},
      {"k<<<1, 2>>(x);", "'<<<' without a matching '>>>'"},
      {"k<<<1, (2>>>(x);", "'<<<' without a matching '>>>'"},
      {"k<<<1, 2); j<<<1, 2>>>(x);", "'<<<' without a matching '>>>'"},
      {"k<<<1>>>(x);",
       "a launch needs at least two values: <<<blocks, threads>>>"},
      {"k<<<>>>(x);",
       "a launch needs at least two values: <<<blocks, threads>>>"},
      {"k<<<1, 2, 3, 4, 5>>>(x);",
       "a launch takes at most 4 values: <<<blocks, threads, bytes of dynamic shared memory, "
       "stream>>>. This one has 5"},
      {"k<<<1,>>>(x);", "a value between '<<<' and '>>>' is missing"},
      {"k<<<,1>>>(x);", "a value between '<<<' and '>>>' is missing"},
      {"k<<<1,,2>>>(x);", "a value between '<<<' and '>>>' is missing"},
      {"k<<<1, 2>>>;", "a launch needs parentheses after '>>>', even without arguments: '()'"},
      {"k<<<1, 2>>> x;", "a launch needs parentheses after '>>>', even without arguments: '()'"},
      {"<<<1, 2>>>(x);", "there is no kernel name before '<<<'"},
      {"return <<<1, 2>>>(x);", "there is no kernel name before '<<<'"},
      {"k<<<1, 2>>>(x;", "the ')' after the arguments of this launch is missing"},
      {"__global__ int k() {}", "kernel 'k' must return void"},
      {"__global__ unsigned long k();", "kernel 'k' must return void"},
      {"__global__ void* k() {}", "kernel 'k' must return void"},
      {"float __global__ k() {}", "kernel 'k' must return void"},
      {"__global__ auto k() -> int {}", "kernel 'k' must return void"},
      {"struct S { __global__ void k(); };",
       "kernel 'k' cannot be a member of a class. Move it outside, and pass its data as arguments"},
      {"template <class T> class S final : public B<T> { public: static __global__ void k() {} };",
       "kernel 'k' cannot be a member of a class. Move it outside, and pass its data as arguments"},
      {"namespace n { struct [[nodiscard]] alignas(8) S { __global__ void k() {} }; }",
       "kernel 'k' cannot be a member of a class. Move it outside, and pass its data as arguments"},
      {"__global__ void k(int x, A<B&>, int&& y) {}",
       "kernel 'k' has a reference parameter, but a GPU cannot access host memory. Pass a value, or a pointer to "
       "device memory"},
      {"template <class... T> __global__ void k(T&&... x) {}",
       "kernel 'k' has a reference parameter, but a GPU cannot access host memory. Pass a value, or a pointer to "
       "device memory"},
      {"__global__ void k(int x, ...) {}",
       "kernel 'k' cannot have a variable number of arguments ('...')"},
      {"__global__ void k() try { } catch (...) { }",
       "kernel 'k' cannot have a try block: device code has no exceptions"},
      {"__global__ void k() { if (x) { }",
       "the body of kernel 'k' is not closed: a '}' is missing"},
      {"__global__ void k(int x { }", "the ')' after the parameters of kernel 'k' is missing"},
      {"void f() { __shared__ int x = 1; }",
       "a __shared__ variable cannot have an initializer. Let one thread assign the value, then call __syncthreads()"},
      {"void f() { __shared__ int x[2] = {1, 2}, y; }",
       "a __shared__ variable cannot have an initializer. Let one thread assign the value, then call __syncthreads()"},
      {"void f() { __shared__ float3 x{1, 2, 3}; }",
       "a __shared__ variable cannot have an initializer. Let one thread assign the value, then call __syncthreads()"},
      {"void f() { __shared__ A<B> x(1); }",
       "a __shared__ variable cannot have an initializer. Let one thread assign the value, then call __syncthreads()"},
      {"__global__ void k(__shared__ int* x) {}",
       "__shared__ is for variables in a function, not for parameters. A pointer to shared memory is an ordinary pointer"},
      {"struct S { __shared__ int x; };",
       "a member of a class cannot be __shared__. Declare the variable in the kernel"},
      {"__global__ void k() { asm volatile(\"bar.red.popc.u32 %0, 1, p;\" : \"=r\"(x)); }",
       "PTX: 'bar.red.popc.u32' of a barrier other than 0, or of part of the block, is not "
       "supported on the "
       "CPU device"},
      {"void f() { asm(\"mma.sync.m16n8k8 %0, %1;\" : \"=r\"(x) : \"r\"(y)); }",
       "PTX: 'mma.sync.m16n8k8' is not supported on the CPU device"},
      {"__global__ void k() { asm(\"add.s32 %0, t, 1;\" : \"=r\"(x)); }",
       "PTX: 't' is not supported on the CPU device"},
      {"__global__ void k() { asm(\"add.s32 %0, %1, 1;\" : \"=r\"(x)); }",
       "PTX: '%1', which is not an operand, is not supported on the CPU device"},
      {"void f() { asm volatile(\"exit;\"); }",
       "PTX: 'exit' outside a kernel's own body is not supported on the CPU device"},
  };
  for (const auto& [source, message] : cases) {
    INFO(source);
    const auto errors = errors_of("# 12 \"dir/dot.cu\"\nint a;\n" + source + "\n");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0] == "dir/dot.cu:13: error: " + message);
    CHECK(errors_of(source)[0] == "a.cu:1: error: " + message);
  }
}

TEST_CASE("what looks like an error and is none") {
  for (const char* source : {
           "__global__ void k() { asm volatile(\"\" ::: \"memory\"); }",
           "__global__ void k(int x = a & b, int y = f(&c)) {}",
           "__global__ void k(void (*f)(int&), A<int&> a, int b[N & 3]) {}",
           "template <class... T> __global__ void k(T... x) {}",
           "template <class... T> __global__ void k(T...) {}",
           "void f() { __shared__ A<(1 > 2)> x; y = {1}; }",
           "int missing_semicolon\n__global__ void k() {}",
       }) {
    INFO(source);
    CHECK(errors_of(source).empty());
  }
}

TEST_CASE("several errors are reported together, in order, but not without end") {
  const auto errors = errors_of("k<<<1>>>(x);\nj<<<1, 2>>>;\n__global__ int i();\n");
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].substr(0, 7) == "a.cu:1:");
  CHECK(errors[1].substr(0, 7) == "a.cu:2:");
  CHECK(errors[2].substr(0, 7) == "a.cu:3:");
  CHECK(errors_of(repeat("k<<<1>>>(x);\n", 10000)).size() == 20);
}

TEST_CASE("file names in errors are those of the line markers, without escapes") {
  CHECK(errors_of("# 3 \"a \\\"b\\\"\\\\c\\303\\244.cu\" 2\nk<<<1>>>(x);")[0].substr(0, 21) ==
        "a \"b\"\\c\303\244.cu:3: error");
  CHECK(errors_of("#line 9 \"x.h\"\n\n\nk<<<1>>>(x);")[0].substr(0, 6) == "x.h:11");
  CHECK(errors_of("# 1 \"x.h\"\n# 5\nk<<<1>>>(x);")[0].substr(0, 5) == "x.h:5");
  CHECK(errors_of("# 1 \"x.h\nk<<<1>>>(x);").size() == 1);
  CHECK(errors_of("# 99999999999999999999999 \"x\"\nk<<<1>>>(x);").size() == 1);
}

// A name as the preprocessor writes it: three octal digits for each byte that is not printable.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte >= 127)
      text += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8), static_cast<char>('0' + byte % 8)};
    else if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else
      text += c;
  }
  return text;
}

TEST_CASE("each byte in a file name, before each other one, is that byte in the error") {
  for (int first = 1; first < 256; first++) {
    if (first == '\n') continue;
    for (const char second : std::string("01789a\"\\ .\1\303")) {
      const std::string name = std::string("a") + static_cast<char>(first) + second + ".cu";
      INFO(escaped(name));
      CHECK(errors_of("# 3 \"" + escaped(name) + "\"\nk<<<1>>>(x);")[0].substr(0, name.size() + 9) == name + ":3: error");
    }
  }
}

TEST_CASE("large and hostile input") {
  // A quarter of a megabyte each; what is quadratic would not end.
  constexpr size_t kCount = 1 << 18;
  for (const char* unit : {"<",
                           ">",
                           "<<<",
                           ">>>",
                           "(",
                           ")",
                           "{",
                           "}",
                           "[",
                           "]",
                           "{(",
                           ")}",
                           "<(",
                           "k<<<",
                           "k<<<1,2>>>(",
                           "k<<<1,2>>>(x)",
                           "k<<<1,2>>>(x);",
                           "k<<<1,2>>>",
                           "k<<<(",
                           "k<<<[]{",
                           "(k<<<1,2>>>)",
                           "a<",
                           "k<<<a<",
                           "k<<<1>>>(x)>>>(x)",
                           "__global__ ",
                           "__global__ a<",
                           "__global__ void k(",
                           "__global__ void k(){",
                           "__global__ void k(){}",
                           "__shared__ ",
                           "__shared__ a<",
                           "a(",
                           "__shared__ int x;",
                           "{__shared__ int x;",
                           "extern __shared__ int x[];",
                           "a.b<c>(d)",
                           "{extern __shared__ int x[];",
                           "struct S{__global__ void k();",
                           "asm(\"\"",
                           "__noinline__(",
                           "#pragma unroll\n",
                           "\n# 1 \"a\"\n",
                           "\n",
                           "\"",
                           "'",
                           "R\"(",
                           "R\"x(\n",
                           "/*",
                           "//",
                           "\\",
                           "1'",
                           "texture<",
                           "texture<int>a;",
                           "template<",
                           "::",
                           "->",
                           ",",
                           "=",
                           "\xff"}) {
    const std::string source = repeat(unit, kCount / std::string(unit).size());
    for (const char* front : {"", "__global__ void k() {", "k<<<"}) {
      std::vector<std::string> errors;
      const std::string result = cpu_device::rewrite(front + source, errors, "a.cu");
      CHECK((errors.empty() || result.empty()));
      CHECK(result.size() < 64 * kCount);
    }
  }
}

// What becomes of a function that host code and kernels see with these bodies.
std::string merged(const std::string& host, const std::string& device, size_t warnings = 0) {
  const std::string marker = "# 1 \"a.cu\"\n";
  std::vector<std::string> said;
  const std::string result = cpu_device::merge_architectures(marker + host, marker + device, said);
  CHECK(said.size() == warnings);
  return flat(result);
}

const std::string kChoice = "{if(::cpu_device::on_device())";

TEST_CASE("architecture: what does not differ stays as it is") {
  const std::string text = "int a;\nvoid f() { a = 1; }\n";
  CHECK(merged(text, text) == flat(text));
  CHECK(merged("void f(int) { }", "__host__ __device__ void f(int) { }") == "void f(int){}");
}

TEST_CASE("the kernels of a module are known by their addresses") {
  const std::string source =
      "__global__ void a(int*) {} template <int N> __global__ void b() {} namespace n { __global__ "
      "void c(); }"
      "__global__ void n::c() {} __global__ void a(float*) {} __global__ void d();";
  std::vector<std::string> errors;
  const std::string module = cpu_device::rewrite(source, errors, "a.cu", false, true, true);
  CHECK(errors.empty());
  const std::string note = "::cpu_device::note_kernel(";
  CHECK(module.find(note + "a);") != std::string::npos);
  CHECK(module.find(note, module.find(note) + 1) == std::string::npos);  // and no other
  CHECK(rewritten(source).find(note) == std::string::npos);
}

TEST_CASE("architecture: functions that differ") {
  CHECK(merged("__global__ void k() { }", "__global__ void k() { a(); }") ==
        "__global__ void k(){a();}");
  CHECK(merged("void f() { h(); }", "__device__ void f() { d(); }") == "void f(){d();}");
  // In another place it is another function of that name, and host code may have its own.
  CHECK(merged(" void f() { h(); }", "__device__ void f() { d(); }") ==
        "void f()" + kChoice + "{d();}else{h();}}");
  CHECK(merged("struct A { A() : x(1) { h(); } int x; };",
               "struct A { __host__ __device__ A() : x(1) { } int x; };") ==
        "struct A{A():x(1)" + kChoice + "{}else{h();}}int x;};");
  CHECK(merged("template <int n = (3 > 2)> bool operator==(A, A) { return h; }",
               "template <int n = (3 > 2)> bool operator==(A, A) { return d; }") ==
        "template<int n=(3>2)>bool operator==(A,A)" + kChoice + "{return d;}else{return h;}}");
  CHECK(merged("namespace n { int g() { return 1; } }", "namespace n { int g() { return 2; } }") ==
        "namespace n{int g()" + kChoice + "{return 2;}else{return 1;}}}");
  CHECK(merged("inline int g() { return 1; }", "static int g() { return 2; }").find("else") !=
        std::string::npos);
}

TEST_CASE("architecture: what only one side has") {
  CHECK(merged("int b;", "int f() { return 1; } int b;") == "int f(){return 1;}int b;");
  CHECK(merged("int a; int b;", "int b;") == "int a;int b;");
  CHECK(merged("int b;", "int b; int c;") == "int b;int c;");
}

TEST_CASE("architecture: variables that differ, and who uses them") {
  CHECK(merged("const int n = 1; int f() { return n; } int g() { return x.n; }",
               "const int n = 2; int f() { return n; } int g() { return x.n; }") ==
        "const int n_on_device=2;const int n=1;int f()" + kChoice +
            "{return n_on_device;}else{return n;}}int g(){return x.n;}");
  CHECK(merged("typedef float real;", "typedef double real;", 1) == "typedef float real;");
  CHECK(merged("struct A { A() : x(1) { } };", "struct A { A() : x(2) { } };", 1).find("x(1)") !=
        std::string::npos);
}

TEST_CASE("architecture: differences beside each other are told once each, and become what they become alone") {
  struct Case {
    const char *host, *device;
    size_t warnings;
  };
  const Case cases[] = {
      {"const int n=1;int f(){return n;}", "const int n=2;int f(){return n;}", 0},
      {"typedef float real;", "typedef double real;", 1},
      {"struct A{A():x(1){}int x;};", "struct A{A():x(2){}int x;};", 1},
      {"int g(){return 1;}", "int g(){return 2;}", 0},
      {"int same;", "int same;", 0},
      {"", "int only(){return 1;}", 0},
      {"static int m[1];void h(){m[0]=1;}", "static int m[2];void h(){m[0]=1;}", 0},
  };
  std::map<const Case*, std::string> alone;
  for (const Case& one : cases) alone[&one] = merged(one.host, one.device, one.warnings);
  for (const Case& a : cases)
    for (const Case& b : cases)
      for (const Case& c : cases) {
        if (&a == &b || &b == &c || &a == &c) continue;
        const std::string host = std::string(a.host) + "\n" + b.host + "\n" + c.host + "\n";
        const std::string device = std::string(a.device) + "\n" + b.device + "\n" + c.device + "\n";
        INFO(host);
        // What only kernels have stands before or behind what is left of both: the same characters, maybe in another order.
        std::string together = merged(host, device, a.warnings + b.warnings + c.warnings), apart = alone[&a] + alone[&b] + alone[&c];
        std::sort(together.begin(), together.end());
        std::sort(apart.begin(), apart.end());
        CHECK(together == apart);
      }
}

TEST_CASE("architecture: lines and columns stay") {
  const std::string host = "# 1 \"a.cu\"\nint first;\nint f()\n{\n  return one;\n}\n\nint last;\n";
  const std::string device =
      "# 1 \"a.cu\"\nint first;\nint f()\n{\n\n  return two;}\n\nint last;\n";
  std::vector<std::string> warnings;
  const std::string result = cpu_device::merge_architectures(host, device, warnings);
  const Tokens tokens(result);
  std::map<std::string, Position> places;
  for (uint32_t i = 0; i < tokens.size(); ++i)
    places[std::string(tokens.spelling(i))] = tokens.locate(tokens[i].begin);
  CHECK(places["one"].line == 4);
  CHECK(places["one"].column == 9);
  CHECK(places["two"].line == 5);
  CHECK(places["two"].column == 9);
  CHECK(places["last"].line == 7);
  CHECK(places["last"].column == 4);
}

TEST_CASE("architecture: text that is not whole") {
  for (const char* text :
       {"{", "}", "(", "int f() {", "template <", "operator", "operator(", "a : b {", "struct",
        "namespace {", "int f() : x(", ") {} ;", "f(){}:{", ""}) {
    std::vector<std::string> warnings;
    cpu_device::merge_architectures(text, "int f() { }", warnings);
    cpu_device::merge_architectures("int f() { }", text, warnings);
  }
}

// Splits text in which HOST stands for statements that only the host can execute.
std::string with_host_work(std::string text) {
  const std::string work = "exit(1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1);";
  for (size_t i = text.find("HOST"); i != text.npos; i = text.find("HOST"))
    text.replace(i, 4, work);
  return text;
}

cpu_device::SplitHeaders split(const std::string& text) {
  return cpu_device::split_host_functions(with_host_work(text));
}

// What a program reads of headers with this text, without the lines that only say where it is.
std::string declarations_of(const std::string& text) {
  const std::string all = split("# 1 \"own.h\"\n" + text).declarations;
  std::string result;
  for (size_t i = 0; i < all.size();) {
    const size_t end = std::min(all.find('\n', i), all.size() - 1) + 1;
    if (all[i] != '#') result += all.substr(i, end - i);
    i = end;
  }
  return result;
}

TEST_CASE("split: functions for the host lose their bodies") {
  CHECK(declarations_of("inline void f(int a = {3}) { if (a) { HOST } }\nint g();") ==
        " void f(int a = {3}) ;\n\nint g();");
  CHECK(declarations_of("namespace a { [[noreturn]] inline int f() { HOST } }") ==
        "namespace a { [[noreturn]]  int f() ;\n }");
  CHECK(declarations_of("class A { public: static int f() const noexcept { HOST } int b{2}; };") ==
        "class A { public: static int f() const noexcept ;\n int b{2}; };");
  CHECK(declarations_of("extern \"C\" { inline int f() { HOST } }") ==
        "extern \"C\" {  int f() ;\n }");
  const auto parts = split("# 1 \"own.h\"\nint a;\ninline void f() {\n  HOST\n}\nint b;\n");
  const auto at_the_start = split("inline void f() { HOST }\nint b;\n");
  CHECK(at_the_start.definitions ==
        with_host_work("[[gnu::used]] inline void f() { HOST }\nint b;\n"));
  CHECK(at_the_start.declarations == " void f() ;\n# 1\n\nint b;\n");
  CHECK(parts.functions == 1);
  CHECK(parts.declarations == "# 1 \"own.h\"\nint a;\n void f() ;\n# 4\n\nint b;\n");
  CHECK(parts.definitions ==
        with_host_work(
            "# 1 \"own.h\"\nint a;\n[[gnu::used]] inline void f() {\n  HOST\n}\nint b;\n"));
  for (const char* host : {"std::string a", "const std::vector<int>& a", "FILE* a"}) {
    const std::string work =
        "(" + std::string(host) + ") { return a + a + a + a + a + a + a + a + a + a; }";
    CHECK_MESSAGE(split("inline int f" + work).functions == 1, host);
  }
  CHECK(split("inline int f() { cudaFree(a + a + a + a + a + a + a + a + a); }").functions == 1);
  CHECK(split("inline int f(cudaTextureObject_t a) { return a + a + a + a + a + a + a + a + a; }")
            .functions == 0);
}

TEST_CASE("functions in headers that handle text are not worth speed") {
  const auto rewritten = [](const std::string& text) {
    std::vector<std::string> errors;
    return cpu_device::rewrite(with_host_work(text), errors, "t.cu", false, true, false, false, true);
  };
  for (const char* text : {"inline void f() { HOST }", "class A { void f() { HOST } };"}) {
    CHECK_MESSAGE(rewritten(text).find("__attribute__((cold)) ") != std::string::npos, text);
  }
  for (const char* text : {"void f() { HOST }", "int main() { HOST }", "inline void f() { g(); }",
                           "template <typename T> inline void f() { HOST }"}) {
    CHECK_MESSAGE(rewritten(text).find("cold") == std::string::npos, text);
  }
  CHECK(rewritten("[[noreturn]] inline void f() { HOST }")
            .find("[[noreturn]] __attribute__((cold)) ") == 0);
}

TEST_CASE("split: functions that others need whole") {
  for (const char* text : {
           "inline int f() { return 1; }",
           "inline int f() { exit(1); }",
           "inline int f(int a) { return a * a * a * a * a * a * a * a * a * a * a * a * a; }",
           "template <typename T> T f() { HOST }",
           "template <typename T> struct A { int f() { HOST } };",
           "template <class T = int> struct A { struct B { int f() { HOST } }; };",
           "constexpr int f() { HOST }",
           "inline auto f() { HOST }",
           "inline decltype(auto) f() { HOST }",
           "struct A { A() { HOST } };",
           "struct A { int a, b; A() : a{1}, b(2) { HOST } };",
           "struct A { ~A() { HOST } };",
           "struct A { virtual int f() { HOST } };",
           "struct A : B { int f() override { HOST } };",
           "struct A { bool operator==(const A&) const { HOST } };",
           "struct A { friend int f(A) { HOST } };",
           "inline int A::f() { HOST }",
           "inline int f();",
           "static int f() { HOST }",
           "namespace { inline int f() { HOST } }",
           "auto f = [](int) { HOST };",
       }) {
    CHECK_MESSAGE(split(text).functions == 0, text);
  }
  CHECK(split("# 1 \"/usr/include/a.h\" 1 3\ninline int f() { HOST }").functions == 0);
}

TEST_CASE("split: functions of the standard library that few programs use") {
  const std::string conversion =
      "# 1 \"/usr/include/c++/12/bits/basic_string.h\" 1 3\nnamespace std {\n"
      "inline int stoi(const string& a) { return g<int>(a); }\n"
      "template <typename T> inline bool operator==(T, T) { return true; }\n"
      "__attribute ((__abi_tag__ (\"cxx11\"))) inline string operator\"\"s(const char* a) { return "
      "a; }\n}\n";
  const std::string special =
      "# 1 \"/usr/include/c++/12/bits/specfun.h\" 1 3\nnamespace std {\n"
      "inline float betaf(float a) { return b<float>(a); }\n"
      "template <typename T> inline T beta(T a) { return b<T>(a); }\n}\n";
  const std::string host_function = "# 1 \"own.h\" 1\ninline void f() { HOST }\n";
  const auto conversions = split(conversion + host_function);
  CHECK(conversions.functions == 3);
  CHECK(conversions.declarations.find(" int stoi(const string& a) ;") != std::string::npos);
  CHECK(conversions.declarations.find(" string operator\"\"s(const char* a) ;") !=
        std::string::npos);
  CHECK(conversions.declarations.find("operator==(T, T) { return true; }") != std::string::npos);
  CHECK(conversions.definitions.find(
            "[[gnu::used]] inline int stoi(const string& a) { return g<int>(a); }") !=
        std::string::npos);
  // Alone, they are not worth it.
  CHECK(split(conversion).declarations.empty());
  CHECK(split(conversion + "static int g() { return 1; }\n" + host_function).functions == 2);
  // Templates are instantiated where they are used.
  const auto specials = split(special);
  CHECK(specials.functions == 0);
  CHECK(specials.definitions.empty());
  std::string expected = special;
  expected.insert(expected.find("inline float"), "template <int = 0> ");
  CHECK(specials.declarations == expected);
  CHECK(split(special + host_function).functions == 1);
}

TEST_CASE("split: functions that lead to what each program has for itself") {
  const std::string host_function = "inline int f() { HOST return g(); }";
  CHECK(split("inline int g() { return 1; }" + host_function).functions == 1);
  for (const char* text : {
           "static int g() { return 1; }",
           "namespace { int g() { return 1; } }",
           "static int h() { return 1; } inline int g() { return h(); }",
           "static int h() { return 1; } inline int i() { return h(); } inline int g() { return "
           "i(); }",
           "static int a, *count[3]; inline int g() { return *count[0]; }",
           "static int a, *count[3]; inline int g() { return a; }",
           "static int count = 0; struct A { static int g() { return ++count; } };",
           "namespace { int count; } template <typename T> T g() { return count; }",
           "static int count; struct A { operator int() { return ++count; } };",
           "static int move(int); static int move(int a) { return a; } inline int g() { return "
           "move(1); }",
       }) {
    CHECK_MESSAGE(split(text + host_function).functions == 0, text);
  }
  for (const char* text : {
           "static constexpr int a = 3; inline int g() { return a; }",
           "static int move(int a) { return a; } inline int g() { return std::move(1); }",
           "struct A { static int a; int b() { static int c; return c; } }; inline int g() { "
           "return a; }",
       }) {
    CHECK_MESSAGE(split(text + host_function).functions == 1, text);
  }
}
