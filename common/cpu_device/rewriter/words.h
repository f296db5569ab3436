// Words of C++ by what they mean to the rewriter, and the values of literals.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace cpu_device {

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Words that take parentheses in a declaration without being the name of a function.
bool is_attribute_like(std::string_view name);
// Words before an expression that are not part of it.
bool ends_expression_to_the_left(std::string_view name);
bool is_builtin_type(std::string_view name);
inline bool is_class_key(std::string_view name) {
  return name == "class" || name == "struct" || name == "union";
}

inline bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// What a string literal stands for: without prefix, quotes and escapes.
std::string literal_value(std::string_view literal);
std::string quoted_literal(std::string_view text);

}  // namespace cpu_device
