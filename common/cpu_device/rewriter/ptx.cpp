#include "ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

namespace cpu_device {
namespace {

const std::string kPtx = "::cpu_device::ptx::";

using Words = std::vector<std::string>;

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool is_type(std::string_view word) {
  return is_among(word, {"pred", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "b8", "b16",
                         "b32", "b64", "f32", "f64"});
}
bool is_real_type(const std::string& type) { return type[0] == 'f'; }
int bytes_of(const std::string& type) { return type == "pred" ? 1 : std::stoi(type.substr(1)) / 8; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return std::string(text);
}

// Parts at `separator`, but not inside brackets.
Words split(std::string_view text, char separator) {
  Words parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '{' || text[i] == '[' || text[i] == '(') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']' || text[i] == ')') {
      --depth;
    }
  }
  return parts;
}

// What an instruction does that cannot be done here: thrown inside, never leaves this file.
struct Unsupported {
  std::string why;
};

class Translator {
 public:
  Translator(std::string_view code, const std::vector<PtxOperand>& operands, bool in_kernel)
      : code_(without_comments(code)), operands_(operands), in_kernel_(in_kernel) {}

  PtxResult run();

 private:
  // `mad.lo.s32 d, a, b, c`
  struct Instruction {
    std::string opcode, name;  // name: up to the first point
    Words modifiers;
    std::string type;  // the last one
    Words operands;
    bool has(std::string_view modifier) const { return contains(modifiers, modifier); }
  };

  static std::string without_comments(std::string_view code);
  void declare_operands();
  // The length of a label with its colon that begins here, or 0.
  size_t label_at(size_t at) const;
  void declare_labels();
  static std::string label(std::string_view name);
  void statement(const std::string& text);
  void declare_registers(const std::string& text);
  void instruction(const std::string& text);

  std::string real_arithmetic(const Instruction& it);
  std::string integer_arithmetic(const Instruction& it);
  std::string video(const Instruction& it);
  std::string bits(const Instruction& it);
  std::string function(const Instruction& it);
  std::string comparison(const std::string& how, const std::string& type, const std::string& a,
                         const std::string& b);
  std::string compare(const Instruction& it);
  std::string convert(const Instruction& it);
  std::string move(const Instruction& it);
  std::string load_store(const Instruction& it);
  std::string atomic(const Instruction& it);
  std::string warp(const Instruction& it);
  std::string load_matrices(const Instruction& it);
  std::string multiply_matrices(const Instruction& it);
  std::string block(const Instruction& it);
  std::string copy_async(const Instruction& it);
  std::string copy_bulk(const Instruction& it);
  std::string mbarrier(const Instruction& it);
  std::string cluster(const Instruction& it);
  std::string half(const Instruction& it);
  std::string half_conversion(const Instruction& it);

  static std::string rounding(const Instruction& it);
  static int scope(const Instruction& it);
  static void expect(const Instruction& it, size_t least, size_t most);
  std::string variable(const std::string& name) const;
  std::string get(std::string operand, const std::string& type) const;
  std::string put(const std::string& operand, const std::string& type,
                  const std::string& value) const;
  std::string address(std::string operand, bool is_shared) const;
  static std::string special(const std::string& name);
  // The value of operand `i` as the instruction's type.
  std::string arg(const Instruction& it, size_t i) const { return get(it.operands[i], it.type); }

  const std::string code_;
  const std::vector<PtxOperand>& operands_;
  const bool in_kernel_;
  std::string text_, after_;
  std::vector<std::set<std::string>> registers_{{}};  // of each open brace
  std::set<std::string> labels_;                      // as C++ has them
};

std::string Translator::without_comments(std::string_view code) {
  std::string result(code);  // Of the same length, so that places in it stay.
  for (size_t i = 0; i + 1 < result.size(); ++i) {
    if (result[i] != '/' || (result[i + 1] != '/' && result[i + 1] != '*')) continue;
    const bool line = result[i + 1] == '/';
    const size_t found = result.find(line ? "\n" : "*/", i + 2);
    const size_t end = found == result.npos ? result.size() : found + (line ? 0 : 2);
    for (; i < end; ++i) result[i] = ' ';
  }
  return result;
}

void Translator::declare_operands() {
  static const std::map<char, std::string> kTypes = {{'b', "pred"}, {'h', "u16"}, {'r', "u32"},
                                                     {'l', "u64"},  {'f', "f32"}, {'d', "f64"}};
  for (size_t i = 0; i < operands_.size(); ++i) {
    const std::string& constraint = operands_[i].constraint;
    const char letter = constraint.empty() ? ' ' : constraint.back();
    const bool is_output = constraint[0] == '=' || constraint[0] == '+';
    const auto found = kTypes.find(letter == 'n' ? 'l' : letter);
    if (found == kTypes.end()) throw Unsupported{"the constraint \"" + constraint + "\""};
    const std::string name = "ptx_" + std::to_string(i), &type = found->second;
    const std::string& value = operands_[i].expression;
    text_ += "[[maybe_unused]] " + kPtx + "u64 " + name + " = " +
             (constraint[0] == '=' ? "0" : kPtx + "input<" + kPtx + type + ">(" + value + ")") +
             "; ";
    if (is_output) after_ += kPtx + "output<" + kPtx + type + ">(" + value + ", " + name + "); ";
  }
}

// `%=` in a name is a number that the assembler makes its own; here each block has its own labels.
std::string Translator::label(std::string_view name) {
  std::string result = "ptx_label_";
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

size_t Translator::label_at(size_t at) const {
  size_t end = at;
  while (end < code_.size() &&
         (std::isalnum(static_cast<unsigned char>(code_[end])) ||
          std::string_view("_$%=").find(code_[end]) != std::string_view::npos))
    ++end;
  while (end > at && end < code_.size() && std::isspace(static_cast<unsigned char>(code_[end])))
    ++end;
  const bool is_label = end > at && end < code_.size() && code_[end] == ':' &&
                        (end + 1 == code_.size() || code_[end + 1] != ':');
  return is_label ? end + 1 - at : 0;
}

// Local ones (g++ and clang++ have them), since the text may stand in a function more than once.
void Translator::declare_labels() {
  bool begins = true;  // a statement
  for (size_t at = 0; at < code_.size(); ++at) {
    const size_t length = begins ? label_at(at) : 0;
    if (length > 0) {
      std::string name = trimmed(std::string_view(code_).substr(at, length - 1));
      if (labels_.insert(label(name)).second) text_ += "__label__ " + label(name) + "; ";
      at += length - 1;
    } else if (!std::isspace(static_cast<unsigned char>(code_[at]))) {
      begins = std::string_view(";{}").find(code_[at]) != std::string_view::npos;
    }
  }
}

PtxResult Translator::run() {
  PtxResult result;
  size_t at = 0;
  try {
    text_ = "do { ";
    declare_labels();
    declare_operands();
    while (at < code_.size()) {
      const char c = code_[at];
      if (std::isspace(static_cast<unsigned char>(c)) || c == ';') {
        ++at;
      } else if (c == '{') {
        text_ += "{ ";
        registers_.emplace_back();
        ++at;
      } else if (c == '}') {
        if (registers_.size() == 1) throw Unsupported{"a '}' without its '{'"};
        text_ += "} ";
        registers_.pop_back();
        ++at;
      } else if (const size_t length = label_at(at); length > 0) {
        text_ += label(trimmed(std::string_view(code_).substr(at, length - 1))) + ":; ";
        at += length;
      } else {
        const size_t end = std::min(code_.find(';', at), code_.size());
        statement(trimmed(std::string_view(code_).substr(at, end - at)));
        at = end;
      }
    }
    if (registers_.size() != 1) throw Unsupported{"a '{' without its '}'"};
    result.text = text_ + after_ + "} while (false)";
  } catch (const Unsupported& what) {
    result.error = what.why;
    result.error_at = at;
  }
  return result;
}

void Translator::statement(const std::string& text) {
  if (text.compare(0, 4, ".reg") == 0) return declare_registers(text.substr(4));
  if (text[0] != '@') return instruction(text);
  const size_t end = text.find_first_of(" \t\n");
  if (end == text.npos) throw Unsupported{"'" + text + "'"};
  text_ += "if (" + get(text.substr(1, end - 1), "pred") + ") { ";
  instruction(trimmed(std::string_view(text).substr(end)));
  text_ += "} ";
}

// `.pred p, q` or `.b32 r<4>`, which are r0 to r3.
void Translator::declare_registers(const std::string& text) {
  const std::string list = trimmed(text);
  const size_t end = list.find_first_of(" \t\n");
  if (list[0] != '.' || end == list.npos || !is_type(list.substr(1, end - 1)))
    throw Unsupported{"'.reg " + list + "'"};
  for (const std::string& name : split(std::string_view(list).substr(end), ',')) {
    const size_t angle = name.find('<');
    Words names = {name};
    if (angle != name.npos) {
      names.clear();
      const int count = std::min(std::atoi(name.c_str() + angle + 1), 256);
      for (int i = 0; i < count; ++i) names.push_back(name.substr(0, angle) + std::to_string(i));
    }
    for (const std::string& one : names) {
      registers_.back().insert(one);
      // Not initialized, but set: a branch may leave it out.
      text_ +=
          "[[maybe_unused]] " + kPtx + "u64 " + variable(one) + "; " + variable(one) + " = 0; ";
    }
  }
}

// ---- operands
// ------------------------------------------------------------------------------------

// The C++ variable of a register, or of an operand %0.
std::string Translator::variable(const std::string& name) const {
  const size_t digit = name[0] == '%' ? name.find_first_not_of("0123456789", 1) : 0;
  if (name.size() > 1 && digit == name.npos) {
    const size_t number = static_cast<size_t>(std::atoi(name.c_str() + 1));
    if (number >= operands_.size())
      throw Unsupported{"'" + name + "', which is none of the operands,"};
    return "ptx_" + std::to_string(number);
  }
  const bool known = std::any_of(registers_.begin(), registers_.end(),
                                 [&](const auto& names) { return names.count(name) != 0; });
  if (!known) throw Unsupported{"'" + name + "'"};
  std::string result = "ptx_";
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result + "_r";
}

std::string Translator::special(const std::string& name) {
  static const std::map<std::string, std::string> kNames = {
      {"%laneid", "::cpu_device::lane()"},
      {"%warpid", "(::cpu_device::ptx::thread_in_block() / 32)"},
      {"%nwarpid", "64"},
      {"%smid", "::cpu_device::multiprocessor()"},
      {"%nsmid", "::cpu_device::multiprocessors()"},
      {"%gridid", "1"},
      {"%clock", "::clock64()"},
      {"%clock64", "::clock64()"},
      {"%clock_hi", "(::clock64() >> 32)"},
      {"%globaltimer", "::cpu_device::global_timer()"},
      {"%globaltimer_lo", "::cpu_device::global_timer()"},
      {"%globaltimer_hi", "(::cpu_device::global_timer() >> 32)"},
      {"%lanemask_eq", "(1u << ::cpu_device::lane())"},
      {"%lanemask_lt", "((1u << ::cpu_device::lane()) - 1)"},
      {"%lanemask_le", "((2u << ::cpu_device::lane()) - 1)"},
      {"%lanemask_ge", "~((1u << ::cpu_device::lane()) - 1)"},
      {"%lanemask_gt", "~((2u << ::cpu_device::lane()) - 1)"},
      {"%cluster_ctarank", "::cpu_device::ptx::rank_in_cluster()"},
      {"%cluster_nctarank", "::cpu_device::ptx::blocks_in_cluster()"},
      {"%is_explicit_cluster", "(::cpu_device::ptx::blocks_in_cluster() > 1)"},
      {"WARP_SZ", "32"},
  };
  const auto found = kNames.find(name);
  if (found != kNames.end()) return found->second;
  static const std::map<std::string, std::string> kIndices = {{"%tid", "::threadIdx"},
                                                              {"%ntid", "::blockDim"},
                                                              {"%ctaid", "::blockIdx"},
                                                              {"%nctaid", "::gridDim"},
                                                              {"%clusterid", kPtx + "cluster_index()"},
                                                              {"%nclusterid", kPtx + "clusters_in_grid()"},
                                                              {"%cluster_ctaid", kPtx + "block_in_cluster()"},
                                                              {"%cluster_nctaid", "::cpu_device::cluster_size()"}};
  const size_t point = name.find('.');
  if (point == name.npos || point + 2 != name.size()) return {};
  const auto index = kIndices.find(name.substr(0, point));
  if (index == kIndices.end() || name[point + 1] < 'x' || name[point + 1] > 'z') return {};
  return index->second + name.substr(point);
}

std::string Translator::get(std::string operand, const std::string& type) const {
  const std::string full = kPtx + type;
  if (operand.empty()) throw Unsupported{"an operand is missing"};
  if (operand[0] == '!') return "!" + get(trimmed(operand.substr(1)), "pred");
  const std::string known = special(operand);
  if (!known.empty()) return "static_cast<" + full + ">(" + known + ")";
  const char digit = operand[operand[0] == '-' ? 1 : 0];
  if (!std::isdigit(static_cast<unsigned char>(digit)))
    return kPtx + "as<" + full + ">(" + variable(operand) + ")";
  while (operand.back() == 'U') operand.pop_back();
  if (operand.find_first_not_of("-0123456789abcdefxABCDEFXU.+") != operand.npos &&
      !(operand[0] == '0' && std::strchr("fFdD", operand[1])))
    throw Unsupported{"'" + operand + "'"};
  if (operand.size() == 10 && (operand[1] == 'f' || operand[1] == 'F'))
    return kPtx + "as<" + full + ">(0x" + operand.substr(2) + "ull)";
  if (operand.size() == 18 && (operand[1] == 'd' || operand[1] == 'D'))
    return kPtx + "as<" + full + ">(0x" + operand.substr(2) + "ull)";
  if (is_real_type(type)) return "static_cast<" + full + ">(" + operand + ")";
  return kPtx + "as<" + full + ">(static_cast<" + kPtx + "u64>(" + operand + "ll))";
}

std::string Translator::put(const std::string& operand, const std::string& type,
                            const std::string& value) const {
  if (operand == "_") return "static_cast<void>(" + value + "); ";
  return variable(operand) + " = " + kPtx + "bits<" + kPtx + type + ">(" + value + "); ";
}

// `[%0 + 16]`
std::string Translator::address(std::string operand, bool is_shared) const {
  if (operand.size() < 3 || operand.front() != '[' || operand.back() != ']')
    throw Unsupported{"'" + operand + "' is no address"};
  operand = operand.substr(1, operand.size() - 2);
  std::string sum;
  for (const std::string& part : split(operand, '+'))
    sum += (sum.empty() ? "" : " + ") + get(part, "u64");
  return is_shared ? kPtx + "shared_address(" + sum + ")" : "(" + sum + ")";
}

void Translator::expect(const Instruction& it, size_t least, size_t most) {
  if (it.operands.size() < least || it.operands.size() > most)
    throw Unsupported{"'" + it.opcode + "' with " + std::to_string(it.operands.size()) +
                      " operands"};
}

// "rn", "rz", "rd" or "ru", as CUDA's functions spell it.
std::string Translator::rounding(const Instruction& it) {
  return it.has("rz") ? "rz" : it.has("rm") ? "rd" : it.has("rp") ? "ru" : "rn";
}

int Translator::scope(const Instruction& it) {
  if (it.has("cta")) return 1;
  return it.has("sys") ? 3 : 2;
}

// ---- instructions
// --------------------------------------------------------------------------------

void Translator::instruction(const std::string& text) {
  Instruction it;
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  it.opcode = text.substr(0, end);
  it.modifiers = split(it.opcode, '.');
  it.name = it.modifiers[0];
  it.modifiers.erase(it.modifiers.begin());
  for (const std::string& modifier : it.modifiers)
    if (is_type(modifier)) it.type = modifier;
  const std::string operands = trimmed(std::string_view(text).substr(end));
  if (!operands.empty()) it.operands = split(operands, ',');

  static const std::vector<std::string (Translator::*)(const Instruction&)> kKinds = {
      &Translator::real_arithmetic,
      &Translator::integer_arithmetic,
      &Translator::video,
      &Translator::bits,
      &Translator::function,
      &Translator::compare,
      &Translator::convert,
      &Translator::move,
      &Translator::load_store,
      &Translator::atomic,
      &Translator::warp,
      &Translator::load_matrices,
      &Translator::multiply_matrices,
      &Translator::block,
      &Translator::copy_async,
      &Translator::copy_bulk,
      &Translator::mbarrier,
      &Translator::cluster,
      &Translator::half,
      &Translator::half_conversion};
  for (const auto kind : kKinds) {
    const std::string result = (this->*kind)(it);
    if (result.empty()) continue;
    text_ +=
        labels_.empty() ? result : "{ " + result + "} ";  // nothing that a branch would leave out
    return;
  }
  throw Unsupported{"'" + it.opcode + "'"};
}

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
                                                              {"number", "!__builtin_isnan("},
                                                              {"normal", "__builtin_isnormal("}};
    const auto test = kTests.find(it.modifiers[0]);
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

// mov.b64 d, {a, b};  mov.b64 {a, b}, d;  mov.u32 d, a
std::string Translator::move(const Instruction& it) {
  if (it.name != "mov" || it.type.empty()) return {};
  expect(it, 2, 2);
  const std::string &to = it.operands[0], &from = it.operands[1];
  const auto list = [](const std::string& text) {
    return text[0] == '{' ? split(std::string_view(text).substr(1, text.size() - 2), ',') : Words();
  };
  const Words parts = list(from), targets = list(to);
  if (parts.empty() && targets.empty()) return put(to, it.type, arg(it, 1));
  if (!parts.empty() && !targets.empty()) return {};
  const size_t count = std::max(parts.size(), targets.size());
  const int part_bits = 8 * bytes_of(it.type) / static_cast<int>(count);
  if (part_bits != 8 && part_bits != 16 && part_bits != 32) return {};
  const std::string part = "b" + std::to_string(part_bits);
  if (!parts.empty()) {
    std::string value;
    for (size_t i = 0; i < count; ++i)
      value +=
          (i > 0 ? " | " : "") + ("static_cast<" + kPtx + it.type + ">(" + get(parts[i], part) +
                                  ") << " + std::to_string(i * part_bits));
    return put(to, it.type, "static_cast<" + kPtx + it.type + ">(" + value + ")");
  }
  std::string text = "{ const " + kPtx + "u64 ptx_whole = " + arg(it, 1) + "; ";
  for (size_t i = 0; i < count; ++i)
    text +=
        put(targets[i], part,
            "static_cast<" + kPtx + part + ">(ptx_whole >> " + std::to_string(i * part_bits) + ")");
  return text + "} ";
}

// The accesses stand in the program's own line, where a checked run sees them.
std::string Translator::load_store(const Instruction& it) {
  const bool is_load = it.name == "ld" || it.name == "ldu";
  if (it.name == "prefetch" || it.name == "prefetchu") return "static_cast<void>(0); ";
  if ((!is_load && it.name != "st") || it.type.empty() || it.has("param")) return {};
  for (const std::string& modifier : it.modifiers)
    if (!is_among(modifier, {"global",  "shared",  "shared::cta", "local", "const", "volatile",
                             "relaxed", "acquire", "release",     "weak",  "cta",   "gpu",
                             "sys",     "ca",      "cg",          "cs",    "lu",    "cv",
                             "nc",      "wb",      "wt",          "v2",    "v4",    it.type}) &&
        modifier.compare(0, 4, "L1::") != 0 && modifier.compare(0, 4, "L2::") != 0)
      return {};
  expect(it, 2, 2);
  const std::string &where = it.operands[is_load ? 1 : 0], &what = it.operands[is_load ? 0 : 1];
  const bool is_volatile = it.has("volatile") || it.has("relaxed") || it.has("acquire") ||
                           it.has("release") || it.has("cv") || it.has("wt");
  const std::string fence = "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  const Words values =
      what[0] == '{' ? split(std::string_view(what).substr(1, what.size() - 2), ',') : Words{what};
  const size_t expected = it.has("v4") ? 4 : it.has("v2") ? 2 : 1;
  if (values.size() != expected) return {};
  std::string text = "{ const " + kPtx +
                     "u64 ptx_at = " + address(where, it.has("shared") || it.has("shared::cta")) +
                     "; ";
  if (it.has("release")) text += fence;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string element = std::string("*reinterpret_cast<") + (is_load ? "const " : "") +
                                (is_volatile ? "volatile " : "") + kPtx + it.type + "*>(ptx_at + " +
                                std::to_string(i * bytes_of(it.type)) + ")";
    text += is_load ? put(values[i], it.type, element)
                    : element + " = " + get(values[i], it.type) + "; ";
  }
  if (it.has("acquire")) text += fence;
  return text + "} ";
}

std::string Translator::atomic(const Instruction& it) {
  const bool is_red = it.name == "red";
  if ((!is_red && it.name != "atom") || it.type.empty()) return {};
  static const std::map<std::string, std::string> kNames = {
      {"add", "Add"}, {"min", "Min"},   {"max", "Max"}, {"and", "And"}, {"or", "Or"},
      {"xor", "Xor"}, {"exch", "Exch"}, {"cas", "CAS"}, {"inc", "Inc"}, {"dec", "Dec"}};
  static const std::map<std::string, std::string> kTypes = {
      {"u32", "unsigned int"}, {"b32", "unsigned int"},       {"s32", "int"},
      {"f32", "float"},        {"u64", "unsigned long long"}, {"b64", "unsigned long long"},
      {"f64", "double"}};
  const auto type = kTypes.find(it.type == "s64" && it.has("add") ? "u64" : it.type);
  std::string operation;
  for (const std::string& modifier : it.modifiers) {
    const auto found = kNames.find(modifier);
    if (found != kNames.end()) operation = found->second;
  }
  std::string pointer_type = type == kTypes.end() ? "" : type->second;
  if (it.type == "s64" && (it.has("min") || it.has("max"))) pointer_type = "long long";
  if (operation.empty() || pointer_type.empty() || it.has("v2") || it.has("v4")) return {};
  const size_t first = is_red ? 0 : 1, count = operation == "CAS" ? 2 : 1;
  expect(it, first + 1 + count, first + 1 + count);
  const std::string suffix = it.has("cta") ? "_block(" : it.has("sys") ? "_system(" : "(";
  std::string call = "::atomic" + operation + suffix + "reinterpret_cast<" + pointer_type + "*>(" +
                     address(it.operands[first], it.has("shared") || it.has("shared::cta")) + ")";
  for (size_t i = 1; i <= count; ++i)
    call += ", static_cast<" + pointer_type + ">(" + arg(it, first + i) + ")";
  call += ")";
  const std::string fence = "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  std::string text = it.has("release") || it.has("acq_rel") ? fence : "";
  text += is_red
              ? call + "; "
              : put(it.operands[0], it.type, "static_cast<" + kPtx + it.type + ">(" + call + ")");
  return text + (it.has("acquire") || it.has("acq_rel") ? fence : "");
}

std::string Translator::warp(const Instruction& it) {
  const std::string all = "0xffffffffu";
  const bool sync = it.has("sync");
  const auto mask = [&](size_t i) { return sync ? get(it.operands[i], "u32") : all; };
  if (it.name == "activemask") {
    expect(it, 1, 1);
    return put(it.operands[0], "u32", "::__activemask()");
  }
  if (it.modifiers.size() < 2) return {};
  if (it.name == "shfl") {
    expect(it, sync ? 5 : 4, sync ? 5 : 4);
    const std::string how = it.modifiers[sync ? 1 : 0];
    if (!is_among(how, {"idx", "up", "down", "bfly"}) || it.type.empty()) return {};
    const Words targets = split(it.operands[0], '|');
    std::string text = "{ bool ptx_inside; ";
    text += put(targets[0], it.type,
                kPtx + "shuffle_lane<" + kPtx + it.type + ">(" + arg(it, 1) + ", " +
                    get(it.operands[2], "u32") + ", " + get(it.operands[3], "u32") + ", " +
                    mask(4) + ", '" + how[0] + "', ptx_inside, ::cpu_device::Site::here())");
    if (targets.size() > 1) text += put(targets[1], "pred", "ptx_inside");
    return text + "} ";
  }
  if (it.name == "vote") {
    expect(it, sync ? 3 : 2, sync ? 3 : 2);
    const std::string how = it.modifiers[sync ? 1 : 0];
    if (!is_among(how, {"all", "any", "uni", "ballot"})) return {};
    return put(it.operands[0], how == "ballot" ? "u32" : "pred",
               "::__" + how + "_sync(" + mask(2) + ", " + get(it.operands[1], "pred") + ")");
  }
  if (it.name == "match" && sync && !it.type.empty()) {
    expect(it, 3, 3);
    if (!it.has("any")) return {};
    return put(it.operands[0], "u32", "::__match_any_sync(" + mask(2) + ", " + arg(it, 1) + ")");
  }
  if (it.name == "redux" && sync && is_among(it.type, {"u32", "s32", "b32"})) {
    expect(it, 3, 3);
    return put(it.operands[0], it.type,
               "::__reduce_" + it.modifiers[1] + "_sync(" + mask(2) + ", " + arg(it, 1) + ")");
  }
  if (it.name == "bar" && it.has("warp")) {
    expect(it, 1, 1);
    return "::__syncwarp(" + get(it.operands[0], "u32") + "); ";
  }
  return {};
}

// `{a, b}`, or a single one.
static Words elements_of(const std::string& operand) {
  if (operand.empty() || operand.front() != '{') return {operand};
  return split(std::string_view(operand).substr(1, operand.size() - 2), ',');
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d0, d1, d2, d3}, [a]
std::string Translator::load_matrices(const Instruction& it) {
  if (it.name != "ldmatrix" || !it.has("m8n8") || it.type != "b16") return {};
  expect(it, 2, 2);
  const Words into = elements_of(it.operands[0]);
  const size_t count = it.has("x4") ? 4 : it.has("x2") ? 2 : 1;
  if (into.size() != count) return {};
  std::string text = "{ " + kPtx + "u32 ptx_loaded[4]; " + kPtx + "load_matrices<" + std::to_string(count) + ">(" +
                     address(it.operands[1], true) + ", " + (it.has("trans") ? "true" : "false") +
                     ", ptx_loaded, ::cpu_device::Site::here()); ";
  for (size_t i = 0; i < count; ++i) text += put(into[i], "u32", "ptx_loaded[" + std::to_string(i) + "]");
  return text + "} ";
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d...}, {a...}, {b...}, {c...}
std::string Translator::multiply_matrices(const Instruction& it) {
  if (it.name != "mma" || it.modifiers.size() != 9) return {};
  const Words& m = it.modifiers;
  const bool narrow = m[5] == "f16" && m[8] == "f16";  // the sum
  if (!narrow && (m[5] != "f32" || m[8] != "f32")) return {};
  const std::string& kind = m[6];
  const bool deep = m[2] == (kind == "tf32" ? "m16n8k8" : "m16n8k16");
  if (!deep && m[2] != (kind == "tf32" ? "m16n8k4" : "m16n8k8")) return {};
  if (!is_among(kind, {"f16", "bf16", "tf32"}) || m[3] != "row" || m[4] != "col" || m[7] != kind) return {};
  if (narrow && kind != "f16") return {};
  expect(it, 4, 4);
  Words parts[4];
  const size_t sum_size = narrow ? 2 : 4;
  const size_t sizes[] = {sum_size, deep ? 4u : 2u, deep ? 2u : 1u, sum_size};
  const std::string sum_type = narrow ? "u32" : "f32";
  for (size_t i = 0; i < 4; ++i)
    if ((parts[i] = elements_of(it.operands[i])).size() != sizes[i]) return {};
  const auto list = [&](const Words& of, const std::string& type) {
    std::string values;
    for (const std::string& one : of) values += (values.empty() ? "" : ", ") + get(one, type);
    return "{" + values + "}";
  };
  std::string text = "{ const " + kPtx + "u32 ptx_a[] = " + list(parts[1], "u32") + ", ptx_b[] = " +
                     list(parts[2], "u32") + "; " + kPtx + sum_type + " ptx_sum[] = " + list(parts[3], sum_type) +
                     "; " + kPtx + "multiply_matrices" + (narrow ? "_half<" : "<") + std::to_string(sizes[2]) +
                     (narrow ? "" : ", " + kPtx + kind + "_pair") +
                     ">(ptx_a, ptx_b, ptx_sum, ::cpu_device::Site::here()); ";
  for (size_t i = 0; i < sum_size; ++i) text += put(parts[0][i], sum_type, "ptx_sum[" + std::to_string(i) + "]");
  return text + "} ";
}

std::string Translator::block(const Instruction& it) {
  if (it.name == "bar" || it.name == "barrier") {
    if (it.has("cluster")) return {};
    const bool is_reduction = it.has("red");
    const size_t number = is_reduction ? 1 : 0;
    if (!is_reduction && !it.has("sync") && !it.has("arrive")) return {};
    expect(it, number + 1, is_reduction ? 3 : 2);
    if (!is_reduction) {
      const bool waits = it.has("sync");
      if (waits && it.operands[0] == "0" && it.operands.size() == 1) return "::__syncthreads(); ";
      return "::cpu_device::part_barrier(" + get(it.operands[0], "u32") + ", " +
             (it.operands.size() > 1 ? get(it.operands[1], "u32") : "0") + (waits ? ", true" : ", false") +
             ", ::cpu_device::Site::here()); ";
    }
    if (it.operands[number] != "0" || it.operands.size() != 3u)
      throw Unsupported{"'" + it.opcode + "' of a barrier other than 0, or of part of the block,"};
    const std::string how = it.has("popc") ? "count" : it.has("and") ? "and" : "or";
    return put(it.operands[0], how == "count" ? "u32" : "pred",
               "::__syncthreads_" + how + "(" + get(it.operands[2], "pred") + ")");
  }
  if (it.name == "membar" || it.name == "fence")
    return "::cpu_device::fence(" + std::to_string(scope(it)) + "); ";
  // Of no effect here: they help a GPU to share registers, and to begin the next grid early.
  if (it.name == "setmaxnreg" || it.name == "griddepcontrol") return "static_cast<void>(0); ";
  if (it.name == "nanosleep") {
    expect(it, 1, 1);
    return "::__nanosleep(" + get(it.operands[0], "u32") + "); ";
  }
  if (it.name == "bra") {
    expect(it, 1, 1);
    const std::string target = label(it.operands[0]);
    if (labels_.count(target) == 0)
      throw Unsupported{"a branch to '" + it.operands[0] + "', no label of this asm,"};
    return "goto " + target + "; ";
  }
  if (it.name == "trap" || it.name == "brkpt") return "::__trap(); ";
  if (it.name == "exit" || it.name == "ret") {
    if (!in_kernel_) throw Unsupported{"'" + it.name + "' outside a kernel's own body"};
    return "return; ";
  }
  if (it.name == "isspacep" && it.modifiers.size() == 1) {
    expect(it, 2, 2);
    const std::string& space = it.modifiers[0];
    const std::string function = space == "shared"   ? "::__isShared("
                                 : space == "local"  ? "::__isLocal("
                                 : space == "global" ? "::__isGlobal("
                                                     : "";
    if (function.empty()) return {};
    return put(it.operands[0], "pred",
               function + "reinterpret_cast<const void*>(" + get(it.operands[1], "u64") + "))");
  }
  return {};
}

// Done at once, unless a checked run looks who has waited for it.
std::string Translator::copy_async(const Instruction& it) {
  if (it.name != "cp" || !it.has("async") || it.has("bulk")) return {};
  const std::string commit = "::cpu_device::async_commit(); ";
  const std::string wait = "::cpu_device::async_wait_prior(";
  if (it.has("mbarrier")) {  // an arrival when the thread's copies are done, which they are
    expect(it, 1, 1);
    return commit + wait + "0); static_cast<void>(" + kPtx + "mbarrier_change(" + address(it.operands[0], true) +
           (it.has("noinc") ? ", 1, 0, 0)); " : ", 0, 0, 0)); ");
  }
  if (it.has("commit_group")) return commit;
  if (it.has("wait_all")) return commit + wait + "0); ";
  if (it.has("wait_group")) {
    expect(it, 1, 1);
    return wait + get(it.operands[0], "u32") + "); ";
  }
  expect(it, 3, 4);
  const std::string size = get(it.operands[2], "u32");
  return kPtx + "copy_async(" + address(it.operands[0], true) + ", " + address(it.operands[1], false) +
         ", " + size + ", " + (it.operands.size() > 3 ? get(it.operands[3], "u32") : size) +
         ", ::cpu_device::Site::here()); ";
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier], and the way back.
std::string Translator::copy_bulk(const Instruction& it) {
  if (it.name != "cp" || !it.has("async") || !it.has("bulk") || it.has("tensor") || it.has("reduce")) return {};
  if (it.has("commit_group") || it.has("wait_group")) return "static_cast<void>(0); ";
  if (it.has("multicast::cluster") || it.has("prefetch")) return {};
  const std::string &first = it.modifiers[2], &second = it.modifiers[3];
  if (first.compare(0, 6, "shared") == 0 && second == "global") {
    expect(it, 4, 5);
    return kPtx + "copy_bulk(" + address(it.operands[0], true) + ", " + address(it.operands[1], false) + ", " +
           get(it.operands[2], "u32") + ", " + address(it.operands[3], true) + ", ::cpu_device::Site::here()); ";
  }
  if (first != "global" || second.compare(0, 6, "shared") != 0) return {};
  expect(it, 3, 4);
  return kPtx + "copy_out(" + address(it.operands[0], false) + ", " + address(it.operands[1], true) + ", " +
         get(it.operands[2], "u32") + "); ";
}

// mbarrier.arrive.expect_tx.shared::cta.b64 state, [at], bytes and its like.
std::string Translator::mbarrier(const Instruction& it) {
  if (it.name != "mbarrier" || it.modifiers.empty()) return {};
  const std::string& what = it.modifiers[0];
  const auto count = [&](size_t i, const char* otherwise) {
    return it.operands.size() > i ? get(it.operands[i], "u32") : std::string(otherwise);
  };
  const auto change = [&](const std::string& at, const std::string& arrivals, const std::string& bytes,
                          const std::string& leave) {
    return kPtx + "mbarrier_change(" + address(at, true) + ", " + arrivals + ", " + bytes + ", " + leave + ")";
  };
  if (what == "init") {
    expect(it, 2, 2);
    return kPtx + "mbarrier_init(" + address(it.operands[0], true) + ", " + get(it.operands[1], "u32") + "); ";
  }
  if (what == "inval") return "static_cast<void>(0); ";
  if (what == "expect_tx" || what == "complete_tx") {
    expect(it, 2, 2);
    const std::string bytes = "static_cast<" + kPtx + "s64>(" + get(it.operands[1], "u32") + ")";
    return "static_cast<void>(" + change(it.operands[0], "0", (what == "expect_tx" ? "" : "-") + bytes, "0") + "); ";
  }
  if (what == "arrive" || what == "arrive_drop") {
    if (it.operands.empty()) return {};
    const size_t at = it.operands[0][0] == '[' ? 0 : 1;  // the state may be left out
    expect(it, at + 1, at + 2);
    const bool expects = it.has("expect_tx");
    const std::string arrivals = expects ? "1" : count(at + 1, "1");
    const std::string bytes = expects ? "static_cast<" + kPtx + "s64>(" + count(at + 1, "0") + ")" : "0";
    const std::string call = change(it.operands[at], arrivals, bytes, what == "arrive_drop" ? arrivals : "0");
    return at == 1 ? put(it.operands[0], "b64", call) : "static_cast<void>(" + call + "); ";
  }
  if (what == "test_wait" || what == "try_wait") {
    expect(it, 3, 4);
    const bool parity = it.has("parity");
    return put(it.operands[0], "pred",
               kPtx + "mbarrier_passed(" + address(it.operands[1], true) + ", " +
                   get(it.operands[2], parity ? "u32" : "u64") + (parity ? ", true" : ", false") +
                   ", ::cpu_device::Site::here())");
  }
  if (what == "pending_count") {
    expect(it, 2, 2);
    return put(it.operands[0], "u32", "static_cast<" + kPtx + "u32>(" + get(it.operands[1], "u64") + " & " + kPtx +
                                          "kArrivals)");
  }
  return {};
}

std::string Translator::cluster(const Instruction& it) {
  if (it.name == "elect" && it.has("sync")) {
    expect(it, 2, 2);
    const Words targets = split(it.operands[0], '|');
    if (targets.size() != 2) return {};
    return "{ " + kPtx + "u32 ptx_leader = 0; " +
           put(targets[1], "pred",
               kPtx + "elected(" + get(it.operands[1], "u32") + ", ptx_leader, ::cpu_device::Site::here())") +
           put(targets[0], "u32", "ptx_leader") + "} ";
  }
  if (it.name != "barrier" || !it.has("cluster")) return {};
  if (it.has("arrive")) return "::cpu_device::cluster_arrive(); ";
  if (it.has("wait")) return "::cpu_device::cluster_wait(::cpu_device::Site::here()); ";
  return {};
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

}  // namespace

PtxResult translate_ptx(std::string_view code, const std::vector<PtxOperand>& operands,
                        bool in_kernel) {
  return Translator(code, operands, in_kernel).run();
}

}  // namespace cpu_device
