#include "changed_parameters.h"

#include <algorithm>

namespace cpu_device {
namespace {

std::string own_name(std::string_view parameter) { return "cpu_device_own_" + std::string(parameter); }

// `std::decay_t<decltype(n)> cpu_device_own_n = n;`. (std::decay_t would leave a pointer's __restrict__ in place.)
std::string declaration_of(const Tokens& tokens, const Variable& parameter) {
  const std::string name(tokens.spelling(parameter.name));
  const std::string type = parameter.is_pointer ? "std::remove_reference_t<decltype(*" + name + ")>* " : "std::decay_t<decltype(" + name + ")> ";
  return type + own_name(name) + " = " + name + "; ";
}

}  // namespace

std::string with_changed_parameters_as_variables(const Tokens& tokens, const KernelCode& code) {
  const auto is_changed = [](const Variable& v) { return v.is_parameter && !v.changes.empty(); };
  if (std::none_of(code.variables().begin(), code.variables().end(), is_changed)) return {};
  std::string text = "void kernel";
  const auto copy = [&](uint32_t begin, uint32_t end) {
    if (begin < end) text += tokens.text().substr(tokens[begin].begin, tokens[end - 1].end - tokens[begin].begin);
  };
  const auto line_marker = [&](uint32_t t) { text += line_marker_of(tokens.locate(tokens[t].begin)); };
  const uint32_t open = code.parameters_begin(), brace = code.begin() - 1;
  line_marker(open);
  copy(open, tokens[open].match + 1);
  line_marker(brace);
  text += "{ ";
  for (const Variable& v : code.variables())
    if (is_changed(v)) text += declaration_of(tokens, v);
  line_marker(code.begin());
  uint32_t copied = code.begin();
  for (uint32_t t = code.begin(); t < code.end(); ++t) {
    const uint32_t v = code.variable_at(t);
    if (v == kNone || !is_changed(code.variables()[v])) continue;
    copy(copied, t);
    text += ' ' + own_name(tokens.spelling(t));
    copied = t + 1;
    if (copied < code.end()) line_marker(copied);
  }
  copy(copied, code.end() + 1);
  return text;
}

}  // namespace cpu_device
