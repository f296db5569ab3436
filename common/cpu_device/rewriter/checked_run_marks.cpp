// What the rewriter adds for a checked run only: the code that it reached, atomics whose result is ignored, constants.
#include <algorithm>
#include <string_view>

#include "rewriter_class.h"

namespace cpu_device {

// CUDA's own: a function of the program's whose name begins so may use what its atomics return.
static bool is_atomic_function(std::string_view name) {
  for (const std::string_view suffix : {"_block", "_system"})
    if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      name.remove_suffix(suffix.size());
  for (const std::string_view known : {"atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicInc",
                                       "atomicDec", "atomicAnd", "atomicOr", "atomicXor", "atomicCAS"})
    if (name == known) return true;
  return false;
}

// `atomicAdd(&sum, x);` ignores its result, so it learns nothing from other threads. The call
// ignore_result() reports that.
void Rewriter::ignored_atomics() {
  for (uint32_t i = 1; i < tokens_.size(); ++i) {
    if (!tokens_.is_identifier(i) || !tokens_.is(i + 1, '(') || !is_atomic_function(tokens_.spelling(i)))
      continue;
    const uint32_t close = tokens_[i + 1].match;
    if (close == kNone || !tokens_.is(close + 1, ';') || scope_around(i) != Scope::kFunction)
      continue;
    const bool is_statement = tokens_.is(i - 1, ';') || tokens_.is(i - 1, '{') ||
                              tokens_.is(i - 1, '}') || tokens_.is(i - 1, ')') ||
                              tokens_.is(i - 1, "else");
    if (!is_statement) continue;
    insert_before(i, "(::cpu_device::ignore_result(), ");
    insert_after(close, ")");
  }
}

// What to insert so that a checked run knows whether tokens `first` to `last` of a kernel were
// reached.
std::string Rewriter::mark(const std::string& kernel, uint32_t first, uint32_t last,
                           bool is_kernel) {
  const Position from = tokens_.locate(tokens_[first].begin);
  const Position to = tokens_.locate(tokens_[last].begin);
  if (from.is_system_header || from.file.size() < 2 || from.file != to.file) return {};
  marks_ += "{" + std::string(from.file) + ", " + std::to_string(from.line) + ", " +
            std::to_string(to.line) + ", \"" + kernel + "\", " + (is_kernel ? "true" : "false") +
            "}, ";
  return " ::cpu_device::reached(::cpu_device_marks + " + std::to_string(mark_count_++) + ");";
}

// The body of an if, an else or a loop.
void Rewriter::mark_body(const std::string& kernel, uint32_t first) {
  if (tokens_.is(first, ';')) return;
  const uint32_t last = end_of_statement(first);
  if (last == kNone) return;
  const auto& pragmas = tokens_.pragmas();
  const auto pragma =
      std::lower_bound(pragmas.begin(), pragmas.end(), first,
                       [](const Pragma& one, uint32_t token) { return one.next_token < token; });
  if (pragma != pragmas.end() && pragma->next_token == first) return;  // it must stay in front
  if (tokens_.is(first, '{')) {
    if (last > first + 1) insert_after(first, mark(kernel, first + 1, last - 1, false));
    return;
  }
  insert_before(first, "{" + mark(kernel, first, last, false) + " ");
  insert_after(last, " }");
}

void Rewriter::mark_bodies(const Kernel& kernel) {
  const std::string name(tokens_.spelling(kernel.name));
  for (uint32_t t = kernel.body + 1; t < tokens_[kernel.body].match; ++t) {
    if (tokens_.is(t, "do")) {
      mark_body(name, t + 1);
      const uint32_t last = end_of_statement(t + 1);
      if (last == kNone || !tokens_.is(last + 1, "while") || !tokens_.is(last + 2, '(')) continue;
      const uint32_t close = tokens_[last + 2].match;
      if (close == kNone) continue;
      insert_after(last + 2, "::cpu_device::condition((");
      insert_before(close, "))");
    } else if (tokens_.is(t, "else")) {
      if (!tokens_.is(t + 1, "if")) mark_body(name, t + 1);
    } else if (tokens_.is(t, "if") || tokens_.is(t, "for") || tokens_.is(t, "while")) {
      // What is decided when a template is compiled is no matter of a run.
      const bool decided = tokens_.is(t + 1, "constexpr");
      if (!decided && tokens_.is(t + 1, '(') && tokens_[t + 1].match != kNone)
        mark_body(name, tokens_[t + 1].match + 1);
    }
  }
}

// A checked run reports constants that the program never copied to, unless they have an initializer: those
// lie in sections of other names (qualifiers.h).
void Rewriter::initialized_constants() {
  for (uint32_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Kind::kString || tokens_.spelling(i) != "\"cpu_device_constant_\"") continue;
    uint32_t t = i;
    while (t < tokens_.size() && !tokens_.is(t, ';') && !tokens_.is(t, '=') && !tokens_.is(t, '{')) ++t;
    if (!tokens_.is(t, ';')) replace(tokens_[i].begin, tokens_[i].end, "\"cpu_device_constant_set_\"");
  }
}

// Registers all marks; empty if there are none.
std::string Rewriter::mark_table() const {
  if (mark_count_ == 0) return {};
  const std::string marks = std::to_string(mark_count_);
  return "\nnamespace { unsigned char cpu_device_marks[" + marks +
         "]; }\nstatic const ::cpu_device::Mark cpu_device_mark_table[] = {" + marks_ +
         "};\n[[maybe_unused]] static const bool cpu_device_marks_told =\n"
         "    ::cpu_device::tell_marks(cpu_device_marks, cpu_device_mark_table, " +
         marks + ");\n";
}

}  // namespace cpu_device
