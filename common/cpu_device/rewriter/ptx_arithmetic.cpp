// PTX instructions that compute: arithmetic, bits, comparisons, conversions.
#include <map>
#include <utility>

#include "ptx_translator.h"

namespace cpu_device::ptx {

// add.rz.f32 and its like: the functions that CUDA has for them.
std::string Translator::real_arithmetic(const Instruction& it) {
  if (it.type.empty() || !is_real_type(it.type)) return {};
  static const std::map<std::string, std::pair<std::string, int>> kNames = {
      {"add", {"add", 2}}, {"sub", {"sub", 2}}, {"mul", {"mul", 2}},   {"div", {"div", 2}},
      {"fma", {"fma", 3}}, {"mad", {"fma", 3}}, {"sqrt", {"sqrt", 1}}, {"rcp", {"rcp", 1}}};
  const auto found = kNames.find(it.name);
  if (found == kNames.end()) return {};
  const int count = found->second.second;
  expect(it, count + 1, count + 1);
  const bool is_fma = found->second.first == "fma", is_float = it.type == "f32";
  std::string call = is_fma ? (is_float ? "::__fmaf" : "::__fma")
                            : (is_float ? "::__f" : "::__d") + found->second.first;
  call += "_" + rounding(it) + "(";
  for (int i = 1; i <= count; ++i) call += (i > 1 ? ", " : "") + arg(it, i);
  call += ")";
  if (it.has("sat")) call = "::__saturatef(" + call + ")";
  return put(it.operands[0], it.type, call);
}

std::string Translator::integer_arithmetic(const Instruction& it) {
  if (it.has("sat") && it.type == "s32" && is_among(it.name, {"add", "sub"})) {
    expect(it, 3, 3);
    const std::string sum = "::int64_t{" + arg(it, 1) + "} " + (it.name == "add" ? "+ " : "- ") + "::int64_t{" + arg(it, 2) + "}";
    return put(it.operands[0], it.type, kPtx + "saturated(" + sum + ")");
  }
  if (it.type.empty() || is_real_type(it.type) || it.has("sat")) return {};
  const std::string full = "<" + kPtx + it.type + ">(";
  static const std::map<std::string, std::pair<std::string, size_t>> kNames = {
      {"div", {"divide", 2}},
      {"rem", {"remainder", 2}},
      {"abs", {"absolute", 1}},
      {"sad", {"sad", 3}}};
  const auto found = kNames.find(it.name);
  if (found != kNames.end()) {
    expect(it, found->second.second + 1, found->second.second + 1);
    std::string call = kPtx + found->second.first + full + arg(it, 1);
    for (size_t i = 2; i < it.operands.size(); ++i) call += ", " + arg(it, i);
    return put(it.operands[0], it.type, call + ")");
  }
  const auto sum = [&](const std::string& function, const std::string& a, const std::string& b,
                       bool with) {
    if (!with && !it.has("cc")) return kPtx + function + full + a + ", " + b + ")";
    return kPtx + function + "_carry" + full + a + ", " + b + (with ? ", true" : ", false") +
           (it.has("cc") ? ", true)" : ", false)");
  };
  if (is_among(it.name, {"add", "addc", "sub", "subc"})) {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               sum(it.name.substr(0, 3), arg(it, 1), arg(it, 2), it.name.size() > 3));
  }
  if (it.name == "neg") {
    expect(it, 2, 2);
    return put(it.operands[0], it.type, kPtx + "sub" + full + "0, " + arg(it, 1) + ")");
  }
  const bool is_mad = is_among(it.name, {"mad", "madc", "mad24"});
  if (!is_mad && !is_among(it.name, {"mul", "mul24"})) return {};
  expect(it, is_mad ? 4 : 3, is_mad ? 4 : 3);
  const bool is_24 = it.name.back() == '4', wide = it.has("wide");
  if (!is_24 && !wide && !it.has("lo") && !it.has("hi")) return {};
  const std::string product = is_24          ? (it.has("hi") ? "mul24_hi" : "mul24")
                              : wide         ? "mul_wide"
                              : it.has("hi") ? "mul_hi"
                                             : "mul_lo";
  const std::string value = kPtx + product + full + arg(it, 1) + ", " + arg(it, 2) + ")";
  std::string type = it.type;
  if (wide) type = type.substr(0, 1) + std::to_string(16 * bytes_of(type));
  if (!is_mad) return put(it.operands[0], type, value);
  if (wide)
    return put(it.operands[0], type,
               kPtx + "add<" + kPtx + type + ">(" + value + ", " + get(it.operands[3], type) + ")");
  return put(it.operands[0], type, sum("add", value, arg(it, 3), it.name == "madc"));
}

// vabsdiff4 and its like: on all bytes or half words of a register, in their order.
std::string Translator::video(const Instruction& it) {
  static const std::map<std::string, std::string> kNames = {
      {"vadd", "add"},         {"vsub", "sub"}, {"vavrg", "average"},
      {"vabsdiff", "absdiff"}, {"vmin", "min"}, {"vmax", "max"}};
  if (it.name.size() < 2) return {};
  const char parts = it.name.back();
  const auto found = kNames.find(it.name.substr(0, it.name.size() - 1));
  if (found == kNames.end() || (parts != '2' && parts != '4') || it.modifiers.size() < 3) return {};
  for (size_t i = 0; i < 3; ++i)
    if (!is_among(it.modifiers[i], {"u32", "s32"})) return {};
  expect(it, 4, 4);
  for (const std::string& operand : it.operands)
    if (operand.find('.') != std::string::npos) return {};  // a choice of bytes
  std::string call = kPtx + "video<" + (parts == '4' ? "8" : "16");
  for (size_t i = 0; i < 3; ++i) call += ", " + kPtx + it.modifiers[i];
  call += ">(" + kPtx + "Video::" + found->second + (it.has("sat") ? ", true" : ", false") +
          (it.has("add") ? ", true" : ", false");
  for (int i = 1; i <= 3; ++i) call += ", " + get(it.operands[static_cast<size_t>(i)], "u32");
  return put(it.operands[0], "u32", call + ")");
}

std::string Translator::bits(const Instruction& it) {
  if (it.type.empty()) return {};
  const std::string full = "<" + kPtx + it.type + ">(";
  static const std::map<std::string, std::string> kOperators = {
      {"and", "&"}, {"or", "|"}, {"xor", "^"}};
  const auto found = kOperators.find(it.name);
  if (found != kOperators.end()) {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               "static_cast" + full + arg(it, 1) + " " + found->second + " " + arg(it, 2) + ")");
  }
  if (it.name == "not") {
    expect(it, 2, 2);
    return put(it.operands[0], it.type,
               "static_cast" + full + (it.type == "pred" ? "!" : "~") + arg(it, 1) + ")");
  }
  if (it.name == "cnot") {
    expect(it, 2, 2);
    return put(it.operands[0], it.type, arg(it, 1) + " == 0");
  }
  if (it.name == "shl" || it.name == "shr") {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               kPtx + it.name + full + arg(it, 1) + ", " + get(it.operands[2], "u32") + ")");
  }
  if (it.name == "shf") {
    expect(it, 4, 4);
    const std::string call = std::string("::__funnelshift_") + (it.has("l") ? "l" : "r") +
                             (it.has("clamp") ? "c(" : "(");
    return put(it.operands[0], it.type,
               call + arg(it, 1) + ", " + arg(it, 2) + ", " + arg(it, 3) + ")");
  }
  if (it.name == "popc" || it.name == "clz" || it.name == "bfind") {
    expect(it, 2, 2);
    if (it.has("shiftamt")) return {};
    const std::string unsigned_type = kPtx + "u" + it.type.substr(1);
    const std::string value =
        get(it.operands[1], it.name == "bfind" ? it.type : "u" + it.type.substr(1));
    return put(it.operands[0], "u32",
               it.name == "popc"  ? "__builtin_popcountll(" + value + ")"
               : it.name == "clz" ? kPtx + "clz<" + unsigned_type + ">(" + value + ")"
                                  : kPtx + "bfind" + full + value + ")");
  }
  if (it.name == "brev") {
    expect(it, 2, 2);
    return put(it.operands[0], it.type, kPtx + "brev" + full + arg(it, 1) + ")");
  }
  if (it.name == "bfe") {
    expect(it, 4, 4);
    return put(it.operands[0], it.type,
               kPtx + "bfe" + full + arg(it, 1) + ", " + get(it.operands[2], "u32") + ", " +
                   get(it.operands[3], "u32") + ")");
  }
  if (it.name == "bfi") {
    expect(it, 5, 5);
    return put(it.operands[0], it.type,
               kPtx + "bfi" + full + arg(it, 1) + ", " + arg(it, 2) + ", " +
                   get(it.operands[3], "u32") + ", " + get(it.operands[4], "u32") + ")");
  }
  if ((it.name == "lop3" && it.operands.size() == 5 && !it.has("or") && !it.has("and")) ||
      (it.name == "prmt" && it.operands.size() == 4 && it.modifiers.size() == 1)) {
    std::string call = kPtx + it.name + "(" + arg(it, 1);
    for (size_t i = 2; i < it.operands.size(); ++i) call += ", " + arg(it, i);
    return put(it.operands[0], it.type, call + ")");
  }
  if (it.name == "dp4a") {
    expect(it, 4, 4);
    if (!it.has("u32") == !it.has("s32")) return {};  // one of each
    return put(it.operands[0], it.type,
               "::__dp4a(" + arg(it, 1) + ", " + arg(it, 2) + ", " + arg(it, 3) + ")");
  }
  return {};
}

// Functions of real numbers, and what chooses.
std::string Translator::function(const Instruction& it) {
  if (it.type.empty()) return {};
  const bool is_float = it.type == "f32";
  const std::string suffix = is_float ? "f(" : "(";
  if (it.name == "min" || it.name == "max") {
    expect(it, 3, 3);
    if (!it.has("NaN") && is_real_type(it.type))
      return put(it.operands[0], it.type,
                 "::f" + it.name + suffix + arg(it, 1) + ", " + arg(it, 2) + ")");
    if (is_real_type(it.type)) return {};
    return put(it.operands[0], it.type,
               arg(it, 2) + (it.name == "min" ? " < " : " > ") + arg(it, 1) + " ? " + arg(it, 2) +
                   " : " + arg(it, 1));
  }
  if (it.name == "selp") {
    expect(it, 4, 4);
    return put(it.operands[0], it.type,
               get(it.operands[3], "pred") + " ? " + arg(it, 1) + " : " + arg(it, 2));
  }
  if (it.name == "slct") {
    expect(it, 4, 4);
    const std::string type = it.modifiers.size() > 1 ? it.modifiers[it.modifiers.size() - 2] : "";
    if (!is_type(type)) return {};
    return put(it.operands[0], type,
               get(it.operands[3], it.type) + " >= 0 ? " + get(it.operands[1], type) + " : " +
                   get(it.operands[2], type));
  }
  if (!is_real_type(it.type)) return {};
  static const std::map<std::string, std::string> kNames = {
      {"rsqrt", "rsqrt"}, {"ex2", "exp2"},  {"lg2", "log2"}, {"sin", "sin"},
      {"cos", "cos"},     {"tanh", "tanh"}, {"abs", "fabs"}};
  const auto found = kNames.find(it.name);
  if (found != kNames.end()) {
    expect(it, 2, 2);
    return put(it.operands[0], it.type, "::" + found->second + suffix + arg(it, 1) + ")");
  }
  if (it.name == "neg") {
    expect(it, 2, 2);
    return put(it.operands[0], it.type, "-" + arg(it, 1));
  }
  if (it.name == "copysign") {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               "__builtin_copysign" + suffix + arg(it, 2) + ", " + arg(it, 1) + ")");
  }
  if (it.name == "testp") {
    expect(it, 2, 2);
    static const std::map<std::string, std::string> kTests = {{"finite", "__builtin_isfinite("},
                                                              {"infinite", "__builtin_isinf("},
                                                              {"notanumber", "__builtin_isnan("},
                                                              {"number", "!__builtin_isnan("}};
    const auto test = kTests.find(it.modifiers[0]);
    if (it.modifiers[0] == "normal")  // for which PTX counts zeros
      return put(it.operands[0], "pred", "(__builtin_isnormal(" + arg(it, 1) + ") || " + arg(it, 1) + " == 0)");
    if (it.modifiers[0] == "subnormal")
      return put(it.operands[0], "pred", "__builtin_fpclassify(0, 0, 0, 1, 0, " + arg(it, 1) + ")");
    if (test == kTests.end()) return {};
    return put(it.operands[0], "pred", test->second + arg(it, 1) + ")");
  }
  return {};
}

std::string Translator::comparison(const std::string& how, const std::string& type,
                                   const std::string& a, const std::string& b) {
  static const std::map<std::string, std::string> kOperators = {
      {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
      {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
  const std::string x = get(a, type), y = get(b, type);
  const auto found = kOperators.find(how);
  if (found != kOperators.end()) {
    // An ordered "not equal" is false for what is not a number.
    if (how == "ne" && is_real_type(type))
      return "(" + x + " < " + y + " || " + x + " > " + y + ")";
    return "(" + x + " " + found->second + " " + y + ")";
  }
  static const std::map<std::string, std::string> kUnordered = {
      {"equ", "ne"}, {"neu", "eq"}, {"ltu", "ge"}, {"leu", "gt"}, {"gtu", "le"}, {"geu", "lt"}};
  const auto opposite = kUnordered.find(how);
  if (opposite != kUnordered.end()) return "!" + comparison(opposite->second, type, a, b);
  const std::string is_nan = "(__builtin_isnan(" + x + ") || __builtin_isnan(" + y + "))";
  return how == "nan" ? is_nan : how == "num" ? "!" + is_nan : "";
}

// setp.lt.s32 p, a, b;  setp.lt.and.s32 p, a, b, q;  set.lt.u32.f32 d, a, b
std::string Translator::compare(const Instruction& it) {
  const bool is_setp = it.name == "setp";
  if ((!is_setp && it.name != "set") || it.modifiers.empty() || it.type.empty()) return {};
  const bool combined = it.has("and") || it.has("or") || it.has("xor");
  expect(it, combined ? 4 : 3, combined ? 4 : 3);
  std::string value = comparison(it.modifiers[0], it.type, it.operands[1], it.operands[2]);
  if (value.empty()) return {};
  const auto with = [&](const std::string& one) {
    if (!combined) return one;
    const char* sign = it.has("and") ? " && " : it.has("or") ? " || " : " != ";
    return "(" + one + sign + get(it.operands[3], "pred") + ")";
  };
  if (is_setp) {
    const Words targets = split(it.operands[0], '|');
    std::string text = "{ const bool ptx_it = " + value + "; ";
    if (targets.size() > 1) text += put(targets[1], "pred", with("!ptx_it"));
    return text + put(targets[0], "pred", with("ptx_it")) + "} ";
  }
  const std::string type = it.modifiers.size() > 2 ? it.modifiers[it.modifiers.size() - 2] : "";
  if (!is_type(type)) return {};
  const std::string one = is_real_type(type) ? "1.0f" : "~" + kPtx + type + "(0)";
  return put(it.operands[0], type, with(value) + " ? " + one + " : " + kPtx + type + "(0)");
}

std::string Translator::convert(const Instruction& it) {
  if (it.name == "cvta") {
    expect(it, 2, 2);
    return put(it.operands[0], "u64", get(it.operands[1], "u64"));
  }
  if (it.name != "cvt" || it.modifiers.size() < 2) return {};
  const std::string to = it.modifiers[it.modifiers.size() - 2], from = it.modifiers.back();
  if (!is_type(to) || !is_type(from)) return {};
  expect(it, 2, 2);
  const bool to_integer_value = it.has("rni") || it.has("rzi") || it.has("rmi") || it.has("rpi");
  const std::string how = kPtx + (it.has("rni")   ? "nearest"
                                  : it.has("rmi") ? "down"
                                  : it.has("rpi") ? "up"
                                                  : "to_zero");
  std::string value = get(it.operands[1], from);
  const bool direct = !it.has("rn") && (it.has("rz") || it.has("rm") || it.has("rp"));
  if (direct && from == "f64" && to == "f32")
    value = "::__double2float_" + rounding(it) + "(" + value + ")";
  else if (direct)
    return {};
  if (to_integer_value && is_real_type(to)) value = kPtx + "to_whole(" + value + ", " + how + ")";
  return put(it.operands[0], to,
             kPtx + "convert<" + kPtx + to + ">(" + value + ", " + how +
                 (it.has("sat") ? ", true)" : ", false)"));
}

// fma.rn.f16x2 d, a, b, c and its like.
std::string Translator::half(const Instruction& it) {
  if (it.modifiers.empty() || it.name == "cvt") return {};
  const std::string& type = it.modifiers.back();
  if (!is_among(type, {"f16", "f16x2", "bf16", "bf16x2"})) return {};
  for (const std::string& modifier : it.modifiers)
    if (!is_among(modifier, {"rn", "ftz", "approx", type})) return {};
  static const std::map<std::string, size_t> kNames = {{"add", 2}, {"sub", 2}, {"mul", 2}, {"fma", 3}, {"neg", 1},
                                                       {"abs", 1}, {"min", 2}, {"max", 2}, {"ex2", 1}, {"tanh", 1}};
  const auto found = kNames.find(it.name);
  if (found == kNames.end()) return {};
  const size_t count = found->second;
  expect(it, count + 1, count + 1);
  const bool pair = type.back() == '2';
  const std::string word = pair ? "b32" : "b16";
  std::string call = kPtx + "each_half<" + kPtx + (type[0] == 'b' ? "bfloat_format" : "half_format") +
                     (pair ? ", 2>(" : ", 1>(");
  for (size_t i = 1; i <= 3; ++i) call += (i <= count ? get(it.operands[i], word) : "0") + ", ";
  return put(it.operands[0], word, "static_cast<" + kPtx + word + ">(" + call + kPtx + "half_" + it.name + "))");
}

// cvt.rn.f16.f32 d, a; cvt.rn.bf16x2.f32 d, high, low; cvt.f32.f16 d, a
std::string Translator::half_conversion(const Instruction& it) {
  if (it.name != "cvt" || it.modifiers.size() < 2) return {};
  const std::string to = it.modifiers[it.modifiers.size() - 2], from = it.modifiers.back();
  const auto format = [](const std::string& type) {
    return kPtx + (type[0] == 'b' ? "bfloat_format" : "half_format");
  };
  for (size_t i = 0; i + 2 < it.modifiers.size(); ++i)
    if (!is_among(it.modifiers[i], {"rn", "rz", "relu", "ftz"})) return {};
  if (is_among(from, {"f16", "bf16"}) && is_among(to, {"f32", "f64"})) {
    expect(it, 2, 2);
    return put(it.operands[0], to,
               "static_cast<" + kPtx + to + ">(" + kPtx + "widen<" + format(from) + ">(" + get(it.operands[1], "b16") +
                   "))");
  }
  if (from != "f32" || !is_among(to, {"f16", "bf16", "f16x2", "bf16x2"})) return {};
  const bool pair = to.back() == '2';
  expect(it, pair ? 3 : 2, pair ? 3 : 2);
  const auto narrow = [&](size_t i) {
    return kPtx + "narrow_float<" + format(to) + ">(" + get(it.operands[i], "f32") +
           (it.has("rz") ? ", true" : ", false") + (it.has("relu") ? ", true)" : ", false)");
  };
  if (!pair) return put(it.operands[0], "b16", narrow(1));
  return put(it.operands[0], "b32",
             "static_cast<" + kPtx + "b32>(" + narrow(1) + ") << 16 | static_cast<" + kPtx + "b32>(" + narrow(2) + ")");
}

}  // namespace cpu_device::ptx
