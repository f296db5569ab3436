// Launches: kernel<<<grid, block, bytes, stream>>>(arguments).
#include <algorithm>

#include "rewriter_class.h"

namespace cpu_device {

constexpr int kMaxCandidates = 4;  // Of `>>>` for one `<<<`.

void Rewriter::launch(uint32_t open) {
  Launch launch{kNone, open, kNone, kNone};
  const bool found = find_end_of_configuration(open, launch);
  if (found) launch.callee = find_callee(open);
  if (!found) return;

  if (launch.callee == kNone) {
    error(open, "there is no kernel name before '<<<'");
    return;
  }
  const uint32_t arguments_end = tokens_[launch.arguments].match;
  if (arguments_end == kNone) {
    error(launch.arguments, "the ')' after the arguments of this launch is missing");
    return;
  }
  add({tokens_[launch.callee].begin, tokens_[launch.callee].begin, "(::cpu_device::configure(",
       tokens_[open + 3].begin, tokens_[launch.close - 1].end, "), "});
  replace(tokens_[open].begin, tokens_[launch.close + 2].end, {});
  insert_after(arguments_end, ")");
}

// Finds `>>>` and checks what is between. Reports what is wrong.
bool Rewriter::find_end_of_configuration(uint32_t open, Launch& launch) {
  uint32_t candidate = kNone;  // A `>>>` with arguments after it.
  uint32_t without_arguments = kNone;
  int candidates = 0;
  for (uint32_t i = open + 3; i < tokens_.size(); ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
      if (i == kNone) break;
    } else if (c == ')' || c == ']' || c == '}' || c == ';') {
      break;
    } else if (c == '<' && three(i, '<')) {
      break;
    } else if (c == '>' && three(i, '>') && !tokens_.is(i + 3, '>')) {
      if (!tokens_.is(i + 3, '(')) {
        if (without_arguments == kNone) without_arguments = i;
        continue;
      }
      if (candidate == kNone) candidate = i;
      // `A<B<C<int>>>(1), 4>>>(x)`: the first `>>>` may belong to templates.
      bool empty_entry = false;
      if (count_entries(open + 3, i, empty_entry) >= 2 && !closes_too_few_angles(open + 3, i)) {
        candidate = i;
        break;
      }
      if (++candidates == kMaxCandidates) break;
      i += 2;
    }
  }
  if (candidate == kNone) {
    error(open, without_arguments == kNone
                    ? "'<<<' without a matching '>>>'"
                    : "a launch needs parentheses after '>>>', even without arguments: '()'");
    return false;
  }
  launch.close = candidate;
  launch.arguments = candidate + 3;

  bool empty_entry = false;
  const unsigned count = count_entries(open + 3, candidate, empty_entry);
  if (count < 2) {
    error(open,
          "a launch needs at least two values: <<<blocks, threads>>>");
    return false;
  }
  if (count > 4) {
    error(open,
          "a launch takes at most 4 values: <<<blocks, threads, bytes of dynamic shared "
          "memory, stream>>>. This one has " +
              std::to_string(count));
    return false;
  }
  if (empty_entry) {
    error(open, "a value between '<<<' and '>>>' is missing");
    return false;
  }
  return true;
}

// Entries of a configuration. Commas between template brackets do not count, but where brackets
// cannot be told from comparisons there are at least two entries.
unsigned Rewriter::count_entries(uint32_t begin, uint32_t end, bool& empty_entry) const {
  unsigned count = 1, naive_count = 1;
  bool try_angles = true;
  uint32_t in_angles_until = begin;
  uint32_t entry = begin;
  for (uint32_t i = begin; i < end; ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
    } else if (c == '<' && try_angles && i >= in_angles_until && i > begin &&
               tokens_.is_identifier(i - 1)) {
      const uint32_t close = end_of_angles(i, end);
      if (close == kNone) {
        try_angles = false;
      } else {
        in_angles_until = close;
      }
    } else if (c == ',') {
      ++naive_count;
      if (i >= in_angles_until) ++count;
      if (entry == i) empty_entry = true;
      entry = i + 1;
    }
  }
  if (entry == end) empty_entry = true;
  return count < 2 ? std::min(naive_count, 2u) : count;
}

bool Rewriter::closes_too_few_angles(uint32_t begin, uint32_t end) const {
  int depth = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
    } else if (c == '<' && tokens_.is_identifier(i - 1) && !follows_without_gap(i, '<')) {
      ++depth;
    } else if (c == '>') {
      --depth;
    }
  }
  return depth >= 3;
}

// First token of the expression that ends before `open`: a name with its qualification and
// template arguments, a member, an element, the result of a call, anything in parentheses.
uint32_t Rewriter::find_callee(uint32_t open) const {
  uint32_t first = kNone;  // First token of what has been understood so far.
  for (uint32_t i = open; i-- > 0;) {
    const char c = tokens_[i].first;
    // One primary expression, or a suffix such as `[i]` or `(x)` of the one to its left.
    const bool is_suffix = c == ')' || c == ']' || c == '}';
    if (is_suffix) {
      i = tokens_[i].match;
      if (i == kNone) return first;
    } else if (c == '>') {
      i = begin_of_angles(i);
      if (i == kNone) return first;
      --i;  // The template's name.
      // In `f<N < 5>` the first guess was the comparison.
      while (i >= 2 && tokens_.is(i - 1, '<') && tokens_.is_identifier(i - 2)) i -= 2;
    } else if (!is_name(i)) {
      return first;
    }
    first = i;
    if (i == 0) return first;
    if (!is_suffix) {
      if (tokens_.is(i - 1, "template")) first = --i;
      if (i > 0 && tokens_.is_scope(i - 1)) {  // A qualified name.
        first = --i;
        if (i == 0) return first;
        const uint32_t partner = tokens_.is(i - 1, ')') ? tokens_[i - 1].match : 0;
        const bool is_decltype =
            partner != kNone && partner > 0 && tokens_.is(partner - 1, "decltype");
        if (tokens_.is(i - 1, '>') || is_name(i - 1) || is_decltype) continue;
        return first;
      }
    }
    // A member of something.
    if (i > 0 && (tokens_.is(i - 1, '.') || tokens_.is_arrow(i - 1))) {
      --i;
      continue;
    }
    if (!is_suffix || i == 0) return first;
    // What is to the left of a suffix? Not the condition of an `if`, nor a comparison.
    const char left = tokens_[i - 1].first;
    if (left == ')') {
      const uint32_t partner = tokens_[i - 1].match;
      if (partner == kNone) return first;
      if (partner > 0 && tokens_.is_identifier(partner - 1) &&
          (!is_name(partner - 1) || is_attribute_like(tokens_.spelling(partner - 1)))) {
        return first;
      }
    } else if (left == '>') {
      // The call of a template: `get<int>(x)`, `static_cast<F>(p)`.
      if (begin_of_angles(i - 1) == kNone) return first;
    } else if (left != ']' && !tokens_.is_identifier(i - 1)) {
      return first;
    }
  }
  return first;
}

}  // namespace cpu_device
