// Loops over the lanes of which the compiler need not ask whether their arrays overlap. By CUDA's rules, one thread's store
// is never what another reads without a barrier: lanes may be taken together. But the compiler then takes it that the
// accesses of one lane do not overlap either, so the rule is narrow: one store, the last thing that a lane does.
#include "loop_writer.h"

namespace cpu_device {

// Whether the function that is called has nothing but its arguments: it stores nothing.
bool LoopWriter::only_computes(uint32_t call) const {
  const std::string_view name = tokens_.spelling(call);
  return never_waits_.is_of_program(name) ? never_waits_.only_computes(name) : NeverWaits::is_pure(name) || is_type_word(name);
}

// The last thing that the statement does.
const Statement& LoopWriter::last_of(const Statement& s) {
  if (s.kind == Statement::kCompound && !s.parts.empty()) return last_of(*s.parts.back());
  if (s.kind == Statement::kIf && s.parts.size() == 1) return last_of(*s.parts[0]);
  return s;
}

// How many stores to memory the tokens have; 2 for whatever else might be one.
int LoopWriter::stores_in(uint32_t begin, uint32_t end) const {
  int count = 0;
  for (uint32_t i = begin; i < end && count < 2; ++i) {
    if (const uint32_t cast = code_.end_of_cast(i); cast != i) {
      i = cast;
      continue;
    }
    const bool is_call = tokens_.is(i, '(') && tokens_.is_identifier(i - 1) && !is_keyword_before_parenthesis(tokens_.spelling(i - 1));
    if (is_call && !only_computes(i - 1)) return 2;
    if (tokens_.is(i, '(') && tokens_.is(i - 1, '>')) return 2;  // of a template
    if (tokens_.is(i, '&') && !code_.is_binary(i) && !code_.is_twice(i - 1, '&')) return 2;
    const bool is_step = code_.is_twice(i, '+') || code_.is_twice(i, '-');
    if (!is_step && !code_.is_assignment(i)) continue;
    const uint32_t name = is_step && !tokens_.is_identifier(i - 1) && !tokens_.is(i - 1, ']') ? i + 2 : i - 1;
    const uint32_t v = code_.variable_at(name);
    const bool is_part = v == kNone || tokens_.is(name - 1, '.') || tokens_.is(name - 1, '*') || tokens_.is_arrow(name - 1);
    const bool is_own = !is_part && !code_.variables()[v].is_reference && !code_.variables()[v].is_shared;
    if (is_step && !is_own) return 2;
    if (!is_own) ++count;
    if (is_step) ++i;
    if (!is_step && !tokens_.is(i, '='))  // `+=`, `<<=`
      while (!tokens_.is(i, '=')) ++i;
  }
  return count;
}

// Whether the lanes' loop stores nothing, or stores once, at its end.
bool LoopWriter::stores_last(const Node& node) const {
  int stores = 0;
  for (const Piece& one : node.pieces) {
    const Statement& s = *one.statement;
    if (one.is_rest) return false;
    for (uint32_t v = 0; v < code_.variables().size(); ++v)
      if (plan_.is_declared_in(v, s) && (code_.variables()[v].is_array || code_.variables()[v].is_reference)) return false;
    if (s.kind == Statement::kDeclaration) {  // whose own `=` is no store
      for (const uint32_t v : s.variables) {
        const Variable& variable = code_.variables()[v];
        if (variable.init_begin != kNone && stores_in(variable.init_begin, variable.init_end) > 0) return false;
      }
      continue;
    }
    const int here = stores_in(s.begin, s.end);
    stores += here;
    if (here == 0) continue;
    const Statement& last = last_of(s);
    if (stores > 1 || &one != &node.pieces.back() || last.kind != Statement::kExpression || stores_in(last.begin, last.end) != 1)
      return false;
  }
  return true;
}

}  // namespace cpu_device
