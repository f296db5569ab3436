// Loops such as `for (i = first; i < n; i += stride)` whose variable is first + lane: all lanes take each step
// together, as neighbors, as long as the last of them has one left. What remains is done lane by lane.
#include "kernel_plan.h"

namespace cpu_device {

// The variable of the condition `v < end`, `v <= end` or `end > v`, where the end is the same for all lanes;
// also with `&&` and `||` and more that is the same for all. What holds for the last lane does so for all.
uint32_t KernelPlan::variable_of_stride(const Statement& s) const {
  uint32_t begin = s.condition_begin, end = s.condition_end;
  while (tokens_.is(begin, '(') && tokens_[begin].match == end - 1) ++begin, --end;
  uint32_t found = kNone;
  for (uint32_t i = begin; i < end; ++i) {
    if (skip_cast(i)) continue;
    const char c = tokens_[i].first;
    if (c == '?') return kNone;
    if (c == '(' || c == '[') i = tokens_[i].match;
    if ((c == '=' || c == '!') && !(tokens_.adjacent(i - 1) && (tokens_.is(i - 1, '<') || tokens_.is(i - 1, '>'))))
      return kNone;
    if (c != '<' && c != '>') continue;
    if (found != kNone || tokens_.is_arrow(i - 1) || (tokens_.adjacent(i) && tokens_.is(i + 1, c))) return kNone;
    const uint32_t right = tokens_.adjacent(i) && tokens_.is(i + 1, '=') ? i + 2 : i + 1;
    if (c == '<' && i == begin + 1 && level_of(right, end) != Level::kThread) found = code_.variable_at(begin);
    if (c == '>' && right + 1 == end && level_of(begin, i) != Level::kThread) found = code_.variable_at(right);
    if (found == kNone) return kNone;
  }
  return found;
}

// `v += e`, `v = v + e`, `v++`, `++v`, with something that is the same for all lanes.
bool KernelPlan::is_step_of(uint32_t v, uint32_t begin, uint32_t end) const {
  if (end == begin + 3 && code_.is_twice(begin, '+')) return code_.variable_at(begin + 2) == v;
  if (end < begin + 3 || code_.variable_at(begin) != v) return false;
  if (end == begin + 3 && code_.is_twice(begin + 1, '+')) return true;
  if (tokens_.is(begin + 1, '+') && tokens_.adjacent(begin + 1) && tokens_.is(begin + 2, '='))
    return level_of(begin + 3, end) != Level::kThread;
  return end > begin + 4 && tokens_.is(begin + 1, '=') && !code_.is_twice(begin + 1, '=') &&
         code_.variable_at(begin + 2) == v && tokens_.is(begin + 3, '+') && level_of(begin + 4, end) != Level::kThread;
}

bool KernelPlan::plan_stride(const Statement& s, std::vector<Node>& nodes) {
  if ((s.kind != Statement::kFor && s.kind != Statement::kWhile) || has_return(s) || has_jump(*s.parts[0])) return false;
  const uint32_t v = variable_of_stride(s);
  if (v == kNone) return false;
  const Variable& variable = code_.variables()[v];
  if (variable.is_parameter || variable.is_shared || variable.escapes || !has_integer_type(variable)) return false;
  Node node;
  node.kind = Node::kStride;
  node.statement = &s;
  node.variable = v;
  std::vector<const Statement*> body = statements_of(*s.parts[0]);
  if (s.kind == Statement::kFor) {
    node.step_begin = s.step_begin;
    node.step_end = s.step_end;
  } else {  // The last statement of a while.
    if (s.parts[0]->kind != Statement::kCompound || body.empty() || body.back()->kind != Statement::kExpression) return false;
    node.step_begin = body.back()->begin;
    node.step_end = body.back()->end - 1;
    body.pop_back();
  }
  if (!is_step_of(v, node.step_begin, node.step_end)) return false;
  const bool declared_here = s.first && s.first->kind == Statement::kDeclaration;
  for (const uint32_t change : variable.changes)
    if (s.begin <= change && change < s.end && !(node.step_begin <= change && change < node.step_end)) return false;
  if (!declared_here && (s.first || !planned_[v])) return false;
  if (declared_here && (s.first->variables.size() != 1 || s.first->variables[0] != v || variable.init != '=' ||
                        !is_affine_sum(variable.init_begin, variable.init_end)))
    return false;
  const std::vector<bool> planned_before = planned_, affine_before = affine_;
  planned_[v] = true;
  of_stride_[v] = declared_here;
  node.number = next_number_++;
  node.region = next_region_;
  bool leading = false;
  plan_lanes(body, leading, false, node.parts);
  if (!problem_.empty()) {  // Then each lane goes by itself.
    problem_.clear();
    planned_ = planned_before;
    affine_ = affine_before;
    of_stride_[v] = false;
    return false;
  }
  Node rest;
  rest.kind = Node::kLanes;
  rest.number = next_number_++;
  rest.region = next_region_;
  rest.pieces.push_back({&s, kNone, declared_here});
  node.otherwise.push_back(std::move(rest));
  nodes.push_back(std::move(node));
  return true;
}

}  // namespace cpu_device
