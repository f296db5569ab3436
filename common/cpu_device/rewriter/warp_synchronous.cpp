// Warp-synchronous code: steps on volatile memory without a barrier, which only work where all lanes of a
// warp move together.
#include <algorithm>

#include "rewriter_class.h"

namespace cpu_device {

bool Rewriter::synchronizes(uint32_t begin, uint32_t end) const {
  for (uint32_t t = begin; t < end; ++t)
    if (tokens_.is_identifier(t) && tokens_.spelling(t).find("sync") != std::string_view::npos)
      return true;
  return false;
}

bool Rewriter::is_in_loop_without_barrier(uint32_t i) const {
  uint32_t head = i;  // Behind the parentheses of a loop.
  const uint32_t brace = tokens_[i].parent;
  if (!(i > 0 && tokens_.is(i - 1, ')'))) {
    if (brace == kNone || !tokens_.is(brace, '{')) return false;
    head = brace;
  }
  if (head == 0 || !tokens_.is(head - 1, ')') || tokens_[head - 1].match == kNone) return false;
  const uint32_t open = tokens_[head - 1].match;
  if (open == 0 || !(tokens_.is(open - 1, "for") || tokens_.is(open - 1, "while"))) return false;
  return head == i || !synchronizes(brace, tokens_[brace].match);
}

// Statements such as `name[t] = x;` and `name[t] += name[t + 16];` in the braces that open at
// `open`.
std::vector<Rewriter::Step> Rewriter::warp_steps(uint32_t open, std::string_view name) const {
  std::vector<Step> steps;
  uint32_t last = kNone;  // End of the last that read what another lane may have written.
  for (uint32_t t = open + 1; t < tokens_[open].match; ++t) {
    if (!tokens_.is(t, name) || !tokens_.is(t + 1, '[') || tokens_[t + 1].match == kNone) continue;
    const bool begins = tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') ||
                        tokens_.is(t - 1, '}') || tokens_.is(t - 1, ')') ||
                        tokens_.is(t - 1, "else");
    const uint32_t sign = tokens_[t + 1].match + 1;
    const char c = sign < tokens_.size() ? tokens_[sign].first : 0;
    const bool is_compound =
        (c == '+' || c == '-' || c == '*' || c == '|' || c == '&' || c == '^') &&
        follows_without_gap(sign, '=');
    if (!begins || !(is_compound || (c == '=' && !follows_without_gap(sign, '=')))) continue;
    Step step{t, sign, sign + (is_compound ? 2 : 1), kNone, false};
    const auto text_of_index = [&](uint32_t bracket) {
      return tokens_.text().substr(tokens_[bracket].begin,
                                   tokens_[tokens_[bracket].match].end - tokens_[bracket].begin);
    };
    bool reads_another = false;
    uint32_t e = step.sign_end;
    for (; e < tokens_[open].match && !tokens_.is(e, ';') && !tokens_.is(e, ',') &&
           !tokens_.is(e, '{');
         ++e) {
      if (tokens_.is(e, name) && tokens_.is(e + 1, '[') && tokens_[e + 1].match != kNone)
        reads_another |= text_of_index(e + 1) != text_of_index(t + 1);
      // Within parentheses, too, such as those of max().
      if (!tokens_.is(e, '(') || tokens_[e].match == kNone) continue;
      for (uint32_t in = e; in < tokens_[e].match; ++in)
        if (tokens_.is(in, name) && tokens_.is(in + 1, '[') && tokens_[in + 1].match != kNone)
          reads_another |= text_of_index(in + 1) != text_of_index(t + 1);
      e = tokens_[e].match;
    }
    if (!tokens_.is(e, ';')) continue;
    step.end = e;
    if (reads_another) {
      step.counts_on_it =
          is_in_loop_without_barrier(t) || (last != kNone && !synchronizes(last, t));
      last = e;
    }
    steps.push_back(step);
    t = e;
  }
  return steps;
}

// A volatile pointer or array whose elements are added up in steps, without a barrier of the warp:
// where all lanes move together, each step reads before it writes. A checked run sees the accesses
// themselves.
void Rewriter::volatile_name(uint32_t i) {
  if (check_ || tokens_.locate(tokens_[i].begin).is_system_header) return;
  uint32_t name = kNone, t = i + 1;
  for (; t < tokens_.size() && t < i + 16; ++t) {
    if (tokens_.is_identifier(t))
      name = t;
    else if (tokens_.is(t, '<') && end_of_angles(t, t + kMaxAngles) != kNone)
      t = end_of_angles(t, t + kMaxAngles);
    else if (!tokens_.is(t, '*') && !tokens_.is_scope(t))
      break;
  }
  if (name == kNone || name == i + 1) return;
  uint32_t open = tokens_[i].parent;
  if (open != kNone && tokens_.is(open, '(')) {  // A parameter: of the function that follows.
    open = tokens_[open].match;
    if (open == kNone || !tokens_.is(++open, '{')) return;
  }
  if (open == kNone || !tokens_.is(open, '{') || tokens_[open].match == kNone) return;
  if (scope_around(open + 1) != Scope::kFunction) return;
  const std::vector<Step> steps = warp_steps(open, tokens_.spelling(name));
  if (std::none_of(steps.begin(), steps.end(), [](const Step& step) { return step.counts_on_it; }))
    return warp_exchanges(open, tokens_.spelling(name));
  for (const Step& step : steps) {
    if (step.first < steps_end_) continue;  // Of a name that is declared again.
    steps_end_ = step.end;
    stepped_.insert(step.first);
    const std::string left(tokens_.text().substr(
        tokens_[step.first].begin, tokens_[step.sign - 1].end - tokens_[step.first].begin));
    const std::string flag = step.counts_on_it ? "true" : "false";
    const std::string sign(1, tokens_[step.sign].first);
    insert_before(step.first, "{ auto cpu_device_value = ::cpu_device::warp_term<'" + sign + "'>(");
    replace(tokens_[step.sign].begin, tokens_[step.sign_end - 1].end, ", (");
    replace(tokens_[step.end].begin, tokens_[step.end].end,
            ")); ::cpu_device::warp_step(" + flag + "); ::cpu_device::warp_assign<'" + sign + "'>(" + left +
                ", cpu_device_value); ::cpu_device::warp_step(false); }");
  }
}

}  // namespace cpu_device
