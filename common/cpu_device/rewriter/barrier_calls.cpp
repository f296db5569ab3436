#include "barrier_calls.h"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "kernel_code.h"
#include "kernel_plan.h"

namespace cpu_device {
namespace {

using Function = NeverWaits::Function;
using Names = std::map<std::string_view, std::string>;  // of a function's parameters, and what stands for them

// Functions that call functions. More are no longer read by people, and a function may call itself.
constexpr int kMostCalls = 6;

// One function as it is called: what its code says, and by which names it goes.
struct Callee {
  Callee(const Tokens& tokens, const Function& function, const std::unordered_set<std::string_view>& pointer_types)
      : function(function), code(tokens, function.parameters, function.body, pointer_types) {}
  const Function& function;
  KernelCode code;
  std::string result_type;  // empty: void
  uint32_t result = kNone;  // the `return` at its end, if it has a value
};

// A statement that is such a call, or assigns its result.
struct Call {
  uint32_t begin, name, end;  // tokens: of the statement, the function's name, behind the `;`
  bool has_result;
};

class Writer {
 public:
  Writer(const Tokens& tokens, const NeverWaits& never_waits) : tokens_(tokens), never_waits_(never_waits) {}

  std::string kernel(uint32_t parameters, uint32_t body) {
    bool has_call = false;  // most kernels have none, and need not be read for it
    for (uint32_t t = body; t < tokens_[body].match && !has_call; ++t) has_call = calls_barrier(t);
    if (!has_call) return {};
    const KernelCode code(tokens_, parameters, body, never_waits_.pointer_types());
    if (!code.understood()) return {};
    for (const Variable& v : code.variables()) taken_.insert(tokens_.spelling(v.name));
    text_ = "void kernel";
    line_marker(parameters);
    copy(parameters, tokens_[parameters].match + 1, {});
    line_marker(body);
    statements(body, tokens_[body].match + 1, {}, 0);
    return failed_ || calls_ == 0 ? std::string() : std::move(text_);
  }

 private:
  // It, or a function that it calls. Each function is looked at once: there may be many.
  bool has_barrier(const Function& function) {
    const auto [known, is_new] = barriers_.emplace(function.body, false);
    if (!is_new) return known->second;
    for (uint32_t t = function.body; t < tokens_[function.body].match; ++t)
      if (tokens_.is(t, "__syncthreads") || calls_barrier(t)) return barriers_[function.body] = true;
    return false;
  }

  bool calls_barrier(uint32_t t) {
    if (!tokens_.is_identifier(t) || !tokens_.is(t + 1, '(')) return false;
    const Function* const called = never_waits_.only_function(tokens_.spelling(t));
    return called != nullptr && has_barrier(*called);
  }

  bool begins_statement(uint32_t i) const {
    return tokens_.is(i - 1, ';') || tokens_.is(i - 1, '{') || tokens_.is(i - 1, '}') || tokens_.is(i - 1, ')') ||
           tokens_.is(i - 1, "else");
  }

  // Whether the statement that begins at token i is `f(...);`, or ends with `= f(...);`, of a function with a barrier.
  bool is_call(uint32_t i, Call& call) {
    call = {i, i, kNone, false};
    static const std::set<std::string_view> others = {"if", "for", "while", "do", "switch", "case", "default", "return", "else"};
    if (!tokens_.is_identifier(i) || others.count(tokens_.spelling(i)) != 0) return false;
    for (uint32_t t = i; t < tokens_.size() && !tokens_.is(t, '{') && !tokens_.is(t, '}'); ++t) {
      if (tokens_.is(t, ';')) {
        call.end = t + 1;
        break;
      }
      if (tokens_.is(t, ',')) return false;  // the arguments may need what the first declarators declare
      if (tokens_.is(t, '=')) {
        call.name = t + 1;
        call.has_result = true;
      }
      if (tokens_.is(t, '(') || tokens_.is(t, '[')) t = tokens_[t].match;
    }
    if (call.end == kNone) return false;
    while (tokens_.is_identifier(call.name) && tokens_.is_scope(call.name + 1)) call.name += 2;
    if (!tokens_.is_identifier(call.name) || !tokens_.is(call.name + 1, '(') ||
        tokens_[call.name + 1].match != call.end - 2)
      return false;
    return calls_barrier(call.name);
  }

  // Copies tokens begin to end as in the file, but with other names.
  void copy(uint32_t begin, uint32_t end, const Names& names) {
    for (uint32_t t = begin; t < end; ++t) {
      if (t > begin) text_ += tokens_.text().substr(tokens_[t - 1].end, tokens_[t].begin - tokens_[t - 1].end);
      const bool is_member = tokens_.is(t - 1, '.') || tokens_.is_arrow(t - 1) || tokens_.is_scope(t - 1);
      const auto name = is_member || !tokens_.is_identifier(t) ? names.end() : names.find(tokens_.spelling(t));
      if (name != names.end())
        text_ += name->second;
      else
        text_ += tokens_.spelling(t);
    }
  }

  void line_marker(uint32_t t) { text_ += line_marker_of(tokens_.locate(tokens_[t].begin)); }

  // Copies tokens begin to end, with the calls among them written out.
  void statements(uint32_t begin, uint32_t end, const Names& names, int depth) {
    uint32_t copied = begin;
    for (uint32_t i = begin + 1; i < end && !failed_; ++i) {
      Call call{};
      if (!begins_statement(i) || !is_call(i, call)) continue;
      copy(copied, i, names);
      write_out(call, names, depth);
      copied = call.end;
      if (copied < end) line_marker(copied);
      i = call.end - 1;
    }
    copy(copied, end, names);
  }

  bool fail() {
    failed_ = true;
    return false;
  }

  // The type before a function's name, without what only a declaration says; false if it is not understood.
  bool find_result_type(Callee& callee) const {
    uint32_t t = callee.function.name;
    while (t > 0 && (tokens_.is_identifier(t - 1) || tokens_.is_scope(t - 1) || tokens_.is(t - 1, '*'))) --t;
    if (tokens_.is(t - 1, '>')) return false;  // a template, or its instance
    for (; t < callee.function.name; ++t) {
      static const std::set<std::string_view> of_declaration = {"static", "inline", "__inline__", "constexpr", "const", "extern"};
      const std::string_view word = tokens_.spelling(t);
      if (word == "auto" || word == "template") return false;
      if (of_declaration.count(word) == 0) callee.result_type += (callee.result_type.empty() ? "" : " ") + std::string(word);
    }
    if (callee.result_type == "void") callee.result_type.clear();
    return true;
  }

  bool is_template(const Function& function) const {
    uint32_t t = function.name;
    while (t > 0 && !tokens_.is(t - 1, ';') && !tokens_.is(t - 1, '}') && !tokens_.is(t - 1, '{')) --t;
    return tokens_.is(t, "template");
  }

  // Whether the function ends at its end only.
  bool ends_at_its_end(Callee& callee) const {
    const auto& parts = callee.code.body().parts;
    for (size_t k = 0; k < parts.size(); ++k) {
      const bool at_end = k + 1 == parts.size() && parts[k]->kind == Statement::kReturn;
      if (at_end && !callee.result_type.empty()) callee.result = parts[k]->begin;
      if (!at_end && has_return(*parts[k])) return false;
    }
    return callee.result_type.empty() || callee.result != kNone;
  }

  // Whether the function's names mean the same within the kernel; its own may hide the kernel's. `replaced`: names of
  // the caller's that will stand for parameters.
  bool keeps_names(const Callee& callee, const std::set<std::string_view>& replaced, bool is_qualified) const {
    for (uint32_t t = callee.function.body; t < tokens_[callee.function.body].match; ++t) {
      if (!tokens_.is_identifier(t) || tokens_.is(t - 1, '.') || tokens_.is_arrow(t - 1) || tokens_.is_scope(t - 1)) continue;
      const std::string_view word = tokens_.spelling(t);
      if (word == "sizeof" || word == "static") return false;
      const uint32_t v = callee.code.variable_at(t);
      if (v != kNone) {
        if (!callee.code.variables()[v].is_parameter && replaced.count(word) != 0) return false;
        continue;
      }
      if (taken_.count(word) != 0) return false;
      // Its namespace is not known in the kernel.
      if (is_qualified && (never_waits_.is_constant(word) || never_waits_.only_function(word) != nullptr)) return false;
    }
    return true;
  }

  struct Parameter {
    uint32_t begin, name, end;                   // tokens: `float* cache`
    uint32_t argument_begin = 0, argument_end = 0;
    bool is_pointer = false, is_replaced = false;
  };

  // Where the expression that begins at token i ends: at a `,` or a `)`.
  uint32_t end_of_part(uint32_t i, uint32_t close) const {
    int angles = 0;
    for (; i < close; ++i) {
      if (tokens_.is(i, '<')) ++angles;
      if (tokens_.is(i, '>')) --angles;
      if (tokens_.is(i, '(') || tokens_.is(i, '[') || tokens_.is(i, '{')) i = tokens_[i].match;
      if (tokens_.is(i, ',') && angles == 0) return i;
    }
    return close;
  }

  // Pairs parameters with arguments; false if they do not match.
  bool find_parameters(const Callee& callee, uint32_t open, std::vector<Parameter>& parameters) const {
    const uint32_t close = tokens_[callee.function.parameters].match, last = tokens_[open].match;
    uint32_t argument = open + 1;
    for (uint32_t i = callee.function.parameters + 1; i < close;) {
      const uint32_t end = end_of_part(i, close);
      Parameter one{i, end - 1, end};
      if (tokens_.is(end - 1, ']')) one.name = tokens_[end - 1].match - 1;
      if (!tokens_.is_identifier(one.name) || callee.code.variable_at(one.name) != kNone || one.name == i || argument >= last)
        return false;
      for (uint32_t t = i; t < one.end; ++t) {
        if (tokens_.is(t, '&') || tokens_.is(t, '=') || tokens_.is(t, '(')) return false;
        one.is_pointer |= tokens_.is(t, '*') || tokens_.is(t, '[');
      }
      one.argument_begin = argument;
      // A `<` in an argument may be a comparison: no comma is within one that is understood.
      one.argument_end = argument;
      while (one.argument_end < last && !tokens_.is(one.argument_end, ',')) {
        if (tokens_.is(one.argument_end, '<')) return false;
        if (tokens_.is(one.argument_end, '(') || tokens_.is(one.argument_end, '[') || tokens_.is(one.argument_end, '{'))
          one.argument_end = tokens_[one.argument_end].match;
        ++one.argument_end;
      }
      if (one.argument_end == one.argument_begin) return false;
      argument = one.argument_end + 1;
      parameters.push_back(one);
      i = end + 1;
    }
    return argument >= last;
  }

  const Variable* variable_of(const Callee& callee, std::string_view name) const {
    for (const Variable& v : callee.code.variables())
      if (v.is_parameter && tokens_.spelling(v.name) == name) return &v;
    return nullptr;
  }

  // A pointer that stays what it is goes by its name in the caller: the compiler knows more of that.
  void find_replaced(const Callee& callee, const Names& names, std::vector<Parameter>& parameters,
                     std::set<std::string_view>& replaced) const {
    for (Parameter& one : parameters) {
      const Variable* const variable = variable_of(callee, tokens_.spelling(one.name));
      const bool is_name = one.argument_end == one.argument_begin + 1 && tokens_.is_identifier(one.argument_begin);
      if (!one.is_pointer || !is_name || variable == nullptr || !variable->changes.empty() || variable->escapes) continue;
      const std::string_view name = tokens_.spelling(one.argument_begin);
      if (taken_.count(name) == 0) continue;
      bool is_volatile = false;
      for (uint32_t t = one.begin; t < one.end; ++t) is_volatile |= tokens_.is(t, "volatile");
      if (is_volatile) continue;
      one.is_replaced = true;
      const auto other = names.find(name);
      replaced.insert(other == names.end() ? name : std::string_view(other->second));
    }
  }

  std::string argument_text(const Parameter& one, const Names& names) {
    const std::string before = std::move(text_);
    text_.clear();
    copy(one.argument_begin, one.argument_end, names);
    std::string result = std::move(text_);
    text_ = before;
    return result;
  }

  // Declares the parameters that are not replaced. An argument may use the name of a parameter.
  void declare(std::vector<Parameter>& parameters, const Names& names, Names& inner) {
    std::set<std::string> own;
    for (const Parameter& one : parameters) own.insert(std::string(tokens_.spelling(one.name)));
    std::string declarations;
    for (const Parameter& one : parameters) {
      const std::string name(tokens_.spelling(one.name)), argument = argument_text(one, names);
      if (one.is_replaced) {
        inner[tokens_.spelling(one.name)] = argument;
        continue;
      }
      std::string type;
      for (uint32_t t = one.begin; t < one.name; ++t) type += std::string(tokens_.spelling(t)) + " ";
      if (tokens_.is(one.name + 1, '[')) type += "*";
      bool clashes = false;
      for (uint32_t t = one.argument_begin; t < one.argument_end; ++t)
        clashes |= tokens_.is_identifier(t) && own.count(std::string(tokens_.spelling(t))) != 0;
      if (!clashes) {
        declarations += type + name + " = (" + argument + ");";
        continue;
      }
      const std::string outer = "cpu_device_argument_" + std::to_string(calls_) + "_" + name;
      text_ += type + outer + " = (" + argument + ");";
      declarations += type + name + " = " + outer + ";";
    }
    text_ += " { " + declarations;
  }

  void write_out(const Call& call, const Names& names, int depth) {
    const Function& function = *never_waits_.only_function(tokens_.spelling(call.name));
    Callee callee(tokens_, function, never_waits_.pointer_types());
    std::vector<Parameter> parameters;
    std::set<std::string_view> replaced;
    if (depth >= kMostCalls || !callee.code.understood() || is_template(function) || !find_result_type(callee) ||
        !ends_at_its_end(callee) || callee.result_type.empty() == call.has_result ||
        !find_parameters(callee, call.name + 1, parameters)) {
      fail();
      return;
    }
    find_replaced(callee, names, parameters, replaced);
    if (!keeps_names(callee, replaced, tokens_.is_scope(call.name - 1))) {
      fail();
      return;
    }
    const std::string result = "cpu_device_result_" + std::to_string(calls_);
    // Two statements may stand where one did.
    const bool is_alone = tokens_.is(call.begin - 1, ')') || tokens_.is(call.begin - 1, "else");
    if (call.has_result) text_ += (is_alone ? " { " : " ") + callee.result_type + " " + result + ";";
    text_ += " {";
    Names inner;
    declare(parameters, names, inner);
    ++calls_;
    const std::set<std::string_view> before = taken_;
    for (const Variable& v : callee.code.variables()) taken_.insert(tokens_.spelling(v.name));
    line_marker(function.body);
    const uint32_t close = tokens_[function.body].match;
    const uint32_t last = callee.result == kNone ? last_of_body(callee) : callee.result;
    statements(function.body, last, inner, depth + 1);
    if (callee.result != kNone) {
      uint32_t end = callee.result;
      while (end < close && !tokens_.is(end, ';')) ++end;
      line_marker(callee.result);
      text_ += result + " = (";
      copy(callee.result + 1, end, inner);
      text_ += ");";
    }
    taken_ = before;
    text_ += " } } }";
    if (!call.has_result) return;
    line_marker(call.begin);
    uint32_t first = call.name;
    while (tokens_.is_scope(first - 1)) first -= 2;
    copy(call.begin, first, names);
    text_ += " " + result + (is_alone ? "; }" : ";");
  }

  // Before a last `return;`, or before the closing brace.
  uint32_t last_of_body(const Callee& callee) const {
    const auto& parts = callee.code.body().parts;
    const bool returns = !parts.empty() && parts.back()->kind == Statement::kReturn;
    return returns ? parts.back()->begin : tokens_[callee.function.body].match;
  }

  const Tokens& tokens_;
  const NeverWaits& never_waits_;
  std::map<uint32_t, bool> barriers_;  // of functions, by their bodies
  std::set<std::string_view> taken_;  // names of variables around
  std::string text_;
  int calls_ = 0;
  bool failed_ = false;
};

}  // namespace

std::string with_barrier_calls_written_out(const Tokens& tokens, const NeverWaits& never_waits, uint32_t parameters, uint32_t body) {
  return Writer(tokens, never_waits).kernel(parameters, body);
}

}  // namespace cpu_device
