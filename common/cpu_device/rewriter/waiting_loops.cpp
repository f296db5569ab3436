// Loops that wait for what another thread writes to volatile memory: `while (flag == 0) {}`. A block's threads run one
// after the other, so the one that waits must let others run, or it waits without end. Each turn of such a
// loop calls polls().

#include <string>
#include <string_view>

#include "kernel_code.h"
#include "never_waits.h"
#include "rewriter_class.h"

namespace cpu_device {

namespace {

// Whether `asm volatile`: it says nothing of memory.
bool is_of_asm(const Tokens& tokens, uint32_t i) {
  return i > 0 && (tokens.is(i - 1, "asm") || tokens.is(i - 1, "__asm__") || tokens.is(i - 1, "__asm"));
}

bool is_control(std::string_view word) {
  return word == "if" || word == "while" || word == "for" || word == "switch" || word == "catch" || word == "return" || word == "sizeof";
}

}  // namespace

// What is declared as volatile behind token i, and the functions that it is in or a parameter of.
void Rewriter::learn_volatile(uint32_t i) {
  for (uint32_t t = i + 1; t < i + 12 && t < tokens_.size(); ++t) {
    const bool is_type = is_type_word(tokens_.spelling(t)) || tokens_.is_identifier(t + 1) || tokens_.is(t + 1, '*') ||
                         tokens_.is(t + 1, '<') || tokens_.is_scope(t + 1);
    if (tokens_.is_identifier(t) && !is_type && !tokens_.is(t, "const")) volatile_names_.insert(tokens_.spelling(t));
    if (tokens_.is(t, ';') || tokens_.is(t, '=') || tokens_.is(t, ')') || tokens_.is(t, '(') || tokens_.is(t, '{')) break;
  }
  for (uint32_t open = tokens_[i].parent; open != kNone; open = tokens_[open].parent) {
    uint32_t parameters = open;
    if (tokens_.is(open, '{')) {
      while (parameters > 0 && tokens_.is_identifier(parameters - 1)) --parameters;  // const, noexcept
      if (parameters == 0 || !tokens_.is(parameters - 1, ')')) continue;
      parameters = tokens_[parameters - 1].match;
    }
    if (parameters == kNone || parameters == 0 || !tokens_.is(parameters, '(')) continue;
    if (tokens_.is_identifier(parameters - 1) && !is_control(tokens_.spelling(parameters - 1)))
      volatile_names_.insert(tokens_.spelling(parameters - 1));
  }
}

// Whether tokens [begin, end) read volatile memory, as far as is known.
bool Rewriter::reads_volatile(uint32_t begin, uint32_t end) const {
  for (uint32_t t = begin; t < end; ++t) {
    if (!tokens_.is_identifier(t)) continue;
    if (tokens_.is(t, "volatile") ? !is_of_asm(tokens_, t) : volatile_names_.count(tokens_.spelling(t)) != 0) return true;
  }
  return false;
}

// Whether a loop with this condition and body may end because of what it has read of volatile memory.
bool Rewriter::may_wait(uint32_t open, uint32_t first, uint32_t last) const {
  const uint32_t close = tokens_[open].match;
  if (reads_volatile(open + 1, close)) return true;
  if (!reads_volatile(first, last + 1)) return false;
  std::unordered_set<std::string_view> asked;
  for (uint32_t t = open + 1; t < close; ++t)
    if (tokens_.is_identifier(t)) asked.insert(tokens_.spelling(t));
  for (uint32_t t = first; t <= last; ++t) {
    if (tokens_.is(t, "break") || tokens_.is(t, "return") || tokens_.is(t, "goto")) return true;
    const bool is_set = tokens_.is_identifier(t) && tokens_.is(t + 1, '=') && !follows_without_gap(t + 1, '=');
    if (!is_set || asked.count(tokens_.spelling(t)) == 0) continue;
    uint32_t end = t;
    while (end <= last && !tokens_.is(end, ';')) ++end;
    if (reads_volatile(t + 2, end)) return true;
  }
  return false;
}

void Rewriter::poll_in(uint32_t begin, uint32_t end, uint32_t number) {
  const std::string call = "::cpu_device::polls(" + std::to_string(number) + "u)";
  if (begin == end) return insert_before(begin, call);
  for (uint32_t t = begin; t < begin + 8 && t < end; ++t)
    if (tokens_.is(t, "polls")) return;  // this text has been rewritten before
  insert_before(begin, call + " && (");
  insert_before(end, ")");
}

void Rewriter::waiting_loop(uint32_t i) {
  const bool is_do = tokens_.is(i, "do");
  uint32_t open = i + 1, first = 0, last = 0;
  if (is_do) {
    first = i + 1;
    last = end_of_statement(first);
    if (last == kNone || !tokens_.is(last + 1, "while")) return;
    open = last + 2;
    ends_of_do_.insert(last + 1);
  }
  if (!tokens_.is(open, '(') || tokens_[open].match == kNone) return;
  uint32_t begin = open + 1, end = tokens_[open].match;
  if (!is_do) {
    first = end + 1;
    last = end_of_statement(first);
    if (last == kNone) return;
  }
  if (tokens_.is(i, "for")) {  // `for (a; begin ... end; c)`
    const auto next = [&](uint32_t t) {
      while (t < end && !(tokens_.is(t, ';') && tokens_[t].parent == open)) ++t;
      return t;
    };
    begin = next(begin) + 1;
    if (begin > end) return;  // over a range
    end = next(begin);
  } else if (tokens_.is_identifier(begin) && tokens_.is_identifier(begin + 1)) {
    return;  // declares a variable
  }
  if (may_wait(open, first, last)) poll_in(begin, end, i);
}

// In the order of the text, so that headers do not depend on what follows them.
void Rewriter::waiting_loops() {
  if (check_) return;
  NeverWaits::for_own_parts(tokens_, [this](uint32_t part, uint32_t end) {
    for (uint32_t i = part; i < end; ++i) {
      if (!tokens_.is_identifier(i)) continue;
      if (tokens_.is(i, "volatile") && !is_of_asm(tokens_, i)) learn_volatile(i);
      const bool is_loop = tokens_.is(i, "for") || tokens_.is(i, "do") || (tokens_.is(i, "while") && ends_of_do_.count(i) == 0);
      if (is_loop) waiting_loop(i);
    }
  });
}

}  // namespace cpu_device
