#include "kernel_plan.h"

#include <algorithm>

namespace cpu_device {
namespace {

// Only `return;`, `break;` or `continue;`.
bool only_leaves(const Statement& s) {
  if (s.kind == Statement::kCompound) return s.parts.size() == 1 && only_leaves(*s.parts[0]);
  return s.kind == Statement::kReturn || s.kind == Statement::kOther;
}

bool repeats(const Statement& s) { return s.kind == Statement::kFor || s.kind == Statement::kWhile || s.kind == Statement::kDo; }
// A continue that leaves the statement.
bool has_continue(const Statement& s) {
  if (repeats(s)) return false;
  return s.continues || std::any_of(s.parts.begin(), s.parts.end(), [](const auto& part) { return has_continue(*part); });
}

}  // namespace

bool has_jump(const Statement& s) {
  if (repeats(s)) return false;
  if (s.kind == Statement::kSwitch) return has_continue(s);
  if (s.kind == Statement::kOther) return true;  // break, continue
  return std::any_of(s.parts.begin(), s.parts.end(), [](const auto& part) { return has_jump(*part); });
}

bool has_return(const Statement& s) {
  if (s.kind == Statement::kReturn) return true;
  return std::any_of(s.parts.begin(), s.parts.end(), [](const auto& part) { return has_return(*part); });
}

std::vector<const Statement*> statements_of(const Statement& s) {
  if (s.kind != Statement::kCompound) return {&s};
  std::vector<const Statement*> list;
  for (const auto& part : s.parts) list.push_back(part.get());
  return list;
}

KernelPlan::KernelPlan(const Tokens& tokens, const KernelCode& code, const NeverWaits& never_waits)
    : tokens_(tokens), code_(code), never_waits_(never_waits) {
  for (uint32_t i = code_.begin(); i < code_.end(); ++i)
    if (tokens_.is(i, "__syncthreads")) barriers_.push_back(i);
  for (const Variable& v : code_.variables())
    if (v.is_parameter && !v.changes.empty()) fail(v.changes[0], "a parameter is changed");
  for (std::vector<bool>* flags : {&planned_, &of_stride_, &joint_}) flags->assign(code_.variables().size(), false);
  find_levels();
  plan_block(statements_of(code_.body()), nodes_);
  if (problem_.empty()) check_counters(nodes_);
}

// What changes a counter must be a statement for all lanes at once: in a loop over the lanes each would do it.
void KernelPlan::check_counters(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) {
    for (const Piece& piece : node.pieces)
      for (uint32_t i = piece.statement->begin; i < piece.statement->end; ++i) {
        const uint32_t v = code_.variable_at(i);
        if (v == kNone || !planned_[v] || !is_counter(v) || is_declared_in(v, *piece.statement)) continue;
        const auto& changes = code_.variables()[v].changes;
        if (std::find(changes.begin(), changes.end(), i) != changes.end()) return fail(i, "a counter that lanes change");
      }
    check_counters(node.parts);
    check_counters(node.otherwise);
  }
}

void KernelPlan::fail(uint32_t i, const std::string& why) {
  if (problem_.empty()) problem_ = why + ", line " + std::to_string(tokens_.locate(tokens_[i].begin).line);
}

bool KernelPlan::is_declared_in(uint32_t v, const Statement& s) const {
  return s.begin <= code_.variables()[v].name && code_.variables()[v].name < s.end;
}

bool KernelPlan::contains_barrier(uint32_t begin, uint32_t end) const {
  return std::any_of(barriers_.begin(), barriers_.end(), [&](uint32_t b) { return begin <= b && b < end; });
}

bool KernelPlan::is_constant(uint32_t v) const {
  return code_.variables()[v].changes.empty() && (levels_[v] != Level::kThread || affine_[v]);
}

bool KernelPlan::is_of_block(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  return levels_[v] == Level::kBlock && contains_barrier(variable.known_from, variable.known_to);
}

// ---- levels ----

// How much the expression differs between threads, if it touches no memory; else as much as can be.
Level KernelPlan::level_of(uint32_t begin, uint32_t end) const {
  Level level = Level::kBlock;
  for (uint32_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::kNumber || token.kind == Kind::kCharacter) continue;
    if (token.kind == Kind::kString) return Level::kThread;
    if (token.kind == Kind::kPunctuator) {
      const char c = token.first;
      if (c == '[' || c == '{' || c == ';' || code_.is_assignment(i) || tokens_.is_arrow(i)) return Level::kThread;
      if ((c == '+' || c == '-') && code_.is_twice(i, c)) return Level::kThread;
      if ((c == '*' || c == '&') && !code_.is_binary(i) && !(c == '&' && tokens_.is(i - 1, '&'))) return Level::kThread;
      continue;
    }
    const std::string_view name = tokens_.spelling(i);
    if (name == "blockIdx" || name == "blockDim" || name == "gridDim" || name == "threadIdx") {
      if (!tokens_.is(i + 1, '.')) return Level::kThread;
      if (name == "threadIdx") {
        if (tokens_.is(i + 2, "x")) return Level::kThread;
        level = std::max(level, Level::kRow);
      }
      i += 2;
      continue;
    }
    const uint32_t v = code_.variable_at(i);
    if (v != kNone) {
      const Variable& variable = code_.variables()[v];
      if (variable.is_shared || variable.is_reference || variable.is_array) return Level::kThread;
      level = std::max(level, levels_[v]);
      while (tokens_.is(i + 1, '.') && tokens_.is_identifier(i + 2) && !tokens_.is(i + 3, '(')) i += 2;
    } else if (tokens_.is_scope(i + 1)) {
      continue;  // `cx::` of `cx::pow2ceil(n)`
    } else if (tokens_.is(i + 1, '(')) {
      if (never_waits_.is_of_program(name) ? !never_waits_.only_computes(name)
                                           : !NeverWaits::is_pure(name) && !is_type_word(name) && name != "sizeof")
        return Level::kThread;
      if (never_waits_.may_change_arguments(name)) return Level::kThread;
      if (name == "sizeof") i = tokens_[i + 1].match;
    } else if (name == "static_cast") {
      while (i + 1 < end && !tokens_.is(i + 1, '(')) ++i;
    } else if (!is_type_word(name) && !never_waits_.is_constant(name) && name != "true" && name != "false" &&
               name != "warpSize" && name != "size_t" && name != "const" && name != "nullptr") {
      return Level::kThread;
    }
    if (level == Level::kThread) return level;
  }
  return level;
}

Level KernelPlan::level_of_change(const Change& change) const {
  Level level = level_of(change.begin, change.end);
  const uint32_t known_from = code_.variables()[change.variable].known_from;
  for (const Statement* s : change.around) {
    // What is around the declaration, too, decides which threads have the variable, not what it is for them.
    const bool in_head = s->first && s->first->begin <= known_from && known_from < s->first->end;
    if (s->begin < known_from && !in_head) continue;
    // Each lane goes through these by itself.
    if (s->kind == Statement::kDo || s->kind == Statement::kSwitch) return Level::kThread;
    const bool is_loop = s->kind == Statement::kFor || s->kind == Statement::kWhile;
    if (is_loop && (has_return(*s->parts[0]) || has_jump(*s->parts[0]))) return Level::kThread;
    if (is_loop || s->kind == Statement::kIf) level = std::max(level, level_of(s->condition_begin, s->condition_end));
  }
  return level;
}

// `name = e`, `name += e`, `++name`, `name++`, and such with commas between them.
void KernelPlan::add_change(uint32_t begin, uint32_t end, const std::vector<const Statement*>& around) {
  uint32_t i = begin;
  while (i < end) {
    uint32_t stop = i;
    while (stop < end && !tokens_.is(stop, ',')) {
      const char c = tokens_[stop].first;
      stop = (c == '(' || c == '[' || c == '{' ? tokens_[stop].match : stop) + 1;
    }
    const bool prefix = code_.is_twice(i, '+') || code_.is_twice(i, '-');
    const uint32_t name = prefix ? i + 2 : i;
    const uint32_t v = code_.variable_at(name);
    if (v != kNone) {
      const bool postfix = code_.is_twice(name + 1, '+') || code_.is_twice(name + 1, '-');
      if (prefix && name + 1 == stop) changes_.push_back({v, name, name + 1, around});
      if (postfix && name + 3 == stop) changes_.push_back({v, name, name + 1, around});
      if (!prefix && code_.is_assignment(name + 1)) {
        uint32_t value = name + 1;
        while (!tokens_.is(value, '=')) ++value;
        changes_.push_back({v, value + 1, stop, around});
        changes_.back().variable = v;
      }
    }
    i = stop + 1;
  }
}

void KernelPlan::find_changes(const Statement& s, std::vector<const Statement*>& around) {
  if (s.kind == Statement::kExpression) add_change(s.begin, s.end - 1, around);
  around.push_back(&s);
  if (s.first && s.first->kind == Statement::kExpression) add_change(s.first->begin, s.first->end - 1, around);
  if (s.kind == Statement::kFor) add_change(s.step_begin, s.step_end, around);
  for (const auto& part : s.parts) find_changes(*part, around);
  around.pop_back();
}

// A constant is computed again in each region: what it is made of must not have changed.
bool KernelPlan::depends_on_moving_counter(uint32_t v) const {
  const Variable& variable = code_.variables()[v];
  if (variable.init_begin == kNone) return false;
  const bool crosses = contains_barrier(variable.known_from, variable.known_to);
  for (uint32_t i = variable.init_begin; i < variable.init_end; ++i) {
    const uint32_t used = code_.variable_at(i);
    if (used == kNone) continue;
    const Variable& other = code_.variables()[used];
    if (other.changes.empty()) continue;
    if (crosses && !contains_barrier(other.known_from, other.known_to)) return true;
    for (const uint32_t change : other.changes)
      if (variable.known_from <= change && change < variable.known_to) return true;
  }
  return false;
}

bool KernelPlan::has_integer_type(const Variable& v) const {
  if (v.is_pointer || v.is_reference || v.is_array) return false;
  bool known = false;
  for (uint32_t t = v.type_begin; t < v.type_end; ++t) {
    const std::string_view word = tokens_.spelling(t);
    if (word == "int" || word == "unsigned" || word == "long" || word == "size_t" || word == "uint" || word == "int32_t" ||
        word == "uint32_t" || word == "int64_t" || word == "uint64_t" || word == "auto")
      known = true;
    else if (word != "const" && word != "std" && !tokens_.is_scope(t))
      return false;
  }
  return known;
}

// Moves i to the `>` of `static_cast<int>`, if that begins there.
bool KernelPlan::skip_cast(uint32_t& i) const {
  const uint32_t before = i;
  i = code_.end_of_cast(i);
  return i != before;
}

// `int(threadIdx.x)` and the like: it fits into these types, so that neighbors stay neighbors.
bool KernelPlan::is_cast_of_thread(uint32_t begin, uint32_t end) const {
  uint32_t type = begin, type_end = begin + 1, open = begin + 1;
  if (tokens_.is(begin, "static_cast")) {
    type = begin + 2;
    type_end = code_.end_of_cast(begin);
    open = type_end + 1;
  }
  if (!tokens_.is(open, '(') || tokens_[open].match + 1 != end || end != open + 5) return false;
  for (; type < type_end; ++type)
    if (!tokens_.is(type, "int") && !tokens_.is(type, "unsigned") && !tokens_.is(type, "long") && !tokens_.is(type, "size_t"))
      return false;
  return is_affine_name(open + 1, end - 1) && tokens_.is(open + 1, "threadIdx");
}

bool KernelPlan::is_affine_name(uint32_t begin, uint32_t end) const {
  if (end > begin + 3 && is_cast_of_thread(begin, end)) return true;
  if (end == begin + 3 && tokens_.is(begin, "threadIdx") && tokens_.is(begin + 1, '.') && tokens_.is(begin + 2, "x"))
    return true;
  if (end != begin + 1) return false;
  const uint32_t v = code_.variable_at(begin);
  return v != kNone && (joint_[v] || (affine_[v] && code_.variables()[v].changes.empty()));
}

// A sum of threadIdx.x, or of a variable that is one, and of what is the same for the row.
bool KernelPlan::is_affine_sum(uint32_t begin, uint32_t end) const {
  while (tokens_.is(begin, '(') && tokens_[begin].match == end - 1) ++begin, --end;
  int found = 0;
  bool positive = true;
  for (uint32_t term = begin; term < end;) {
    uint32_t stop = term;
    for (; stop < end; ++stop) {
      if (skip_cast(stop)) continue;
      const char c = tokens_[stop].first;
      if (c == '(' || c == '[') {
        stop = tokens_[stop].match;
        continue;
      }
      if (c == '<' || c == '>' || c == '?' || c == ':' || c == '&' || c == '|' || c == '^' || c == '=' || c == ',')
        if (!tokens_.is_scope(stop)) return false;
      if ((c == '+' || (c == '-' && !tokens_.is_arrow(stop))) && stop > term && code_.is_binary(stop)) break;
    }
    uint32_t first = term, last = stop;
    while (tokens_.is(first, '(') && tokens_[first].match == last - 1) ++first, --last;
    if (is_affine_name(first, last)) {
      if (!positive) return false;
      ++found;
    } else if (first != term && is_affine_sum(first, last)) {
      if (!positive) return false;
      ++found;
    } else if (level_of(term, stop) == Level::kThread) {
      return false;
    }
    positive = tokens_.is(stop, '+');
    term = stop + 1;
  }
  return found == 1;
}

bool KernelPlan::is_sum_with_lane(uint32_t begin, uint32_t end) const {
  if (end == begin + 3 && tokens_.is(begin, "threadIdx")) return false;  // The compiler knows as much.
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v != kNone && !planned_[v] && !code_.variables()[v].is_parameter) return false;
    if (tokens_.is(i, '/') || tokens_.is(i, '%') || tokens_.is(i, '[')) return false;
  }
  return is_affine_sum(begin, end);
}

// From the best case on, until nothing changes.
void KernelPlan::find_levels() {
  const auto& variables = code_.variables();
  levels_.assign(variables.size(), Level::kBlock);
  affine_.assign(variables.size(), false);
  std::vector<const Statement*> around;
  find_changes(code_.body(), around);
  for (uint32_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    if (variable.is_parameter) continue;
    const auto simple = std::count_if(changes_.begin(), changes_.end(), [v](const Change& c) { return c.variable == v; });
    const bool plain = !variable.is_array && !variable.is_reference && !variable.is_shared && !variable.escapes &&
                       static_cast<size_t>(simple) == variable.changes.size() &&
                       (variable.init == 0 || variable.init == '=');
    if (!plain || (variable.init == 0 && variable.changes.empty())) levels_[v] = Level::kThread;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t v = 0; v < variables.size(); ++v) {
      const Variable& variable = variables[v];
      if (variable.is_parameter || levels_[v] == Level::kThread) continue;
      Level level = levels_[v];
      if (variable.init == '=') level = std::max(level, level_of(variable.init_begin, variable.init_end));
      for (const Change& change : changes_)
        if (change.variable == v) level = std::max(level, level_of_change(change));
      if (variable.changes.empty() && depends_on_moving_counter(v)) level = Level::kThread;
      if (!variable.changes.empty() && level == Level::kRow && contains_barrier(variable.known_from, variable.known_to))
        level = Level::kThread;
      if (level != levels_[v]) {
        levels_[v] = level;
        changed = true;
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t v = 0; v < variables.size(); ++v) {
      const Variable& variable = variables[v];
      if (affine_[v] || levels_[v] != Level::kThread || variable.is_parameter || !variable.changes.empty() || variable.escapes ||
          variable.init != '=' || !has_integer_type(variable) || depends_on_moving_counter(v))
        continue;
      affine_[v] = is_affine_sum(variable.init_begin, variable.init_end);
      changed |= affine_[v];
    }
  }
}

// ---- what may be done twice ----

// No assignment, and no call but of functions that only compute. It may read memory.
bool KernelPlan::is_pure(uint32_t begin, uint32_t end) const {
  for (uint32_t i = begin; i < end; ++i) {
    if (code_.is_assignment(i)) return false;
    if (code_.is_twice(i, '+') || code_.is_twice(i, '-')) return false;
    const bool call = tokens_.is_identifier(i) && tokens_.is(i + 1, '(');
    if (call && !NeverWaits::is_pure(tokens_.spelling(i)) && !is_type_word(tokens_.spelling(i)) &&
        tokens_.spelling(i) != "sizeof")
      return false;
    if (call && never_waits_.may_change_arguments(tokens_.spelling(i))) return false;
  }
  return true;
}

// `x < n` where one side is first + lane and the other the same for all lanes.
bool KernelPlan::is_monotone_term(uint32_t begin, uint32_t end) const {
  while (tokens_.is(begin, '(') && tokens_[begin].match == end - 1) ++begin, --end;
  if (level_of(begin, end) != Level::kThread) return true;
  for (uint32_t i = begin; i < end; ++i) {
    if (skip_cast(i)) continue;
    const char c = tokens_[i].first;
    if (c == '(' || c == '[') {
      i = tokens_[i].match;
      continue;
    }
    if (c != '<' && c != '>') continue;
    if (code_.is_twice(i, c)) return false;
    const uint32_t right = code_.is_twice(i, c) ? i : (tokens_.adjacent(i) && tokens_.is(i + 1, '=') ? i + 2 : i + 1);
    const bool left_moves = is_affine_name(begin, i), right_moves = is_affine_name(right, end);
    if (left_moves) return level_of(right, end) != Level::kThread;
    if (right_moves) return level_of(begin, i) != Level::kThread;
    return false;
  }
  return false;
}

// `moving`: how many of its terms are not the same for all lanes.
bool KernelPlan::is_monotone(uint32_t begin, uint32_t end, char joined_by, unsigned& moving) const {
  moving = 0;
  while (tokens_.is(begin, '(') && tokens_[begin].match == end - 1) ++begin, --end;
  for (uint32_t term = begin; term < end;) {
    uint32_t stop = term;
    while (stop < end && !code_.is_twice(stop, joined_by)) {
      const char c = tokens_[stop].first;
      if (c == '?' || code_.is_twice(stop, joined_by == '&' ? '|' : '&')) return false;
      stop = (c == '(' || c == '[' ? tokens_[stop].match : stop) + 1;
    }
    if (!is_monotone_term(term, stop)) return false;
    moving += level_of(term, stop) == Level::kThread;
    term = stop + 2;
  }
  return true;
}

// Of a condition whose terms are joined by `&&`; `negative`: by `||`, and threads leave for which it holds. Once
// such a term has decided that a thread is done, it does so for all with greater x.
std::vector<LastingTerm> KernelPlan::lasting_terms(uint32_t begin, uint32_t end, bool negative) const {
  std::vector<LastingTerm> found;
  const char joined_by = negative ? '|' : '&', other = negative ? '&' : '|';
  while (tokens_.is(begin, '(') && tokens_[begin].match == end - 1) ++begin, --end;
  for (uint32_t term = begin; term < end;) {
    uint32_t stop = term, sign = kNone;
    for (; stop < end && !code_.is_twice(stop, joined_by); ++stop) {
      if (skip_cast(stop)) continue;
      const char c = tokens_[stop].first;
      if (c == '?' || c == ',' || code_.is_twice(stop, other)) return {};
      if (c == '(' || c == '[') stop = tokens_[stop].match;
      if (c == '<' || c == '>' || (c == '=' && sign == kNone && code_.is_twice(stop, '='))) {
        if (sign != kNone || code_.is_twice(stop, '<') || code_.is_twice(stop, '>')) return {};
        sign = stop;
        if (tokens_.is(stop + 1, '=') && tokens_.adjacent(stop)) ++stop;
      }
    }
    uint32_t left = term, right_end = stop;
    while (tokens_.is(left, '(') && tokens_[left].match == right_end - 1) ++left, --right_end;
    if (sign != kNone && sign > left) {
      const bool with_equals = tokens_.is(sign + 1, '=') && tokens_.adjacent(sign);
      const uint32_t right = sign + (with_equals ? 2 : 1);
      const bool equality = tokens_.is(sign, '=');
      const bool left_moves = is_affine_name(left, sign), right_moves = is_affine_name(right, right_end);
      // `x < n` and `n > x` no longer hold, `x >= n` and `n <= x` hold from then on.
      const bool less = tokens_.is(sign, left_moves ? '<' : '>');
      LastingTerm one{left, right_end, left, sign, right, right_end, equality};
      if (!left_moves) one = {left, right_end, right, right_end, left, sign, equality};
      if (left_moves != right_moves && level_of(one.other_begin, one.other_end) != Level::kThread &&
          (equality ? !negative : less != negative))
        found.push_back(one);
    }
    term = stop + 2;
  }
  return found;
}

bool KernelPlan::is_change_of_counter(const Statement& s, bool of_block) const {
  if (s.kind != Statement::kExpression) return false;
  bool any = false;
  for (uint32_t i = s.begin; i < s.end; ++i) {
    const uint32_t v = code_.variable_at(i);
    if (v == kNone) continue;
    const auto& changes = code_.variables()[v].changes;
    if (std::find(changes.begin(), changes.end(), i) == changes.end()) continue;
    if (!is_counter(v) || is_of_block(v) != of_block) return false;
    any = true;
  }
  return any;
}

// ---- the order of things ----

void KernelPlan::flush(std::vector<const Statement*>& pending, std::vector<Node>& nodes) {
  if (pending.empty()) return;
  if (returning_region_ >= 0) return fail(pending[0]->begin, "threads leave the kernel before a barrier");
  Node region;
  region.kind = Node::kRegion;
  region.region = next_region_;
  bool leading = true;
  plan_lanes(pending, leading, true, region.parts);
  next_region_++;
  pending.clear();
  nodes.push_back(std::move(region));
}

void KernelPlan::plan_block_loop(const Statement& s, std::vector<Node>& nodes) {
  if (s.kind == Statement::kDo || s.kind == Statement::kSwitch) return fail(s.begin, "a barrier in a 'do' or a 'switch'");
  if (level_of(s.condition_begin, s.condition_end) != Level::kBlock)
    return fail(s.begin, "a barrier under a condition that may differ between threads");
  Node node;
  node.statement = &s;
  node.kind = s.kind == Statement::kIf ? Node::kIf : Node::kLoop;
  if (s.first) {
    if (s.first->kind == Statement::kDeclaration) {
      for (const uint32_t v : s.first->variables) {
        if (levels_[v] != Level::kBlock) return fail(s.begin, "a loop around a barrier that may differ between threads");
        planned_[v] = true;
      }
    } else if (!is_change_of_counter(*s.first, true)) {
      return fail(s.begin, "a loop around a barrier that is not understood");
    }
  }
  if (s.kind == Statement::kFor && s.step_begin < s.step_end) {
    bool counts = false;
    for (const Change& change : changes_)
      counts |= change.begin >= s.step_begin && change.end <= s.step_end && is_counter(change.variable);
    if (!counts) return fail(s.begin, "a loop around a barrier that is not understood");
  }
  has_written_ |= node.kind == Node::kLoop;  // by what comes later in its body
  plan_block(statements_of(*s.parts[0]), node.parts);
  if (node.kind == Node::kLoop && returning_region_ >= 0) fail(s.begin, "threads leave the kernel in a loop with a barrier");
  if (s.parts.size() > 1) plan_block(statements_of(*s.parts[1]), node.otherwise);
  nodes.push_back(std::move(node));
}

// One that the block function can begin with: of the kernel's outermost braces, and made of no variable.
bool KernelPlan::is_type_of_kernel(const Statement& s) const {
  const auto& all = code_.body().parts;
  if (s.kind != Statement::kType || std::none_of(all.begin(), all.end(), [&](const auto& part) { return part.get() == &s; })) return false;
  for (uint32_t t = s.begin; t < s.end; ++t)
    if (code_.variable_at(t) != kNone) return false;
  return true;
}

void KernelPlan::plan_block(const std::vector<const Statement*>& list, std::vector<Node>& nodes) {
  std::vector<const Statement*> pending;
  for (const Statement* s : list) {
    if (!problem_.empty()) return;
    Node node;
    node.statement = s;
    if (s->kind == Statement::kEmpty) continue;
    if (s->kind == Statement::kType) {
      if (is_type_of_kernel(*s)) continue;
      return fail(s->begin, "a type within a statement, or of a variable");
    }
    if (plan_question(*s, pending, nodes)) continue;
    has_written_ |= !s->has_barrier && !leaves_memory_alone(*s);
    if (s->kind == Statement::kShared) {
      node.kind = Node::kShared;
      for (const uint32_t v : s->variables) planned_[v] = true;
      nodes.push_back(std::move(node));
    } else if (s->kind == Statement::kBarrier) {
      flush(pending, nodes);
    } else if (s->kind == Statement::kCompound && s->has_barrier) {
      flush(pending, nodes);
      node.kind = Node::kScope;
      plan_block(statements_of(*s), node.parts);
      nodes.push_back(std::move(node));
    } else if (s->has_barrier) {
      flush(pending, nodes);
      plan_block_loop(*s, nodes);
    } else if (is_change_of_counter(*s, true)) {
      flush(pending, nodes);
      node.kind = Node::kUniform;
      nodes.push_back(std::move(node));
    } else if (s->kind == Statement::kIf && s->parts.size() == 1 && only_leaves(*s->parts[0]) && !barriers_.empty() &&
               level_of(s->condition_begin, s->condition_end) == Level::kBlock) {
      flush(pending, nodes);
      node.kind = Node::kUniform;
      nodes.push_back(std::move(node));
    } else if (s->kind == Statement::kDeclaration &&
               std::any_of(s->variables.begin(), s->variables.end(), [&](uint32_t v) { return is_of_block(v); })) {
      flush(pending, nodes);
      for (const uint32_t v : s->variables) {
        if (!is_of_block(v)) {
          if (pending.empty()) pending.push_back(s);  // the rest of it
          continue;
        }
        Node one;
        one.kind = is_counter(v) ? Node::kCounter : Node::kConstant;
        one.variable = v;
        one.statement = s;
        planned_[v] = true;
        nodes.push_back(std::move(one));
      }
    } else {
      pending.push_back(s);
    }
  }
  flush(pending, nodes);
}

void KernelPlan::add_piece(std::vector<Node>& nodes, Piece piece) {
  if (nodes.empty() || nodes.back().kind != Node::kLanes) {
    Node lanes;
    lanes.kind = Node::kLanes;
    lanes.number = next_number_++;
    lanes.region = next_region_;
    nodes.push_back(std::move(lanes));
  }
  nodes.back().pieces.push_back(piece);
}

void KernelPlan::plan_declaration(const Statement& s, bool& leading, std::vector<Node>& nodes) {
  for (const uint32_t v : s.variables) {
    if (planned_[v] && is_of_block(v)) continue;
    const Variable& variable = code_.variables()[v];
    Node node;
    node.statement = &s;
    node.variable = v;
    planned_[v] = true;
    if (affine_[v]) affine_[v] = leading && is_affine_sum(variable.init_begin, variable.init_end);
    if (is_constant(v)) {
      node.kind = Node::kConstant;
    } else if (is_counter(v)) {
      node.kind = Node::kCounter;
    } else {
      add_piece(nodes, {&s, v});
      if (variable.init_begin != kNone) leading &= is_pure(variable.init_begin, variable.init_end);
      continue;
    }
    nodes.push_back(std::move(node));
  }
}

// A loop, an `if` or a block that all lanes go through together.
bool KernelPlan::plan_uniform(const Statement& s, bool is_last, bool& leading, bool last, std::vector<Node>& nodes) {
  Node node;
  node.statement = &s;
  if (s.kind == Statement::kCompound) {
    node.kind = Node::kScope;
    plan_lanes(statements_of(s), leading, last && is_last, node.parts);
    nodes.push_back(std::move(node));
    return true;
  }
  const bool is_loop = s.kind == Statement::kFor || s.kind == Statement::kWhile;
  if (!is_loop && s.kind != Statement::kIf) return false;
  if (level_of(s.condition_begin, s.condition_end) == Level::kThread) return false;
  bool any_return = has_return(s);
  if (is_loop && (any_return || has_jump(*s.parts[0]))) return false;
  if (!is_loop && (any_return || has_jump(s))) return false;
  if (is_loop && s.condition_begin == s.condition_end) return false;
  if (s.first) {
    if (s.first->kind == Statement::kDeclaration) {
      for (const uint32_t v : s.first->variables)
        if (levels_[v] == Level::kThread) return false;
    } else if (!is_change_of_counter(*s.first, false)) {
      return false;
    }
  }
  if (s.kind == Statement::kFor) {
    // Everything in its step moves a counter.
    size_t moved = 0, all = 0;
    for (uint32_t i = s.step_begin; i < s.step_end; ++i) {
      const uint32_t v = code_.variable_at(i);
      if (v == kNone) continue;
      const auto& changes = code_.variables()[v].changes;
      if (std::find(changes.begin(), changes.end(), i) == changes.end()) continue;
      ++all;
      moved += is_counter(v) && !is_of_block(v);
    }
    if (all == 0 || moved != all) return false;
  }
  if (s.first && s.first->kind == Statement::kDeclaration)
    for (const uint32_t v : s.first->variables) planned_[v] = true;
  node.kind = is_loop ? Node::kLoop : Node::kIf;
  bool inner = is_loop ? false : leading;
  plan_lanes(statements_of(*s.parts[0]), inner, !is_loop && last && is_last, node.parts);
  bool other = is_loop ? false : leading;
  if (s.parts.size() > 1) plan_lanes(statements_of(*s.parts[1]), other, !is_loop && last && is_last, node.otherwise);
  leading = leading && !is_loop && inner && other;
  nodes.push_back(std::move(node));
  return true;
}

void KernelPlan::plan_lanes(const std::vector<const Statement*>& list, bool& leading, bool last, std::vector<Node>& nodes) {
  for (size_t k = 0; k < list.size() && problem_.empty(); ++k) {
    const Statement& s = *list[k];
    const bool is_last = k + 1 == list.size();
    if (s.kind == Statement::kEmpty) continue;
    if (s.kind == Statement::kShared) return fail(s.begin, "__shared__ within a statement");
    if (s.kind == Statement::kReturn && last && is_last) {
      returning_region_ = next_region_;
      return;
    }
    if (plan_guard(s, is_last, leading, last, nodes)) continue;
    if (!has_return(s) && s.kind == Statement::kDeclaration) {
      plan_declaration(s, leading, nodes);
      continue;
    }
    if (s.kind == Statement::kType || is_change_of_counter(s, false)) {
      Node node;
      node.kind = Node::kUniform;
      node.statement = &s;
      nodes.push_back(std::move(node));
      continue;
    }
    if (has_return(s)) {
      // The rest is done lane by lane.
      if (!last) return fail(s.begin, "a return in a loop");
      returning_region_ = next_region_;
      for (; k < list.size(); ++k) add_piece(nodes, {list[k], kNone});
      nodes.back().returns = true;
      leading = false;
      return;
    }
    if (plan_uniform(s, is_last, leading, last, nodes)) continue;
    if (plan_stride(s, nodes)) {
      leading = false;
      continue;
    }
    if (has_jump(s)) return fail(s.begin, "a jump out of a loop");
    if (is_change_of_counter(s, true)) return fail(s.begin, "a counter of the block changes within a region");
    add_piece(nodes, {&s, kNone});
    leading = false;
  }
}

}  // namespace cpu_device
