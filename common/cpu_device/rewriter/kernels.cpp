// Kernels: declarations with __global__, and addresses of kernels.
#include "block_loops.h"
#include "kernel_code.h"
#include "rewriter_class.h"

namespace cpu_device {

void Rewriter::global(uint32_t i) {
  erase_token(i);
  if (i < kernel_search_) return;  // Written twice in one declaration.
  const Kernel kernel = parse_kernel(i);
  if (kernel.name == kNone) return;
  kernel_names_.emplace(tokens_.spelling(kernel.name), kernel.name);
  if (!check_kernel(i, kernel)) return;
  const std::string bounds = calls_for_bounds(kernel);
  if (kernel.body == kNone) return;

  const std::string name(tokens_.spelling(kernel.name));
  const uint32_t body_end = tokens_[kernel.body].match;
  if (body_end == kNone) {
    error(kernel.name, "the body of kernel '" + name + "' is not closed: a '}' is missing");
    return;
  }
  check_host_calls(kernel);
  // `return` makes the compiler refuse every result type that is not void. Flattened, since g++ does
  // not instrument the store of a structure that a function returns, unless it is inlined.
  std::vector<uint32_t> references;
  check_parameters(kernel, &references);
  std::string captures = "=", refer;
  for (const uint32_t reference : references) {
    const std::string spelling(tokens_.spelling(reference));
    captures += ", &" + spelling;
    refer += " ::cpu_device::refer(\"" + spelling + "\", __builtin_addressof(" + spelling + "));";
  }
  std::string leaves;
  if (const uint32_t exit = early_exit(kernel.body); exit != kNone)
    leaves = " ::cpu_device::threads_may_leave(" + std::to_string(tokens_.locate(tokens_[exit].begin).line) + ");";
  insert_after(kernel.body, bounds + leaves + refer + (check_ ? name_parameters(kernel) : std::string()) +
               " return ::cpu_device::kernel(\"" + name + "\", [" + captures + "]() mutable " +
               (flatten_ ? "__attribute__((flatten)) " : "") + "-> void {" +
               (check_ ? mark(name, kernel.name, body_end, true) : std::string()));
  insert_after(body_end, (loops_ ? loops_of(kernel) : "") + "); }" + (module_ ? note_for_module(kernel) : std::string()));
  if (check_) mark_bodies(kernel);
  kernel_ = kernel;
  kernel_end_ = tokens_[body_end].begin;
}

// The kernel's second form, or a comment that says why there is none.
std::string Rewriter::loops_of(const Kernel& kernel) {
  if (has_butterfly(kernel.body, tokens_[kernel.body].match)) return " /* no loops: lanes exchange values */ ";
  if (!never_waits_) never_waits_ = std::make_unique<NeverWaits>(tokens_);
  const BlockLoop loop = block_loop(tokens_, *never_waits_, kernel.parameters, kernel.body);
  if (loop.text.empty()) return " /* no loops: " + loop.problem + " */ ";
  const Position end = tokens_.locate(tokens_[tokens_[kernel.body].match].begin);
  std::string text = loop.text;
  constexpr std::string_view kBegin = "-> bool {";
  text.insert(text.find(kBegin) + kBegin.size(), places_of_shared(kernel));
  return text + line_marker_of(end);
}

// `__shared__` variables of the file, for a block function, where somebody may use their addresses.
std::string Rewriter::places_of_shared(const Kernel& kernel) const {
  std::string text;
  std::unordered_set<std::string_view> done;
  const uint32_t body_end = tokens_[kernel.body].match;
  for (uint32_t t = kernel.body + 1; t < body_end; ++t) {
    const std::string_view name = tokens_.spelling(t);
    if (!tokens_.is_identifier(t) || shared_of_file_.count(name) == 0 || !done.insert(name).second) continue;
    bool is_own = false;  // of the kernel: a parameter or variable of the same name
    for (uint32_t i = kernel.parameters; i < body_end; ++i) {
      const bool may_declare = i < kernel.body || (tokens_.is_identifier(i - 1) && !tokens_.is(i - 1, "return") && !tokens_.is(i - 1, "else") &&
                                                   !tokens_.is(i - 1, "sizeof")) || tokens_.is(i - 1, '>') || tokens_.is_scope(i - 1);
      is_own |= tokens_.is(i, name) && may_declare;
    }
    bool takes_address = false;
    for (uint32_t i = t; i < body_end; ++i) takes_address |= tokens_.is(i, name) && takes_address_of(tokens_, i, subscripts_at(tokens_, t));
    if (is_own || !takes_address) continue;
    text += reference_by_unknown_address(name, name);
  }
  return text;
}

// Has the kernel known by its address when the module is loaded. A template has none yet, and of those that
// share a name only the first is found by it.
std::string Rewriter::note_for_module(const Kernel& kernel) {
  const std::string_view name = tokens_.spelling(kernel.name);
  if (tokens_.is(kernel.begin, "template") || tokens_.is_scope(kernel.name - 1) ||
      !module_names_.insert(name).second)
    return {};
  return " [[maybe_unused]] static void* const cpu_device_module_" + std::string(name) +
         " = ::cpu_device::note_kernel(" + std::string(name) + ");";
}

// The `)` of `__launch_bounds__(256)` and its like if one begins at token i, else kNone.
uint32_t Rewriter::end_of_launch_bounds(uint32_t i) const {
  const bool is_one = tokens_.is(i, "__launch_bounds__") || tokens_.is(i, "__maxnreg__") ||
                      tokens_.is(i, "__cluster_dims__") || tokens_.is(i, "__block_size__");
  return is_one && tokens_.is(i + 1, '(') ? tokens_[i + 1].match : kNone;
}

// Takes `__launch_bounds__(256)` and its like away; a kernel has asked for what is in it, see
// calls_for_bounds().
void Rewriter::launch_bounds(uint32_t i) {
  const uint32_t end = end_of_launch_bounds(i);
  if (end == kNone) return;
  if (tokens_.is(i, "__block_size__"))
    error(i, "__block_size__ is not supported on the CPU device. Write the block size in <<<grid, block>>>, and "
             "the cluster size in __cluster_dims__");
  replace(tokens_[i].begin, tokens_[end].end, {});
}

// Would one of the names in [begin, end) mean a parameter in the kernel's body?
bool Rewriter::names_a_parameter(const Kernel& kernel, uint32_t begin, uint32_t end) const {
  for (uint32_t p = kernel.parameters + 1; p < tokens_[kernel.parameters].match; ++p) {
    const bool ends = tokens_.is(p + 1, ',') || tokens_.is(p + 1, ')') || tokens_.is(p + 1, '=') ||
                      tokens_.is(p + 1, '[');
    if (!ends || !is_name(p)) continue;
    for (uint32_t t = begin; t < end; ++t)
      if (tokens_.is(t, tokens_.spelling(p))) return true;
  }
  return false;
}

// Calls that pass the kernel's __launch_bounds__ and __cluster_dims__ to the runtime at each launch; they may
// stand at the kernel's declaration. Leaves out a bound that would mean something else in the body.
std::string Rewriter::calls_for_bounds(const Kernel& kernel) {
  const uint32_t parameters_end = tokens_[kernel.parameters].match;
  std::string calls, key(tokens_.spelling(kernel.name));
  for (uint32_t t = kernel.begin; t < tokens_.size() && t != kernel.body; ++t) {
    if (t > parameters_end && tokens_.is(t, ';')) break;
    if (t == kernel.parameters) {
      if (t + 1 < parameters_end) key += '1';
      for (; t < parameters_end; ++t)
        if (tokens_.is(t, ',')) key += ',';
    }
    const uint32_t end = end_of_launch_bounds(t);
    if (end == kNone || names_a_parameter(kernel, t + 1, end)) continue;
    if (tokens_.is(t, "__cluster_dims__")) calls += " ::cpu_device::cluster" + text_of(t + 1, end + 1) + ";";
    if (tokens_.is(t, "__launch_bounds__"))
      calls += " ::cpu_device::launch_bounds" + text_of(t + 1, end + 1) + ";";
    t = end;
  }
  // The same head of a template, so that its parameters have the same names.
  if (tokens_.is(kernel.begin, "template") && tokens_.is(kernel.begin + 1, '<')) {
    const uint32_t close = end_of_angles(kernel.begin + 1, kernel.name);
    if (close != kNone) key += text_of(kernel.begin, close + 1);
  }
  if (kernel.body == kNone) {
    if (!calls.empty()) declared_bounds_[key] = calls;
    return {};
  }
  const auto declared = declared_bounds_.find(key);
  return calls.empty() && declared != declared_bounds_.end() ? declared->second : calls;
}

Rewriter::Kernel Rewriter::parse_kernel(uint32_t global) {
  Kernel kernel;
  kernel.begin = begin_of_statement(global, kernel_search_);
  uint32_t name = kNone;          // The identifier that parentheses here would belong to.
  bool after_parameters = false;  // No more candidates: a result type or constraint follows.
  uint32_t i = global + 1;
  for (bool done = false; !done && i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::kIdentifier) {
      if (token.word == Word::kGlobal && kernel.name != kNone) break;
      const std::string_view word = tokens_.spelling(i);
      if (kernel.name != kNone && word == "requires") after_parameters = true;
      name = is_attribute_like(word) || word == "void" ? kNone : i;
      continue;
    }
    switch (token.first) {
      case '(':
        if (token.match == kNone) {
          if (name != kNone && !after_parameters) {
            kernel.name = name;
            kernel.parameters = i;
          }
          done = true;
          break;
        }
        if (tokens_.is(token.match + 1, '(') && tokens_.is_identifier(i + 1) &&
            token.match == i + 2 && kernel.name == kNone) {
          name = i + 1;  // void (name)(parameters)
          i = token.match;
          break;
        }
        if (name != kNone && !after_parameters) {
          kernel.name = name;
          kernel.parameters = i;
        }
        name = kNone;
        i = token.match;
        break;
      case '[':
        name = kNone;
        if (token.match == kNone) {
          done = true;
        } else {
          i = token.match;
        }
        break;
      case '<': {
        const uint32_t close = end_of_angles(i, i + kMaxAngles);
        if (close == kNone) {
          done = true;
        } else {
          i = close;  // `name` stays: k<float>(...)
        }
        break;
      }
      case '-':
        if (tokens_.is_arrow(i)) after_parameters = true;
        break;
      case '{':
        if (kernel.name != kNone) kernel.body = i;
        done = true;
        break;
      case ';':
      case '=':
      case ')':
      case ']':
      case '}':
        done = true;
        break;
      case ':':
        name = kNone;
        done = !tokens_.is_scope(i);
        break;
      default:
        name = kNone;
    }
  }
  kernel_search_ = i;
  return kernel;
}

// Reports what CUDA forbids. False if the body must not be rewritten.
bool Rewriter::check_kernel(uint32_t global, const Kernel& kernel) {
  const std::string name = "'" + std::string(tokens_.spelling(kernel.name)) + "'";
  const uint32_t parameters_end = tokens_[kernel.parameters].match;
  if (parameters_end == kNone) {
    error(kernel.name, "the ')' after the parameters of kernel " + name + " is missing");
    return false;
  }

  bool is_friend = false, returns_value = false, returns_void = false;
  for (uint32_t t = kernel.begin; t < kernel.name; ++t) {
    if (tokens_.is(t, '<')) {
      const uint32_t close = end_of_angles(t, kernel.name);
      if (close == kNone) break;
      t = close;
    } else if (tokens_.is(t, '(') || tokens_.is(t, '[')) {
      if (tokens_[t].match == kNone) break;
      t = tokens_[t].match;
    } else if (tokens_.is_identifier(t)) {
      const std::string_view word = tokens_.spelling(t);
      is_friend |= word == "friend";
      returns_value |= is_builtin_type(word);
      const bool is_pointer = tokens_.is(t + 1, '*') || tokens_.is(t + 1, '&');
      returns_value |= word == "void" && is_pointer;
      returns_void |= word == "void" && !is_pointer;
    }
  }
  returns_value &= !returns_void;  // Both: the line before has no semicolon.
  for (uint32_t t = parameters_end + 1; t < tokens_.size() && t < parameters_end + 16; ++t) {
    if (tokens_.is(t, '{') || tokens_.is(t, ';')) break;
    if (tokens_.is_arrow(t) && tokens_.is_identifier(t + 1)) {
      returns_value |= is_builtin_type(tokens_.spelling(t + 1));
    }
  }
  if (returns_value) {
    error(kernel.name, "kernel " + name + " must return void");
    return false;
  }
  if (scope_around(global) == Scope::kClass && !is_friend) {
    error(kernel.name, "kernel " + name +
                           " cannot be a member of a class. Move it outside, and pass its data as "
                           "arguments");
    return false;
  }
  if (!check_parameters(kernel)) return false;
  if (kernel.body != kNone && tokens_.is(kernel.body - 1, "try")) {
    error(kernel.name, "kernel " + name + " cannot have a try block: device code has no exceptions");
    return false;
  }
  return true;
}

// Collects the names of references, which are good for managed memory.
bool Rewriter::check_parameters(const Kernel& kernel, std::vector<uint32_t>* references) {
  const std::string name = "'" + std::string(tokens_.spelling(kernel.name)) + "'";
  const uint32_t end = tokens_[kernel.parameters].match;
  bool in_default_argument = false;
  for (uint32_t t = kernel.parameters + 1; t < end; ++t) {
    const char c = tokens_[t].first;
    if (c == ',') {
      in_default_argument = false;
    } else if (c == '=') {
      in_default_argument = true;
    } else if (c == '<' && t > 0 && tokens_.is_identifier(t - 1)) {
      const uint32_t close = end_of_angles(t, end);
      if (close != kNone) t = close;
    } else if (in_default_argument && (c == '(' || c == '[' || c == '{')) {
      if (tokens_[t].match == kNone) return true;
      t = tokens_[t].match;
    } else if (c == '(' || c == '[' || c == '{') {
      if (tokens_[t].match == kNone) return true;
      if (c != '(' || !tokens_.is(t + 1, '&')) t = tokens_[t].match;
    } else if (c == '&' && !in_default_argument && tokens_.is_identifier(t + 1)) {
      if (references != nullptr) references->push_back(t + 1);
    } else if (c == '&' && !in_default_argument && (tokens_.is(t + 1, '&') || tokens_.is(t + 1, '.'))) {
      error(kernel.name, "kernel " + name +
                             " has a reference parameter, but a GPU cannot access host memory. "
                             "Pass a value, or a pointer to device memory");
      return false;
    } else if (c == '.' && tokens_.is(t + 1, '.') && tokens_.is(t + 2, '.') &&
               (tokens_.is(t - 1, ',') || t == kernel.parameters + 1)) {
      error(kernel.name, "kernel " + name + " cannot have a variable number of arguments ('...')");
      return false;
    }
  }
  return true;
}

// A call that passes the names and values of the kernel's parameters; empty if it has none.
std::string Rewriter::name_parameters(const Kernel& kernel) const {
  std::string names;
  const uint32_t end = tokens_[kernel.parameters].match;
  const auto add = [&](uint32_t separator) {  // the parameter that ends before it
    const uint32_t name = separator - 1;
    if (!is_name(name) || is_builtin_type(tokens_.spelling(name))) return;
    const uint32_t before = name - 1;
    if (before == kernel.parameters || tokens_.is(before, ',') || tokens_.is_scope(before)) return;
    names += (names.empty() ? "" : ", ") + std::string(tokens_.spelling(name));
    if (tokens_.is(before, '.')) names += "...";
  };
  bool done = false;  // with this parameter
  for (uint32_t t = kernel.parameters + 1; t <= end; ++t) {
    const char c = tokens_[t].first;
    if (t == end || c == ',') {
      if (!done) add(t);
      done = false;
    } else if (c == '=' || c == '[') {
      if (!done) add(t);
      done = true;
      if (c == '[') t = tokens_[t].match;
    } else if (c == '(' || c == '{') {
      done = true;
      t = tokens_[t].match;
    } else if (c == '<' && tokens_.is_identifier(t - 1)) {
      const uint32_t close = end_of_angles(t, end);
      if (close != kNone) t = close;
    }
    if (t == kNone) return "";
  }
  if (names.empty()) return "";
  return " ::cpu_device::name_parameters(\"" + names + "\", " + names + ");";
}

// The kernel as __PRETTY_FUNCTION__ would show it: `void dot(float *a, int n)`.
std::string Rewriter::signature(const Kernel& kernel) const {
  std::string text;
  const uint32_t end = tokens_[kernel.parameters].match;
  for (uint32_t t = kernel.begin; t <= end && t < tokens_.size(); ++t) {
    if (tokens_[t].word == Word::kGlobal || tokens_.is(t, "static") || tokens_.is(t, "inline") ||
        tokens_.is(t, "extern") || (t < kernel.name && tokens_[t].kind == Kind::kString)) {
      continue;
    }
    const uint32_t bounds_end = end_of_launch_bounds(t);
    if (bounds_end != kNone) {
      t = bounds_end;
      continue;
    }
    if (tokens_.is(t, "template") && tokens_.is(t + 1, '<')) {
      const uint32_t close = end_of_angles(t + 1, kernel.name);
      if (close != kNone) {
        t = close;
        continue;
      }
    }
    if (!text.empty() && tokens_[t].begin > tokens_[t - 1].end) text += ' ';
    text += tokens_.spelling(t);
  }
  return text;
}

// In a kernel, __func__ would name the lambda.
void Rewriter::function_name(uint32_t i) {
  if (tokens_[i].begin >= kernel_end_) return;
  const bool pretty = tokens_.is(i, "__PRETTY_FUNCTION__");
  replace(
      tokens_[i].begin, tokens_[i].end,
      quoted_literal(pretty ? signature(kernel_) : std::string(tokens_.spelling(kernel_.name))));
}

// A kernel's address that is made a void* loses what the kernel's parameters are, and
// cudaLaunchKernel() needs them: `(void*)kernel` and `reinterpret_cast<void*>(&kernel)` pass
// through a function that notes them down.
void Rewriter::kernel_addresses() {
  if (kernel_names_.empty()) return;
  for (uint32_t i = 1; i + 3 < tokens_.size(); ++i) {
    if (!tokens_.is(i, '*')) continue;
    uint32_t left = i - 1;
    if (tokens_.is(left, "const") && left > 0) --left;
    if (!tokens_.is(left, "void") || left == 0) continue;
    --left;
    if (tokens_.is(left, "const") && left > 0) --left;
    uint32_t first = kNone;
    if (tokens_.is(left, '(') && tokens_.is(i + 1, ')')) first = i + 2;
    if (tokens_.is(left, '<') && tokens_.is(i + 1, '>') && tokens_.is(i + 2, '(')) first = i + 3;
    if (first == kNone) continue;
    uint32_t name = first;  // The last of a qualified one.
    if (tokens_.is(name, '&')) ++name;
    if (tokens_.is_scope(name)) ++name;
    while (tokens_.is_scope(name + 1) && tokens_.is_identifier(name + 2)) name += 2;
    if (!tokens_.is_identifier(name)) continue;
    const auto kernel = kernel_names_.find(tokens_.spelling(name));
    if (kernel == kernel_names_.end() || kernel->second > name) continue;
    uint32_t last = name;
    if (tokens_.is(name + 1, '<')) {
      last = end_of_angles(name + 1, name + 1 + kMaxAngles);
      if (last == kNone) continue;
    }
    if (tokens_.is(last + 1, '(') || tokens_.is(last + 1, '.')) continue;
    insert_before(first, "::cpu_device::kernel_address(");
    insert_after(last, ")");
  }
}

}  // namespace cpu_device
