#include "ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>

#include "ptx_translator.h"

namespace cpu_device::ptx {

// ---- words ----

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
int bytes_of(const std::string& type) { return type == "pred" ? 1 : std::stoi(type.substr(1)) / 8; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return std::string(text);
}

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

Words elements_of(const std::string& operand) {
  if (operand.empty() || operand.front() != '{') return {operand};
  return split(std::string_view(operand).substr(1, operand.size() - 2), ',');
}

// ---- statements ----

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

// ---- operands ----

// The C++ variable of a register, or of an operand %0.
std::string Translator::variable(const std::string& name) const {
  const size_t digit = name[0] == '%' ? name.find_first_not_of("0123456789", 1) : 0;
  if (name.size() > 1 && digit == name.npos) {
    const size_t number = static_cast<size_t>(std::atoi(name.c_str() + 1));
    if (number >= operands_.size())
      throw Unsupported{"'" + name + "', which is not an operand,"};
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
    throw Unsupported{"'" + operand + "' is not an address"};
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

// ---- instructions ----

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

}  // namespace cpu_device::ptx

namespace cpu_device {

PtxResult translate_ptx(std::string_view code, const std::vector<PtxOperand>& operands,
                        bool in_kernel) {
  return ptx::Translator(code, operands, in_kernel).run();
}

}  // namespace cpu_device
