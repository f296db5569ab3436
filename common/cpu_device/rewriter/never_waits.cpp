#include "never_waits.h"

#include <algorithm>

#include "words.h"

namespace cpu_device {
namespace {

const std::unordered_set<std::string_view>& pure_functions() {
  static const std::unordered_set<std::string_view> names = {
      "sqrt", "sqrtf", "rsqrt", "rsqrtf", "cbrt", "cbrtf", "fabs", "fabsf", "abs", "labs", "llabs", "min", "max",
      "umin", "umax", "fmin", "fminf", "fmax", "fmaxf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "asin", "asinf",
      "acos", "acosf", "atan", "atanf", "atan2", "atan2f", "sinh", "sinhf", "cosh", "coshf", "tanh", "tanhf", "exp",
      "expf", "exp2", "exp2f", "exp10", "exp10f", "expm1", "expm1f", "log", "logf", "log2", "log2f", "log10",
      "log10f", "log1p", "log1pf", "pow", "powf", "hypot", "hypotf", "floor", "floorf", "ceil", "ceilf", "trunc",
      "truncf", "round", "roundf", "rint", "rintf", "nearbyint", "nearbyintf", "fmod", "fmodf", "remainder",
      "remainderf", "fma", "fmaf", "copysign", "copysignf", "fdim", "fdimf", "erf", "erff", "erfc", "erfcf", "sinpi",
      "sinpif", "cospi", "cospif", "ldexp", "ldexpf", "isnan", "isinf", "isfinite", "signbit", "fdividef", "lroundf",
      "lround", "lrintf", "lrint", "norm3df", "norm4df", "rhypotf", "rcbrtf", "saturate", "__saturatef",
      "__fdividef", "cpu_device_sinf", "cpu_device_cosf", "cpu_device_tanf", "cpu_device_expf",
      "cpu_device_exp10f", "cpu_device_logf", "cpu_device_log2f", "cpu_device_log10f", "__powf", "__frcp_rn",
      "__fsqrt_rn", "__frsqrt_rn", "__fadd_rn", "__fsub_rn", "__fmul_rn", "__fdiv_rn", "__fmaf_rn", "__dadd_rn",
      "__dmul_rn", "__fma_rn", "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll",
      "__mul24", "__umul24", "__mulhi", "__umulhi", "__mul64hi", "__umul64hi", "__sad", "__usad", "__byte_perm",
      "__int_as_float", "__float_as_int", "__uint_as_float", "__float_as_uint", "__double_as_longlong",
      "__longlong_as_double", "__float2int_rn", "__float2int_rz", "__float2int_rd", "__float2int_ru",
      "__float2uint_rn", "__float2uint_rz", "__int2float_rn", "__int2float_rz", "__uint2float_rn",
      "__double2int_rn", "__double2int_rz", "__double2float_rn", "__int2double_rn", "__builtin_expect", "__builtin_inf",
      "__builtin_inff", "__builtin_huge_val", "__builtin_huge_valf", "__builtin_nan", "__builtin_nanf"};
  return names;
}

// Families of intrinsics: `__hadd2`, `__half2float`, `__vaddss4`. Those of another rounding may set the processor's, and stay out.
bool is_of_pure_family(std::string_view name) {
  static constexpr std::string_view kArithmeticOfHalf[] = {"add", "sub", "mul", "div", "fma", "neg", "abs", "min", "max", "eq", "ne", "lt",
                                                           "le",  "gt",  "ge",  "b",   "2div", "isnan", "isinf", "cmadd"};
  static constexpr std::string_view kPrefixes[] = {
      "__half", "__float2half", "__float2bfloat16", "__float22", "__double2half", "__double2bfloat16", "__int2half", "__uint2half",
      "__short2half", "__ushort2half", "__low2", "__high2", "__lows2", "__highs2", "__lowhigh2", "__bfloat16", "__short_as_", "__ushort_as_",
      "__funnelshift_", "__dp2a", "__dp4a", "__vabs", "__vadd", "__vavg", "__vcmp", "__vmax", "__vmin", "__vneg", "__vsad", "__vset",
      "__vsub", "__viaddm", "__vimax", "__vimin", "__nv_cvt_", "__rhadd", "__uhadd", "__urhadd", "__hiloint2double", "__double2hiint",
      "__double2loint", "__isnan", "__isinf", "__isfinite"};
  const std::string_view end = name.size() > 3 ? name.substr(name.size() - 3) : std::string_view();
  if (end == "_rz" || end == "_ru" || end == "_rd") return false;
  for (const std::string_view prefix : kPrefixes)
    if (starts_with(name, prefix)) return true;
  if (!starts_with(name, "__h")) return false;
  for (const std::string_view prefix : kArithmeticOfHalf)
    if (starts_with(name.substr(3), prefix)) return true;
  return false;
}

// `hsqrt`, `h2exp`
bool is_mathematics_of_half(std::string_view name) {
  if (!starts_with(name, "h")) return false;
  name.remove_prefix(starts_with(name, "h2") ? 2 : 1);
  static const std::unordered_set<std::string_view> names = {"sqrt", "rsqrt", "rcp", "exp", "exp2", "exp10", "log", "log2", "log10",
                                                             "sin", "cos", "tanh", "floor", "ceil", "trunc", "rint"};
  return names.count(name) != 0;
}

bool is_vector_maker(std::string_view name) {
  if (name.substr(0, 5) != "make_") return false;
  name.remove_prefix(5);
  if (name == "half2" || name == "bfloat162") return true;
  if (name.empty() || name.back() < '1' || name.back() > '4') return false;
  name.remove_suffix(1);
  static const std::unordered_set<std::string_view> types = {"char", "uchar", "short", "ushort", "int", "uint", "long",
                                                             "ulong", "longlong", "ulonglong", "float", "double"};
  return types.count(name) != 0;
}

// Reads only, or is otherwise harmless in a loop over threads.
bool is_harmless(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "sincosf", "sincos", "sincospif", "sincospi", "modff", "modf", "frexpf", "frexp", "__sincosf", "__ldg", "__ldcg",
      "__ldcs", "__ldca", "__stcg", "__stcs", "__stwb", "__stwt", "tex1Dfetch", "tex1D", "tex2D", "tex3D",
      "clock", "clock64", "static_assert", "__builtin_assume", "__builtin_unreachable", "cpu_device"};
  return names.count(name) != 0 || NeverWaits::is_pure(name) || is_vector_maker(name);
}

// What no function that is called without its name may have in it.
bool is_taint(std::string_view word) {
  if (word.substr(0, 6) == "__sync" || word.substr(0, 6) == "__shfl" || word.substr(0, 6) == "atomic") return true;
  static const std::unordered_set<std::string_view> words = {
      "threadIdx", "volatile", "asm", "__asm__", "__any_sync", "__all_sync", "__ballot_sync", "__activemask",
      "__nanosleep", "cooperative_groups", "cub", "__threadfence", "printf", "__trap", "assert"};
  return words.count(word) != 0;
}

const std::unordered_set<std::string_view>& never_in_loops() {
  static const std::unordered_set<std::string_view> words = {
      "volatile", "asm", "__asm__", "__asm", "new", "delete", "throw", "try", "goto", "__func__",
      "__FUNCTION__", "__PRETTY_FUNCTION__", "atomic", "atomic_ref", "atomic_flag", "cub", "cuda", "thrust",
      "cooperative_groups", "cg", "nvcuda", "wmma", "this_thread"};
  return words;
}

}  // namespace

bool NeverWaits::is_pure(std::string_view name) {
  return pure_functions().count(name) != 0 || is_of_pure_family(name) || is_mathematics_of_half(name);
}

NeverWaits::NeverWaits(const Tokens& tokens) : tokens_(tokens) {
  for_own_parts(tokens_, [this](uint32_t begin, uint32_t end) { find_functions(begin, end); });
  for_own_parts(tokens_, [this](uint32_t begin, uint32_t end) { find_names(begin, end); });
  for (const std::string_view name : other_types_) pointer_types_.erase(name);
  sort_functions();
  find_thread_readers();
  judge_implicit();
}

// The folder of cuda_runtime.h, as line markers write it: the first one that names it says so.
std::string_view NeverWaits::headers_of(const Tokens& tokens) {
  const std::string_view text = tokens.text();
  const size_t name = text.find("/cuda_runtime.h\"");
  const size_t quote = name == text.npos ? name : text.rfind('"', name);
  return quote == text.npos ? std::string_view() : text.substr(quote, name + 1 - quote);
}

// Whether it is the program's, and not one of the system's headers or of ours.
bool NeverWaits::is_own_file(std::string_view headers, std::string_view file, bool is_system_header) {
  if (is_system_header) return false;
  return headers.empty() || file.substr(0, headers.size()) != headers;
}

uint32_t NeverWaits::end_of_angles(const Tokens& tokens, uint32_t open) {
  int depth = 0;
  for (uint32_t i = open; i < tokens.size() && i < open + 200; ++i) {
    const char c = tokens[i].first;
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) return i;
    if (c == '(' || c == '[') {
      if (tokens[i].match == kNone) return kNone;
      i = tokens[i].match;
    }
    if (c == ';' || c == '{' || c == '}' || c == ')' || c == ']') return kNone;
  }
  return kNone;
}

void NeverWaits::find_function(uint32_t name, uint32_t open, bool implicit) {
  const uint32_t close = tokens_[open].match;
  if (close == kNone) return;
  uint32_t t = close + 1;
  for (; t < tokens_.size() && t < close + 64; ++t) {
    if (tokens_.is(t, '{')) break;
    if (tokens_.is(t, ':') && !tokens_.is_scope(t)) {  // What a constructor initializes.
      for (++t; t < tokens_.size() && !tokens_.is(t, ';'); ++t) {
        const bool ends = (tokens_.is(t, '(') || tokens_.is(t, '{')) && tokens_[t].match != kNone;
        if (!ends) continue;
        if (tokens_.is(t, '{') && !tokens_.is_identifier(t - 1) && !tokens_.is(t - 1, '>')) break;
        t = tokens_[t].match;
        if (tokens_.is(t + 1, '{')) {
          ++t;
          break;
        }
      }
      break;
    }
    const bool goes_on = tokens_.is_identifier(t) || tokens_.is_arrow(t) || tokens_.is_scope(t) || tokens_.is(t, '*') ||
                         tokens_.is(t, '&') || tokens_.is(t, '<') || tokens_.is(t, '>');
    if (tokens_.is(t, '(') && tokens_[t].match != kNone)
      t = tokens_[t].match;
    else if (!goes_on)
      return;
  }
  if (!tokens_.is(t, '{') || tokens_[t].match == kNone) return;
  functions_.push_back({name, open, t, implicit});
}

void NeverWaits::find_functions(uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (!tokens_.is_identifier(i)) continue;
    if (tokens_.is(i, "operator")) {
      uint32_t open = i + 1;
      if (tokens_.is(open, '(') && tokens_.is(open + 1, ')')) open += 2;
      while (open < i + 8 && !tokens_.is(open, '(')) ++open;
      if (tokens_.is(open, '(')) find_function(kNone, open, true);
    } else if (tokens_.is(i - 1, ',') || (tokens_.is(i - 1, ':') && tokens_.is(i - 2, ')'))) {
      continue;  // What a constructor initializes.
    } else if (tokens_.is(i + 1, '(') && !is_keyword_before_parenthesis(tokens_.spelling(i))) {
      find_function(i, i + 1, false);
    }
  }
}

// `const int n = 4`, `constexpr float scale = 2`
void NeverWaits::find_constants(uint32_t i) {
  const bool is_constexpr = tokens_.is(i, "constexpr");
  for (uint32_t t = i + 1; t < tokens_.size() && t < i + 24; ++t) {
    if (tokens_.is(t, '*') && !is_constexpr) return;
    const bool ends = tokens_.is(t, '=') || tokens_.is(t, '{') || tokens_.is(t, '[');
    if (ends && t > i + 2 && tokens_.is_identifier(t - 1)) {
      constants_.insert(tokens_.spelling(t - 1));
      return;
    }
    if (!tokens_.is_identifier(t) && !tokens_.is_scope(t) && !tokens_.is(t, '<') && !tokens_.is(t, '>') &&
        !tokens_.is(t, '*'))
      return;
  }
}

void NeverWaits::find_template_parameters(uint32_t i) {
  const uint32_t close = end_of_angles(tokens_, i + 1);
  if (close == kNone) return;
  for (uint32_t t = i + 2; t <= close; ++t) {
    const bool ends = tokens_.is(t, ',') || tokens_.is(t, '=') || t == close;
    if (!ends || !tokens_.is_identifier(t - 1)) continue;
    const bool is_type = tokens_.is(t - 2, "typename") || tokens_.is(t - 2, "class");
    (is_type ? classes_ : constants_).insert(tokens_.spelling(t - 1));
    if (is_type) other_types_.insert(tokens_.spelling(t - 1));
  }
}

// A name for the type that ends before token `end`.
void NeverWaits::add_type(std::string_view name, uint32_t end) {
  classes_.insert(name);
  while (tokens_.is(end - 1, "const") || tokens_.is(end - 1, "__restrict__") || tokens_.is(end - 1, "__restrict")) --end;
  (tokens_.is(end - 1, '*') ? pointer_types_ : other_types_).insert(name);
}

void NeverWaits::find_names(uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (tokens_[i].kind != Kind::kIdentifier) continue;
    const std::string_view word = tokens_.spelling(i);
    if (word == "namespace" && tokens_.is_identifier(i + 1)) {
      namespaces_.insert(tokens_.spelling(i + 1));
    } else if (word == "volatile" || word == "atomic" || word == "atomic_ref" || word == "atomic_int" || word == "atomic_flag") {
      // Also of parameters and local variables, which have nothing to do with others of that name: no harm.
      for (uint32_t t = i + 1; t < i + 12 && t < tokens_.size(); ++t) {
        // The name that is declared, not its type: `volatile uint* p`.
        const bool is_type = is_type_word(tokens_.spelling(t)) || tokens_.is_identifier(t + 1) || tokens_.is(t + 1, '*') ||
                             tokens_.is(t + 1, '&') || tokens_.is(t + 1, '<') || tokens_.is(t + 1, '>') || tokens_.is_scope(t + 1);
        if (tokens_.is_identifier(t) && !is_type && !tokens_.is(t, "const") && !tokens_.is(t, "__restrict__"))
          volatiles_.insert(tokens_.spelling(t));
        if (tokens_.is(t, ';') || tokens_.is(t, '=') || tokens_.is(t, ')') || tokens_.is(t, '(') || tokens_.is(t, '{')) break;
      }
    } else if (word == "const" || word == "constexpr") {
      find_constants(i);
    } else if (word == "template") {
      if (tokens_.is(i + 1, '<')) find_template_parameters(i);
    } else if (word == "typedef") {
      uint32_t t = i + 1;
      while (t < tokens_.size() && !tokens_.is(t, ';')) t = (tokens_.is(t, '{') && tokens_[t].match != kNone ? tokens_[t].match : t) + 1;
      if (tokens_.is_identifier(t - 1)) add_type(tokens_.spelling(t - 1), t - 1);
    } else if (word == "using" && tokens_.is_identifier(i + 1) && tokens_.is(i + 2, '=')) {
      uint32_t end = i + 3;
      while (end < tokens_.size() && !tokens_.is(end, ';')) end = (tokens_.is(end, '{') && tokens_[end].match != kNone ? tokens_[end].match : end) + 1;
      add_type(tokens_.spelling(i + 1), end);
    } else if (word == "using" || word == "struct" || word == "class" || word == "union") {
      uint32_t name = i + 1;
      while (tokens_.is(name, "alignas") || tokens_.is(name, "__attribute__")) name = tokens_.is(name + 1, '(') && tokens_[name + 1].match != kNone ? tokens_[name + 1].match + 1 : name + 1;
      if (tokens_.is_identifier(name)) {
        classes_.insert(tokens_.spelling(name));
        other_types_.insert(tokens_.spelling(name));
        uint32_t brace = name + 1;
        while (brace < name + 40 && brace < tokens_.size() && !tokens_.is(brace, '{') && !tokens_.is(brace, ';') &&
               !tokens_.is(brace, '(') && !tokens_.is(brace, '='))
          ++brace;
        if (tokens_.is(brace, '{') && tokens_[brace].match != kNone) {
          class_bodies_.emplace_back(tokens_.spelling(name), brace);
          name_token_of_[tokens_.spelling(name)] = name + 1;
        }
      }
    } else if (word == "enum") {
      uint32_t t = i + 1;
      while (t < i + 8 && !tokens_.is(t, '{') && !tokens_.is(t, ';')) {
        if (tokens_.is_identifier(t) && !tokens_.is(t, "class") && !tokens_.is(t, "struct")) classes_.insert(tokens_.spelling(t));
        ++t;
      }
      if (tokens_.is(t, '{') && tokens_[t].match != kNone)
        for (uint32_t e = t + 1; e < tokens_[t].match; ++e)
          if (tokens_.is_identifier(e)) constants_.insert(tokens_.spelling(e));
    }
  }
}

void NeverWaits::sort_functions() {
  for (uint32_t f = 0; f < functions_.size(); ++f) {
    Function& function = functions_[f];
    if (function.name == kNone) continue;
    const std::string_view name = tokens_.spelling(function.name);
    if (classes_.count(name) != 0) function.implicit = true;
    by_name_[name].push_back(f);
  }
}

const NeverWaits::Function* NeverWaits::only_function(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second.size() != 1) return nullptr;
  const Function& function = functions_[found->second[0]];
  return function.implicit ? nullptr : &function;
}

// Functions of the program that read threadIdx, or use atomics, which may have something to say of the thread;
// or call one that does. A clock is the thread's own.
void NeverWaits::find_thread_readers() {
  thread_readers_ = {"clock", "clock64"};
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : functions_) {
      if (function.name == kNone || thread_readers_.count(tokens_.spelling(function.name)) != 0) continue;
      for (uint32_t t = function.body; t < tokens_[function.body].match; ++t)
        if (tokens_.is(t, "threadIdx") || is_atomic(tokens_, t) || (tokens_.is_identifier(t) && thread_readers_.count(tokens_.spelling(t)) != 0)) {
          changed = thread_readers_.insert(tokens_.spelling(function.name)).second;
          break;
        }
    }
  }
}

bool NeverWaits::calls_thread_reader(const KernelCode& code, uint32_t begin, uint32_t end) const {
  const Tokens& tokens = code.tokens();
  for (uint32_t t = begin; t < end; ++t)
    if ((is_atomic(tokens, t) && !code.is_atomic_on_shared(t)) || (tokens.is_identifier(t) && thread_readers_.count(tokens.spelling(t)) != 0)) return true;
  return false;
}

// Constructors, destructors and operators are called where no name says so: none may have anything in it,
// or in a function it names, that a loop cannot have.
void NeverWaits::judge_implicit() {
  std::unordered_set<std::string_view> tainted;
  const auto is_tainted = [&](const Function& function) {
    for (uint32_t t = function.body; t < tokens_[function.body].match; ++t)
      if (tokens_.is_identifier(t) && (is_taint(tokens_.spelling(t)) || tainted.count(tokens_.spelling(t)) != 0))
        return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : functions_) {
      if (function.name == kNone || function.implicit) continue;
      const std::string_view name = tokens_.spelling(function.name);
      // A kernel is launched, not called.
      if (tainted.count(name) == 0 && is_tainted(function)) changed = tainted.insert(name).second;
    }
  }
  for (const Function& function : functions_) {
    if (!function.implicit || !is_tainted(function)) continue;
    if (function.name != kNone)
      tainted_classes_.insert(tokens_.spelling(function.name));
    else
      problem_of_all_ = "an operator may wait, line " +
                        std::to_string(tokens_.locate(tokens_[function.parameters].begin).line);
  }
  // A class with such a member or base is also one.
  for (size_t before = tainted_classes_.size() + 1; before != tainted_classes_.size();) {
    before = tainted_classes_.size();
    if (before == 0) break;
    for (const auto& [name, body] : class_bodies_) {
      if (tainted_classes_.count(name) != 0) continue;
      for (uint32_t t = name_token_of_[name]; t < tokens_[body].match; ++t)
        if (tokens_.is_identifier(t) && tainted_classes_.count(tokens_.spelling(t)) != 0) tainted_classes_.insert(name);
    }
  }
}

bool NeverWaits::may_change_arguments(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  for (const uint32_t f : found->second) {
    const Function& function = functions_[f];
    for (uint32_t t = function.parameters; t < tokens_[function.parameters].match; ++t)
      if (tokens_.is(t, '&')) return true;
  }
  return false;
}

bool NeverWaits::only_computes(std::string_view name) const {
  const Function* const function = only_function(name);
  if (function == nullptr) return false;
  name = tokens_.spelling(function->name);  // a kernel's own tokens do not last
  const auto [known, is_new] = computes_.emplace(name, false);  // false, too, if it calls itself
  if (!is_new) return known->second;
  const bool computes = finds_only_computing(*function);
  return computes_[name] = computes;
}

bool NeverWaits::finds_only_computing(const Function& function) const {
  static constexpr std::string_view kWords[] = {"return", "if", "else", "for", "while", "do", "break", "continue", "const", "constexpr",
                                                "sizeof", "size_t", "uint", "true", "false", "std", "uint32_t", "int32_t", "uint64_t", "int64_t"};
  const auto is_type = [this](std::string_view word) {
    return is_type_word(word) || is_one_of(word, kWords) || (classes_.count(word) != 0 && tainted_classes_.count(word) == 0);
  };
  std::unordered_set<std::string_view> own;
  for (uint32_t t = function.parameters; t < tokens_[function.parameters].match; ++t) {
    if (tokens_.is(t, '*') || tokens_.is(t, '&') || tokens_.is(t, '[')) return false;
    if (tokens_.is_identifier(t) && !tokens_.is_identifier(t + 1)) own.insert(tokens_.spelling(t));
  }
  for (uint32_t t = function.body; t < tokens_[function.body].match; ++t) {
    if (tokens_.is(t, '[') || tokens_.is_arrow(t)) return false;
    const bool has_operand = tokens_.is_identifier(t - 1) ? !tokens_.is(t - 1, "return") : tokens_.is(t - 1, ')') || tokens_[t - 1].kind == Kind::kNumber;
    const bool is_and = tokens_.is(t - 1, '&') || tokens_.is(t + 1, '&');
    if (tokens_.is(t, '*') && !has_operand) return false;
    if (tokens_.is(t, '&') && !has_operand && !is_and) return false;
    if (!tokens_.is_identifier(t)) continue;
    const std::string_view word = tokens_.spelling(t);
    if (is_type(word) || is_constant(word) || own.count(word) != 0) continue;
    if (tokens_.is(t - 1, '.')) continue;
    if (tokens_.is(t + 1, '(') && (is_of_program(word) ? only_computes(word) : is_pure(word))) continue;
    // `unsigned n`, of a type without a `*`
    const bool is_declared = tokens_.is_identifier(t - 1) && is_type(tokens_.spelling(t - 1));
    if (!is_declared || tokens_.is(t - 1, "return") || tokens_.is(t - 1, "else")) return false;
    own.insert(word);
  }
  return true;
}

std::string NeverWaits::problem_of_atomic(uint32_t i, uint32_t open, uint32_t begin, uint32_t end,
                                          const KernelCode* kernel) {
  const Tokens& tokens = tokens_of(kernel);
  const std::string_view name = without_scope(tokens.spelling(i));
  static const std::unordered_set<std::string_view> harmless = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd",
                                                                "atomicOr", "atomicXor", "atomicInc", "atomicDec"};
  if (harmless.count(name) == 0) return std::string(name) + " may be a lock";
  const bool alone = (tokens.is(i - 1, ';') || tokens.is(i - 1, '{') || tokens.is(i - 1, '}') || tokens.is(i - 1, ')') ||
                      tokens.is(i - 1, "else")) &&
                     tokens.is(tokens[open].match + 1, ';');
  if (alone) return {};
  if (kernel == nullptr) return "a function uses the result of " + std::string(name);
  for (uint32_t t = begin; t < end; ++t)
    if (tokens.is(t, "for") || tokens.is(t, "while")) return "the result of " + std::string(name) + " and a loop";
  return {};
}

std::string NeverWaits::problem_of_call(uint32_t i, uint32_t open, uint32_t begin, uint32_t end,
                                        const KernelCode* kernel) {
  const Tokens& tokens = tokens_of(kernel);
  const std::string_view name = tokens.spelling(i);
  if (is_keyword_before_parenthesis(name)) return {};
  const bool is_member = tokens.is(i - 1, '.') || tokens.is_arrow(i - 1);
  const bool of_program = by_name_.count(name) != 0;
  if (kernel != nullptr && !is_member) {
    const uint32_t v = kernel->variable_at(i);
    if (v != kNone) {
      if (kernel->variables()[v].name == i) return {};
      return "a call through the variable " + std::string(name);
    }
  }
  if (of_program) return problem_of_function(name);
  // The parser has made sure that a barrier is a statement of its own.
  if (name == "__syncthreads" && kernel != nullptr && tokens.is(open + 1, ')') && tokens.is(open + 2, ';')) return {};
  if (is_member) return "a call of ." + std::string(name) + "()";
  if (name.substr(0, 6) == "atomic") return problem_of_atomic(i, open, begin, end, kernel);
  if (is_harmless(name) || classes_.count(name) != 0) return {};
  // `unsigned(x)` and `T x(1)` of a type that a function's body declares.
  if (kernel == nullptr && tokens.is_identifier(i - 1) && !is_keyword_before_parenthesis(tokens.spelling(i - 1))) return {};
  static const std::unordered_set<std::string_view> types = {
      "size_t", "uint", "uchar", "ushort", "ulong", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
      "int64_t", "uint64_t", "float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint3", "uint4", "uchar4",
      "double2", "double3", "double4", "dim3", "half", "half2", "__nv_bfloat16",
      "__nv_bfloat162", "nv_bfloat16", "nv_bfloat162", "static_cast", "reinterpret_cast", "const_cast", "__attribute__", "alignas"};
  if (types.count(name) != 0 || starts_with(name, "__nv_fp8")) return {};
  return "a call of " + std::string(name) + "()";
}

std::string NeverWaits::problem_of_function(std::string_view name) {
  name = by_name_.find(name)->first;  // a kernel's own tokens do not last
  const auto judged = judged_.find(name);
  if (judged != judged_.end()) return judged->second;
  if (!in_progress_.insert(name).second) return {};  // It calls itself.
  std::string problem;
  for (const uint32_t f : by_name_[name]) {
    const uint32_t body = functions_[f].body;
    looked_at_ = f;
    if (problem.empty()) problem = problem_of_tokens(body + 1, tokens_[body].match, nullptr);
  }
  in_progress_.erase(name);
  // What was found while a caller of it is still looked at may depend on that.
  if (in_progress_.empty() || !problem.empty()) judged_[name] = problem;
  return problem;
}

bool NeverWaits::is_parameter(uint32_t function, std::string_view name) const {
  const uint32_t open = functions_[function].parameters;
  for (uint32_t t = open; t < tokens_[open].match; ++t)
    if (tokens_.is(t, name)) return true;
  return false;
}

std::string NeverWaits::problem_of_tokens(uint32_t begin, uint32_t end, const KernelCode* kernel) {
  const Tokens& tokens = tokens_of(kernel);
  const uint32_t own = looked_at_;  // the function, if it is one
  for (uint32_t i = begin; i < end; ++i) {
    if (!tokens.is_identifier(i)) {
      if (tokens.is(i, '<') && tokens.is(i + 1, '<') && tokens.is(i + 2, '<')) return "a launch";
      if (kernel == nullptr && tokens.is(i, '[') && !tokens.is_identifier(i - 1) && !tokens.is(i - 1, ']') && !tokens.is(i - 1, ')'))
        return "a lambda";
      continue;
    }
    const std::string_view word = tokens.spelling(i);
    if (never_in_loops().count(word) != 0) return "'" + std::string(word) + "'";
    if (tainted_classes_.count(word) != 0) return "the class " + std::string(word);
    if (kernel == nullptr && (word == "static" || word == "__shared__"))
      return "a function with '" + std::string(word) + "'";
    const bool is_local = kernel != nullptr && kernel->variable_at(i) != kNone;
    if (volatiles_.count(word) != 0 && !is_local && !is_type_word(word)) return "'" + std::string(word) + "' is volatile";
    uint32_t open = i + 1;
    if (tokens.is(open, '<')) {
      const uint32_t close = end_of_angles(tokens, open);
      if (close != kNone && tokens.is(close + 1, '(')) open = close + 1;
    }
    if (tokens.is(open, '(') && tokens[open].match != kNone) {
      const std::string problem = problem_of_call(i, open, begin, end, kernel);
      if (!problem.empty()) return problem;
    } else if (!is_local && !(kernel == nullptr && is_parameter(own, word)) && by_name_.count(word) != 0 && classes_.count(word) == 0 && !tokens.is(i - 1, '.') &&
               !tokens.is_arrow(i - 1)) {
      return "the address of " + std::string(word) + "()";
    }
  }
  return {};
}

std::string NeverWaits::word_that_waits(const KernelCode& code) const {
  const Tokens& tokens = code.tokens();
  for (uint32_t t = code.begin(); t < code.end(); ++t)
    if (tokens.is_identifier(t) && never_in_loops().count(tokens.spelling(t)) != 0)
      return "'" + std::string(tokens.spelling(t)) + "'";
  return {};
}

std::string NeverWaits::problem(const KernelCode& code) {
  if (!problem_of_all_.empty()) return problem_of_all_;
  const Tokens& tokens = code.tokens();
  for (uint32_t t = code.parameters_begin(); t < code.begin(); ++t)
    if (tokens.is_identifier(t) && tainted_classes_.count(tokens.spelling(t)) != 0)
      return "the class " + std::string(tokens.spelling(t));
  return problem_of_tokens(code.begin(), code.end(), &code);
}

}  // namespace cpu_device
