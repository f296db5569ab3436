// Conditions that decide which threads of a kernel go on: guards, which may be different in each lane, and questions, on which all
// threads of a block must agree.
#include <algorithm>

#include "kernel_plan.h"

namespace cpu_device {
namespace {

bool only_returns(const Statement& s) {
  if (s.kind == Statement::kCompound) return s.parts.size() == 1 && only_returns(*s.parts[0]);
  return s.kind == Statement::kReturn;
}

}  // namespace

bool KernelPlan::plan_guard(const Statement& s, bool is_last, bool& leading, bool last, std::vector<Node>& nodes) {
  if (s.kind != Statement::kIf || s.parts.size() != 1 || !leading || !last ||
      !is_pure(s.condition_begin, s.condition_end))
    return false;
  Node node;
  node.kind = Node::kGuard;
  node.statement = &s;
  node.negative = only_returns(*s.parts[0]);
  if (!node.negative && !is_last) return false;
  unsigned moving = 0;
  node.monotone = is_monotone(s.condition_begin, s.condition_end, node.negative ? '|' : '&', moving);
  node.one_sided = node.monotone && moving <= 1;
  // In a kernel without barriers it holds for all but the last block.
  if (!barriers_.empty()) node.lasting = lasting_terms(s.condition_begin, s.condition_end, node.negative);
  node.number = next_number_++;
  node.region = next_region_;
  if (node.negative) {
    returning_region_ = next_region_;
    nodes.push_back(std::move(node));
  } else {
    plan_lanes(statements_of(*s.parts[0]), leading, last, node.parts);
    nodes.push_back(std::move(node));
  }
  return true;
}

// Whether nothing but the thread's own variables is different after it.
bool KernelPlan::leaves_memory_alone(const Statement& s) const {
  switch (s.kind) {
    case Statement::kEmpty:
    case Statement::kShared:
    case Statement::kType:
      return true;
    case Statement::kDeclaration:
      return std::all_of(s.variables.begin(), s.variables.end(), [&](uint32_t v) {
        const Variable& variable = code_.variables()[v];
        return !variable.is_reference && (variable.init_begin == kNone || is_pure(variable.init_begin, variable.init_end));
      });
    case Statement::kExpression: {  // `x = ...;`, `x += ...;`
      const uint32_t v = code_.variable_at(s.begin);
      if (v == kNone || code_.variables()[v].is_shared || code_.variables()[v].is_reference || !code_.is_assignment(s.begin + 1)) return false;
      uint32_t value = s.begin + 1;
      while (!tokens_.is(value, '=')) ++value;
      return is_pure(value + 1, s.end - 1);
    }
    default:
      return false;
  }
}

// `if (...) return;` before a barrier, or an `if` around one, whose condition may differ between threads. All threads are asked:
// where they do not agree, the block runs thread by thread, and must not have written anything yet.
bool KernelPlan::plan_question(const Statement& s, std::vector<const Statement*>& pending, std::vector<Node>& nodes) {
  if (s.kind != Statement::kIf || has_written_ || !is_pure(s.condition_begin, s.condition_end)) return false;
  const bool returns = s.parts.size() == 1 && only_returns(*s.parts[0]) && contains_barrier(s.end, code_.end());
  if (!(returns || s.has_barrier) || level_of(s.condition_begin, s.condition_end) == Level::kBlock) return false;
  flush(pending, nodes);
  Node region, ask, agreed;
  ask.kind = Node::kAsk;
  agreed.kind = Node::kAgreed;
  ask.statement = agreed.statement = &s;
  ask.number = agreed.number = next_number_++;
  region.kind = Node::kRegion;
  region.region = ask.region = next_region_++;
  region.parts.push_back(std::move(ask));
  nodes.push_back(std::move(region));
  agreed.negative = returns;
  if (!returns) {
    plan_block(statements_of(*s.parts[0]), agreed.parts);
    if (s.parts.size() > 1) plan_block(statements_of(*s.parts[1]), agreed.otherwise);
  }
  nodes.push_back(std::move(agreed));
  return true;
}

}  // namespace cpu_device
