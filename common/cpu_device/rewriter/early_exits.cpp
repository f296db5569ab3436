// How threads may leave a kernel before others come to a barrier.
#include "rewriter_class.h"

namespace cpu_device {
namespace {

// The `{` of a lambda's body?
bool opens_lambda(const Tokens& tokens, uint32_t brace) {
  uint32_t i = brace - 1;
  while (i > 0 && (tokens.is_identifier(i) || tokens.is_arrow(i))) --i;  // mutable, -> int
  if (tokens.is(i, ']')) return true;
  return tokens.is(i, ')') && tokens[i].match != kNone && tokens[i].match > 0 && tokens.is(tokens[i].match - 1, ']');
}

// Does the `return` at token i leave the kernel, and not a lambda in it?
bool leaves_kernel(const Tokens& tokens, uint32_t i, uint32_t body) {
  for (uint32_t open = tokens[i].parent; open != kNone && open != body; open = tokens[open].parent)
    if (tokens.is(open, '{') && opens_lambda(tokens, open)) return false;
  return true;
}

bool has_barrier(const Tokens& tokens, uint32_t begin, uint32_t end) {
  for (uint32_t t = begin; t <= end; ++t) {
    if (!tokens.is_identifier(t) || !tokens.is(t + 1, '(')) continue;
    const std::string_view name = tokens.spelling(t);
    if (name.substr(0, 13) == "__syncthreads" || name == "sync") return true;
  }
  return false;
}

}  // namespace

// The last statement in the braces that open at `open`, or kNone.
uint32_t Rewriter::last_statement(uint32_t open) const {
  uint32_t last = kNone;
  for (uint32_t t = open + 1; t < tokens_[open].match;) {
    const uint32_t end = end_of_statement(t);
    if (end == kNone) return kNone;
    if (!tokens_.is(t, ';')) last = t;
    t = end + 1;
  }
  return last;
}

uint32_t Rewriter::early_exit(uint32_t body) const {
  const uint32_t end = tokens_[body].match;
  for (uint32_t t = body + 1; t < end; ++t) {
    const bool at_the_end = tokens_[t].parent == body && t + 2 == end;
    if (tokens_.is(t, "return") && tokens_.is(t + 1, ';') && !at_the_end && leaves_kernel(tokens_, t, body)) return t;
  }
  uint32_t last = last_statement(body);
  while (last != kNone && tokens_.is(last, '{')) last = last_statement(last);
  const bool may_be_skipped = last != kNone && (tokens_.is(last, "if") || tokens_.is(last, "for") ||
                                                tokens_.is(last, "while"));
  return may_be_skipped && has_barrier(tokens_, last, end_of_statement(last)) ? last : kNone;
}

}  // namespace cpu_device
