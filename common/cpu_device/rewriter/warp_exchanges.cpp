// Warp-synchronous code beyond steps such as `s[t] += s[t + 16];`: lanes that read what others have written to volatile
// memory without a barrier in between, loops that write until the own value stays, and butterflies.
#include <algorithm>

#include "rewriter_class.h"

namespace cpu_device {

namespace {
constexpr size_t kMostAccesses = 64;  // Of one name: more is no warp-synchronous code of a book.
}

// The index of the token after a name with all its brackets, or `t` if there is no name.
uint32_t Rewriter::end_of_index(uint32_t t) const {
  while (tokens_.is(t, '[') && tokens_[t].match != kNone) t = tokens_[t].match + 1;
  return t;
}

std::string Rewriter::text_between(uint32_t begin, uint32_t end) const {
  std::string text;  // Without what stands between the tokens, such as the preprocessor's line markers.
  for (uint32_t t = begin; t < end; ++t) text += (text.empty() ? "" : " ") + std::string(tokens_.spelling(t));
  return text;
}

// Where lanes wait for each other, by whatever name.
bool Rewriter::has_meeting(uint32_t begin, uint32_t end) const {
  for (uint32_t t = begin; t < end; ++t)
    for (const std::string_view word : {"sync", "Sync", "bar.", "barrier", "arrive", "wait"})
      if ((tokens_.is_identifier(t) || tokens_[t].kind == Kind::kString) && tokens_.spelling(t).find(word) != std::string_view::npos)
        return true;
  return false;
}

// The first token of the statement that `t` is in, if a statement can stand before it; kNone in the head of a loop, in
// what a loop or an `else` controls without braces, and in an initializer.
uint32_t Rewriter::place_before_statement(uint32_t t, uint32_t open) const {
  for (uint32_t outer = tokens_[t].parent; outer != kNone && !tokens_.is(outer, '{'); outer = tokens_[outer].parent) t = outer;
  const uint32_t brace = tokens_[t].parent;
  const auto is_one_of = [&](uint32_t i, std::string_view characters) {
    return i < tokens_.size() && tokens_[i].first != 0 && characters.find(tokens_[i].first) != std::string_view::npos;
  };
  if (brace == kNone || (brace != open && !is_one_of(brace - 1, "){};") && !tokens_.is(brace - 1, "else") && !tokens_.is(brace - 1, "do")))
    return kNone;
  for (;;) {
    for (const std::string_view word : {"else", "case", "default", "switch", "while", "for", "do", "template"})
      if (tokens_.is(t, word)) return kNone;
    if (t == brace + 1 || is_one_of(t - 1, ";{}")) return t;
    --t;
    if (is_one_of(t, ")]") && tokens_[t].match != kNone) t = tokens_[t].match;
  }
}

// Whether the address may be computed before the statement that begins at `first`: no call, no other memory, no division
// that a condition may guard, and no variable that the statement itself sets.
bool Rewriter::is_plain_index(const ElementAccess& one, uint32_t first) const {
  for (uint32_t t = one.first + 2; t + 1 < one.end; ++t) {
    const char c = tokens_[t].first;
    if (c == '=' || tokens_.is_arrow(t) || tokens_.is(t, '?')) return false;
    if ((c == '+' || c == '-') && tokens_.is(t + 1, c)) return false;
    if (tokens_.is(t, '[') && !tokens_.is(t - 1, ']')) return false;
    if (tokens_.is(t, '(') && tokens_.is_identifier(t - 1)) return false;
    if (tokens_.is(t, '*') && tokens_[t - 1].first != 0 && !tokens_.is(t - 1, ')')) return false;
    if ((c == '/' || c == '%') && tokens_[t + 1].kind != Kind::kNumber) return false;
    if (tokens_.is_identifier(t))
      for (uint32_t before = first; before < one.first; ++before)
        if (tokens_.is(before, tokens_.spelling(t)) && tokens_.is(before + 1, '=') && !tokens_.is(before + 2, '=')) return false;
  }
  return true;
}

// The braces of the innermost loop that holds the token, up to the function's; kNone if there is none.
uint32_t Rewriter::loop_around(uint32_t t, uint32_t open) const {
  for (uint32_t outer = tokens_[t].parent; outer != kNone && outer > open; outer = tokens_[outer].parent) {
    if (!tokens_.is(outer, '{') || outer == 0) continue;
    if (tokens_.is(outer - 1, "do")) return outer;
    const uint32_t head = tokens_.is(outer - 1, ')') ? tokens_[outer - 1].match : kNone;
    if (head != kNone && head > 0 && (tokens_.is(head - 1, "for") || tokens_.is(head - 1, "while"))) return outer;
  }
  return kNone;
}

// Under `if (...)` without braces, or in the braces of one: the end of what it controls. kNone otherwise.
uint32_t Rewriter::end_of_condition(uint32_t first, uint32_t end, uint32_t open) const {
  const auto is_if = [&](uint32_t close) {
    const uint32_t head = tokens_.is(close, ')') ? tokens_[close].match : kNone;
    return head != kNone && head > 0 && tokens_.is(head - 1, "if");
  };
  if (is_if(first - 1)) return end;
  const uint32_t brace = tokens_[first].parent;
  return brace != kNone && brace > open && tokens_.is(brace, '{') && is_if(brace - 1) ? tokens_[brace].match : kNone;
}

// The first token of a statement at `first`, or of the `if` that controls it; kNone if nothing can stand before it.
uint32_t Rewriter::begin_of_condition(uint32_t first, uint32_t open) const {
  const uint32_t brace = tokens_[first].parent;
  const bool in_braces_of_if = brace > open && end_of_condition(first, first, open) == tokens_[brace].match;
  return place_before_statement(in_braces_of_if ? tokens_[brace - 1].match : first, open);
}

// All accesses to elements of a name in the braces that open at `open`. Empty if one has an effect of its own, such as
// s[i++], or there are too many.
std::vector<Rewriter::ElementAccess> Rewriter::element_accesses(uint32_t open, std::string_view name) const {
  std::vector<ElementAccess> all;
  for (uint32_t t = open + 1; t < tokens_[open].match; ++t) {
    if (!tokens_.is(t, name) || !tokens_.is(t + 1, '[') || tokens_.is(t - 1, '.') || tokens_.is_arrow(t - 1)) continue;
    ElementAccess one{t, end_of_index(t + 1), "", false, kNone};
    if (one.end == t + 1) return {};
    if (!is_plain_index(one, t)) return {};
    one.index = text_between(t + 1, one.end);
    const bool begins = tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') || tokens_.is(t - 1, '}') || tokens_.is(t - 1, ')') ||
                        tokens_.is(t - 1, "else");
    one.is_write = begins && tokens_.is(one.end, '=') && !tokens_.is(one.end + 1, '=');
    if (one.is_write)
      for (uint32_t e = one.end; e < tokens_[open].match && one.semicolon == kNone; ++e)
        if (tokens_.is(e, ';') && tokens_[e].parent == tokens_[t].parent) one.semicolon = e;
    if (one.is_write && one.semicolon == kNone) return {};
    all.push_back(std::move(one));
    if (all.size() > kMostAccesses) return {};
  }
  return all;
}

// Whether a lane that reads may depend on what another lane writes there, with no barrier in between.
bool Rewriter::may_be_of_another_lane(const ElementAccess& read, const ElementAccess& write, uint32_t open) const {
  if (read.first > write.first && read.first < write.semicolon) return false;  // In the same statement.
  const uint32_t condition = end_of_condition(write.first, write.semicolon, open);
  const bool by_some = condition != kNone && !(read.first > write.first && read.first < condition);
  if (read.index == write.index && !by_some) return false;
  if (read.first > write.semicolon && !has_meeting(write.semicolon, read.first)) return true;
  const uint32_t loop = loop_around(write.first, open);
  return loop != kNone && read.first > loop && read.first < write.first &&
         !has_meeting(write.semicolon, tokens_[loop].match) && !has_meeting(loop, read.first);
}

// do { ... s[i] = x; } while (s[i] != x); is how lanes took turns before there were atomics in shared memory.
bool Rewriter::tag_loops(uint32_t open, const std::vector<ElementAccess>& all) {
  bool any = false;
  for (const ElementAccess& write : all) {
    const uint32_t loop = write.is_write ? tokens_[write.first].parent : kNone;
    if (loop == kNone || loop <= open || !tokens_.is(loop, '{') || !tokens_.is(loop - 1, "do")) continue;
    const uint32_t end = tokens_[loop].match;
    if (!tokens_.is(end + 1, "while") || !tokens_.is(end + 2, '(') || has_meeting(loop, end)) continue;
    const auto looks = [&](const ElementAccess& read) {
      return !read.is_write && read.first > end + 2 && read.first < tokens_[end + 2].match && read.index == write.index;
    };
    if (std::none_of(all.begin(), all.end(), looks)) continue;
    insert_before(loop + 1, " ::cpu_device::warp_step(false); ");
    insert_before(write.first, "::cpu_device::warp_step(false); ");
    insert_before(end, " ::cpu_device::warp_step(true); ");
    any = true;
  }
  return any;
}

// `name`: of volatile memory, in the function whose braces open at `open`.
void Rewriter::warp_exchanges(uint32_t open, std::string_view name) {
  const std::vector<ElementAccess> all = element_accesses(open, name);
  // Once, also of a name that is declared again in these braces.
  for (const ElementAccess& one : all)
    if (!exchanged_.insert(one.first).second) return;
  if (tag_loops(open, all)) return;
  std::vector<const ElementAccess*> reads, writes;
  for (const ElementAccess& read : all)
    for (const ElementAccess& write : all) {
      if (read.is_write || !write.is_write || !may_be_of_another_lane(read, write, open)) continue;
      const uint32_t begin = place_before_statement(read.first, open);
      if (begin == kNone || !is_plain_index(read, begin)) continue;
      if (reads.empty() || reads.back() != &read) reads.push_back(&read);
      writes.push_back(&write);
    }
  std::sort(writes.begin(), writes.end());
  writes.erase(std::unique(writes.begin(), writes.end()), writes.end());
  const auto address = [&](const ElementAccess& one) {
    return "const_cast<const void*>(static_cast<const volatile void*>(&" + text_between(one.first, one.end) + "))";
  };
  for (const ElementAccess* read : reads) {
    const uint32_t begin = place_before_statement(read->first, open);
    insert_before(begin, "::cpu_device::warp_reads(" + address(*read) + "); ");
    if (tokens_.is(begin, "if") || tokens_.is(begin, "return")) continue;
    uint32_t semicolon = begin;
    while (!(tokens_.is(semicolon, ';') && tokens_[semicolon].parent == tokens_[begin].parent)) ++semicolon;
    insert_before(semicolon + 1, " ::cpu_device::warp_step(false); ");
  }
  for (const ElementAccess* write : writes) {
    // All lanes have read what was there before; those, too, that do not write.
    const uint32_t condition = begin_of_condition(write->first, open);
    if (condition != kNone) insert_before(condition, "::cpu_device::warp_step(false); ");
    insert_before(write->first, "{ ::cpu_device::warp_writes(" + address(*write) + "); ");
    replace(tokens_[write->semicolon].begin, tokens_[write->semicolon].end, "; }");
  }
}

// `x[i] += x[i ^ 8];` by all lanes, which `t` begins: the semicolon; kNone if it is something else. Each lane reads what another
// one writes in the same statement, so no barrier can help.
uint32_t Rewriter::end_of_butterfly(uint32_t t) const {
  const bool begins = tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') || tokens_.is(t - 1, '}');
  const uint32_t sign = begins ? end_of_index(t + 1) : t + 1;
  if (sign == t + 1 || tokens_[t + 1].match + 1 != sign || !(tokens_.is(sign, '+') && tokens_.is(sign + 1, '=') && tokens_.adjacent(sign)))
    return kNone;
  const uint32_t other = sign + 2;
  if (!tokens_.is(other, tokens_.spelling(t)) || !tokens_.is(other + 1, '[')) return kNone;
  const uint32_t semicolon = end_of_index(other + 1);
  const std::string own = text_between(t + 2, sign - 1), its = text_between(other + 2, semicolon - 1);
  if (!tokens_.is(semicolon, ';') || its.rfind(own + " ^ ", 0) != 0 || !is_of_thread(t, own)) return kNone;
  return end_of_condition(t, semicolon, 0) == kNone ? semicolon : kNone;
}

void Rewriter::butterfly(uint32_t t) {
  const uint32_t semicolon = end_of_butterfly(t);
  if (semicolon == kNone || stepped_.count(t) != 0) return;
  const uint32_t sign = end_of_index(t + 1);
  const std::string left = text_between(t, sign);
  insert_before(t, "{ ::cpu_device::warp_step(false); auto cpu_device_value = " + left + "; cpu_device_value ");
  replace(tokens_[t].begin, tokens_[sign - 1].end, "");
  replace(tokens_[semicolon].begin, tokens_[semicolon].end,
          "; ::cpu_device::warp_step(true); " + left + " = cpu_device_value; ::cpu_device::warp_step(false); }");
}

bool Rewriter::has_butterfly(uint32_t begin, uint32_t end) const {
  for (uint32_t t = begin + 1; t < end; ++t)
    if (tokens_.is(t, '[') && tokens_.is_identifier(t - 1) && end_of_butterfly(t - 1) != kNone) return true;
  return false;
}

// An index such as threadIdx.x, or a variable that was set to something with threadIdx in the function before `t`.
bool Rewriter::is_of_thread(uint32_t t, const std::string& index) const {
  if (index.find("threadIdx") != std::string::npos) return true;
  constexpr uint32_t kFar = 2000;
  for (uint32_t at = t; at-- > 0 && t - at < kFar;) {
    if (!tokens_.is(at, index) || !tokens_.is(at + 1, '=')) continue;
    for (uint32_t e = at + 2; e < t && !tokens_.is(e, ';'); ++e)
      if (tokens_.is(e, "threadIdx")) return true;
    return false;
  }
  return false;
}

void Rewriter::butterflies() {
  if (check_ || tokens_.text().find("threadIdx") == std::string_view::npos) return;
  tokens_.for_parts([](std::string_view, bool is_system_header) { return !is_system_header; },
                    [&](uint32_t begin, uint32_t end) {
                      for (uint32_t t = std::max(begin, 1u); t + 4 < end; ++t)
                        if (tokens_.is(t, '[') && tokens_.is_identifier(t - 1) && t >= 2) butterfly(t - 1);
                    });
}

}  // namespace cpu_device
