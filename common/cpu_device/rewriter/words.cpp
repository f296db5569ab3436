#include "words.h"

namespace cpu_device {

bool is_attribute_like(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "__attribute__", "__attribute", "alignas",      "decltype",         "__declspec",
      "noexcept",      "throw",       "__typeof__",   "typeof",           "__launch_bounds__",
      "__maxnreg__",   "explicit",    "__asm__",      "__cluster_dims__", "__block_size__",
      "requires",      "sizeof",      "__extension__"};
  return is_one_of(name, kNames);
}

bool ends_expression_to_the_left(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "return",   "else",     "do",      "case",  "throw",  "new",       "delete", "co_return",
      "goto",     "if",       "for",     "while", "switch", "constexpr", "catch",  "sizeof",
      "co_await", "typedef",  "and",     "or",    "not",    "bitor",     "bitand", "xor",
      "compl",    "co_yield", "default", "try",   "using"};
  return is_one_of(name, kNames);
}

bool is_builtin_type(std::string_view name) {
  static constexpr std::string_view kNames[] = {"int",  "float", "double", "char",    "bool",
                                                "long", "short", "signed", "unsigned"};
  return is_one_of(name, kNames);
}

std::string literal_value(std::string_view literal) {
  const bool is_raw = literal.substr(0, literal.find('"')).find('R') != literal.npos;
  literal.remove_prefix(literal.find('"') + 1);
  if (!literal.empty()) literal.remove_suffix(1);
  if (is_raw) {
    const size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string result;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      result += literal[i];
      continue;
    }
    const char c = literal[++i];
    result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return result;
}

std::string quoted_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

}  // namespace cpu_device
