#include "split.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tokens.h"

namespace cpu_device {
namespace {

// Where a declaration stands.
struct Scope {
  std::string_view class_name;  // of the innermost class, if any
  bool in_class = false, in_template = false, internal = false;
  int depth = 0;
};

// What no kernel uses: text and files; and other things of the host. CUDA's functions for the host
// come on top.
const std::set<std::string_view> kTextWords{"string",   "to_string", "ostringstream",
                                            "FILE",     "fopen",     "fflush",
                                            "snprintf", "exit",      "getenv"};
const std::set<std::string_view> kHostWords{"vector",  "function", "thread",
                                            "sysconf", "setenv",   "fprintf"};

// Deeper scopes, and declarations with more tokens before their braces, are not written by people.
constexpr int kMaxDepth = 200;
constexpr uint32_t kMaxDeclaration = 10000;

// Shorter bodies, in tokens, are worth more within their callers.
constexpr uint32_t kWorthSplitting = 20;

struct Function {
  uint32_t begin, name, body;  // Tokens: the first one, the name, and the { of its body.
  bool is_for_host, internal, movable, in_class;
  bool is_conversion = false;  // of the standard library, between strings and numbers
  bool is_special = false;     // a special function of <cmath>
};

class Splitter {
 public:
  explicit Splitter(const Tokens& tokens) : tokens_(tokens) {}

  std::vector<uint32_t> text_functions() {
    std::vector<uint32_t> result;
    read(0, tokens_.size(), Scope{});
    for (const Function& one : functions_) {
      const bool in_header = one.in_class || has(one.begin, one.body, "inline");
      if (!in_header || tokens_.is(one.begin, "template")) continue;
      uint32_t first = one.begin;
      while (tokens_.is(first, '[') && skips(first))
        first = tokens_[first].match + 1;  // [[noreturn]] stays first
      if (uses_one_of(kTextWords, one)) result.push_back(first);
    }
    return result;
  }

  SplitHeaders split() {
    read(0, tokens_.size(), Scope{});
    SplitHeaders result;
    const bool splits = follow_internal_names();
    bool has_host_functions = false;
    for (Function& one : functions_) {
      one.is_for_host = one.is_for_host && splits;
      one.movable = one.movable && !internal_.count(tokens_.spelling(one.name));
      if (one.is_for_host && one.movable) has_host_functions = true;
    }
    for (Function& one : functions_)  // alone, conversions are not worth a text of their own
      one.is_for_host = one.is_for_host || (one.is_conversion && has_host_functions);
    write(result);
    return result;
  }

 private:
  // The declaration that is being read: tokens [begin, i).
  struct Declaration {
    uint32_t begin, name = kNone;
    bool has_parameters = false, has_value = false, has_initializers = false, has_braces = false;
  };

  bool has(uint32_t begin, uint32_t end, std::string_view word) const {
    for (uint32_t i = begin; i < end; ++i) {
      if (tokens_.is(i, word)) return true;
      if (skips(i)) i = tokens_[i].match;
    }
    return false;
  }

  bool skips(uint32_t i) const {
    return (tokens_.is(i, '(') || tokens_.is(i, '[') || tokens_.is(i, '{')) &&
           tokens_[i].match != kNone;
  }

  // The system's headers and the CPU device's own lead to nothing of a program's.
  bool is_of_others(uint32_t i) const {
    const Position position = tokens_.locate(tokens_[i].begin);
    return position.is_system_header ||
           position.file.find("/cpu_device/include/") != position.file.npos;
  }

  bool is_in_file(uint32_t i, std::string_view name) const {
    std::string_view file = tokens_.locate(tokens_[i].begin).file;
    file.remove_suffix(std::min<size_t>(file.size(), 1));  // the quote
    return file.size() > name.size() && file.substr(file.size() - name.size()) == name;
  }

  // Reads the declarations among the tokens [first, last) of a namespace or class.
  void read(uint32_t first, uint32_t last, const Scope& scope) {
    Declaration now{first};
    for (uint32_t i = first; i < last; ++i) {
      if (tokens_.is(i, '{') && skips(i)) {
        const uint32_t close = tokens_[i].match;
        if (i - now.begin <= kMaxDeclaration && read_braces(now, i, scope))
          now = {close + 1};
        else
          now.has_braces = true;
        i = close;
      } else if (skips(i)) {
        const bool is_attribute = i > now.begin && (tokens_.is(i - 1, "__attribute") ||
                                                    tokens_.is(i - 1, "__attribute__"));
        if (tokens_.is(i, '(') && !is_attribute && !now.has_value && !now.has_parameters) {
          now.has_parameters = true;
          if (i > now.begin && tokens_.is_identifier(i - 1)) now.name = i - 1;
        }
        i = tokens_[i].match;
      } else if (tokens_.is(i, ';')) {
        read_variable(now, i, scope);
        now = {i + 1};
      } else if (tokens_.is(i, '=')) {
        if (now.has_value) continue;
        now.has_value =
            now.has_parameters || i > now.begin + kMaxDeclaration || !has(now.begin, i, "operator");
      } else if (tokens_.is(i, ':')) {
        if (scope.in_class && i == now.begin + 1) now = {i + 1};  // public:
        now.has_initializers = now.has_parameters;
      }
    }
  }

  // Reads the contents of the braces at `i`. Returns whether the declaration ends with them.
  bool read_braces(Declaration& now, uint32_t i, const Scope& scope) {
    const uint32_t close = tokens_[i].match;
    const bool is_operator = has(now.begin, i, "operator");
    Scope inner = scope;
    if (++inner.depth > kMaxDepth) return true;
    if (has(now.begin, i, "namespace")) {
      inner.internal = scope.internal || tokens_.is(i - 1, "namespace");
      read(i + 1, close, inner);
      return true;
    }
    if (i == now.begin + 2 && tokens_.is(now.begin, "extern")) {  // extern "C" {
      read(i + 1, close, inner);
      return true;
    }
    const uint32_t key = class_key(now.begin, i);
    if (key != kNone && !now.has_parameters && !now.has_value) {
      inner.in_class = true;
      inner.in_template = scope.in_template || tokens_.is(now.begin, "template");
      inner.class_name =
          tokens_.is_identifier(key + 1) ? tokens_.spelling(key + 1) : std::string_view();
      read(i + 1, close, inner);
      return false;
    }
    if (!now.has_parameters || (now.has_value && !is_operator))
      return false;  // a value, an enumeration
    if (now.has_initializers && tokens_.is_identifier(i - 1))
      return false;  // a member's in a constructor
    add_function(now, i, scope, is_operator);
    return true;
  }

  // Of `class`, `struct` or `union` in [begin, end), outside of brackets and of template
  // parameters.
  uint32_t class_key(uint32_t begin, uint32_t end) const {
    int angles = 0;
    for (uint32_t i = begin; i < end; ++i) {
      if (tokens_.is(i, '<')) ++angles;
      if (tokens_.is(i, '>')) --angles;
      if (tokens_.is(i, "enum")) return kNone;
      if (angles == 0 &&
          (tokens_.is(i, "class") || tokens_.is(i, "struct") || tokens_.is(i, "union")))
        return i;
      if (skips(i)) i = tokens_[i].match;
    }
    return kNone;
  }

  bool uses_one_of(const std::set<std::string_view>& words, const Function& one) const {
    const uint32_t end = tokens_[one.body].match;
    if (end - one.body < kWorthSplitting) return false;
    for (uint32_t i = one.begin; i < end; ++i) {
      if (tokens_.is_identifier(i) && words.count(tokens_.spelling(i))) return true;
    }
    return false;
  }

  // cudaMalloc() and others: tokens in the body that name a function of CUDA's for the host.
  bool calls_cuda(const Function& one) const {
    const uint32_t end = tokens_[one.body].match;
    if (end - one.body < kWorthSplitting) return false;
    for (uint32_t i = one.body; i < end; ++i) {
      const std::string_view name = tokens_.is_identifier(i) ? tokens_.spelling(i) : "";
      if (name.size() > 4 && name.substr(0, 4) == "cuda" && std::isupper(uint8_t(name[4])) &&
          tokens_.is(i + 1, '('))
        return true;
    }
    return false;
  }

  void add_function(const Declaration& now, uint32_t body, const Scope& scope, bool is_operator) {
    const bool is_conversion = !scope.in_class && is_in_file(body, "/bits/basic_string.h");
    const bool is_special = !scope.in_class && is_in_file(body, "/bits/specfun.h");
    const bool is_of_interest = !is_of_others(now.begin);
    if (!is_of_interest && !is_conversion && !is_special) return;
    const bool is_literal = is_conversion && tokens_.is(now.name - 2, "operator");  // operator""s
    if (now.name == kNone || (is_operator && !is_literal)) {
      if (is_of_interest) nameless_.push_back({now.begin, body, body, false, false, false, false});
      return;
    }
    const uint32_t begin = now.begin;
    const std::string_view name = tokens_.spelling(now.name);
    Function one{begin,          now.name,       body,
                 false,          scope.internal, !scope.in_template && !scope.internal,
                 scope.in_class, is_conversion,  is_special};
    if (!scope.in_class && has(begin, body, "static")) one.internal = true;
    if (one.internal || name == scope.class_name || now.has_initializers || now.has_braces)
      one.movable = false;
    for (const char* word : {"template", "constexpr", "consteval", "virtual", "override", "final",
                             "friend", "auto", "decltype", "try", "requires", "extern"}) {
      if (has(begin, body, word)) one.movable = false;
    }
    // A function of a class that is defined outside of it, and a destructor.
    if (tokens_.is_scope(now.name - 1) || tokens_.is(now.name - 1, '~')) one.movable = false;
    one.is_for_host = is_of_interest && (uses_one_of(kTextWords, one) ||
                                         uses_one_of(kHostWords, one) || calls_cuda(one));
    functions_.push_back(one);
  }

  // The names of variables that each translation unit has for itself.
  void read_variable(const Declaration& now, uint32_t end, const Scope& scope) {
    if (scope.in_class || now.has_parameters) return;
    if (!scope.internal && !has(now.begin, end, "static")) return;
    if (has(now.begin, end, "constexpr") || is_of_others(end)) return;
    for (uint32_t i = now.begin + 1; i <= end; ++i) {
      const bool ends = tokens_.is(i, '=') || tokens_.is(i, '[') || tokens_.is(i, '{') ||
                        tokens_.is(i, ',') || i == end;
      if (ends && tokens_.is_identifier(i - 1)) internal_.insert(tokens_.spelling(i - 1));
      if (skips(i)) i = tokens_[i].match;
    }
  }

  bool mentions_internal(const Function& one) const {
    for (uint32_t i = one.begin; i < tokens_[one.body].match; ++i) {
      if (i == one.name || !tokens_.is_identifier(i)) continue;
      const bool of_library = i >= 2 && tokens_.is_scope(i - 1) && tokens_.is(i - 2, "std");
      if (!of_library && internal_.count(tokens_.spelling(i))) return true;
    }
    return false;
  }

  // Adds the names of all functions that lead to one of internal linkage. False: an operator does,
  // and names do not show what uses it.
  bool follow_internal_names() {
    for (const Function& one : functions_) {
      if (one.internal) internal_.insert(tokens_.spelling(one.name));
    }
    for (size_t before = internal_.size() + 1; before != internal_.size();) {
      before = internal_.size();
      for (const Function& one : functions_) {
        if (mentions_internal(one)) internal_.insert(tokens_.spelling(one.name));
      }
    }
    for (const Function& one : nameless_) {
      if (mentions_internal(one)) return false;
    }
    return true;
  }

  void write(SplitHeaders& result) const {
    const std::string_view text = tokens_.text();
    uint32_t written = 0, defined = 0;
    for (const Function& one : functions_) {
      if (!one.movable) continue;
      const uint32_t begin = tokens_[one.begin].begin, end = tokens_[tokens_[one.body].match].end;
      if (one.is_special) {
        result.declarations.append(text.substr(written, begin - written))
            .append("template <int = 0> ");
        written = begin;
      }
      if (!one.is_for_host) continue;
      ++result.functions;
      result.definitions.append(text.substr(defined, begin - defined)).append("[[gnu::used]] ");
      defined = begin;
      for (uint32_t i = one.begin; i < one.body; ++i) {
        if (!tokens_.is(i, "inline")) continue;
        result.declarations.append(text.substr(written, tokens_[i].begin - written));
        written = tokens_[i].end;
      }
      result.declarations.append(text.substr(written, tokens_[one.body].begin - written));
      result.declarations.append(";\n# " + std::to_string(tokens_.locate(end).line) + "\n");
      written = end;
    }
    if (!result.declarations.empty()) result.declarations.append(text.substr(written));
    if (result.functions > 0) result.definitions.append(text.substr(defined));
  }

  const Tokens& tokens_;
  std::vector<Function> functions_;
  std::vector<Function> nameless_;  // operators and others: only what they mention matters
  // The table of a checked program's kernels (Rewriter::mark) stands within our own headers.
  std::set<std::string_view> internal_{"cpu_device_marks"};
};

}  // namespace

SplitHeaders split_host_functions(std::string_view headers) {
  const Tokens tokens(headers);
  return Splitter(tokens).split();
}

std::vector<uint32_t> text_functions(const Tokens& tokens) {
  return Splitter(tokens).text_functions();
}

}  // namespace cpu_device
