#include "syntax.h"

#include <algorithm>
#include <vector>

namespace cpu_device {

uint32_t Syntax::end_of_angles(uint32_t open, uint32_t limit) const {
  uint32_t depth = 0;
  for (uint32_t i = open; i < limit && i < tokens_.size(); ++i) {
    switch (tokens_[i].first) {
      case '<':
        if (follows_without_gap(i, '=') || (i > open && follows_without_gap(i, '<'))) {
          ++i;
        } else if (i == open || tokens_.is_identifier(i - 1)) {
          ++depth;
        }
        break;
      case '>':
        if (follows_without_gap(i, '=')) {
          ++i;
        } else if (--depth == 0) {
          return i;
        }
        break;
      case '(':
      case '[':
      case '{':
        i = tokens_[i].match;
        if (i == kNone) return kNone;
        break;
      case ')':
      case ']':
      case '}':
      case ';':
        return kNone;
    }
  }
  return kNone;
}

uint32_t Syntax::begin_of_angles(uint32_t close) const {
  uint32_t depth = 0;
  for (uint32_t i = close; i != kNone; --i) {
    switch (tokens_[i].first) {
      case '>':
        if (!(i < close && follows_without_gap(i, '='))) ++depth;
        break;
      case '<':
        if (i == 0 || follows_without_gap(i, '=')) break;
        if (i >= 2 && three(i - 2, '<')) return kNone;  // The launch before this one.
        if (tokens_.is(i - 1, '<') && tokens_.adjacent(i - 1)) {
          --i;  // A shift.
        } else if (tokens_.is_identifier(i - 1) && --depth == 0) {
          return i;
        }
        break;
      case ')':
      case ']':
      case '}':
        i = tokens_[i].match;
        if (i == kNone) return kNone;
        break;
      case '(':
      case '[':
      case '{':
      case ';':
        return kNone;
    }
  }
  return kNone;
}

uint32_t Syntax::begin_of_statement(uint32_t i, uint32_t limit) const {
  while (i > limit) {
    uint32_t left = i - 1;
    const char c = tokens_[left].first;
    if (c == ';' || c == '{' || c == '}' || c == '(' || c == '[') return i;
    if (c == ':' && !tokens_.is_scope(left)) return i;  // A label or `public:`.
    if (c == ')' || c == ']') {
      left = tokens_[left].match;
      if (left == kNone) return i;
    }
    i = left;
  }
  return i;
}

uint32_t Syntax::end_of_statement(uint32_t i, int depth) const {
  constexpr int kMostNested = 40;
  if (++depth > kMostNested) return kNone;
  if (tokens_.is(i, '{')) return tokens_[i].match;
  if (tokens_.is(i, "do")) {
    const uint32_t body = end_of_statement(i + 1, depth);
    if (body == kNone || !tokens_.is(body + 2, '(')) return kNone;
    return tokens_[body + 2].match == kNone ? kNone : tokens_[body + 2].match + 1;
  }
  const bool is_if = tokens_.is(i, "if");
  if (is_if || tokens_.is(i, "for") || tokens_.is(i, "while") || tokens_.is(i, "switch")) {
    const uint32_t open = i + (tokens_.is(i + 1, "constexpr") ? 2 : 1);
    if (!tokens_.is(open, '(') || tokens_[open].match == kNone) return kNone;
    const uint32_t body = end_of_statement(tokens_[open].match + 1, depth);
    if (!is_if || body == kNone || !tokens_.is(body + 1, "else")) return body;
    return end_of_statement(body + 2, depth);
  }
  for (uint32_t t = i; t < tokens_.size(); ++t) {
    if (tokens_.is(t, ';')) return t;
    if (tokens_.is(t, '}')) return kNone;
    if (tokens_.is(t, '(') || tokens_.is(t, '[') || tokens_.is(t, '{')) t = tokens_[t].match;
    if (t == kNone) return kNone;
  }
  return kNone;
}

Syntax::Scope Syntax::scope_around(uint32_t i) {
  const uint32_t brace = tokens_[i].parent;
  if (brace == kNone) return Scope::kNamespace;
  if (!tokens_.is(brace, '{')) return Scope::kFunction;
  const auto [known, is_new] = scopes_.try_emplace(brace, Scope::kFunction);
  if (!is_new) return known->second;

  uint32_t head = brace;
  while (head > 0) {
    uint32_t left = head - 1;
    const char c = tokens_[left].first;
    if (c == ';' || c == '{' || c == '}' || c == '(' || c == '[') break;
    if (c == ')' || c == ']') {
      left = tokens_[left].match;
      if (left == kNone) break;
    }
    head = left;
  }

  bool is_class = false;
  for (uint32_t t = head; t < brace; ++t) {
    if (tokens_.is(t, '(') || tokens_.is(t, '[')) {
      const bool belongs_to_function = tokens_.is(t, '(') && t > head &&
                                       tokens_.is_identifier(t - 1) &&
                                       !is_attribute_like(tokens_.spelling(t - 1));
      if (belongs_to_function) is_class = false;
      if (belongs_to_function || tokens_[t].match == kNone) break;
      t = tokens_[t].match;
    } else if (tokens_.is(t, '<')) {
      const uint32_t end = end_of_angles(t, brace);
      if (end == kNone) break;
      t = end;
    } else if (tokens_.is(t, '=')) {
      is_class = false;
      break;
    } else if (tokens_.is(t, ':') && is_class) {
      break;  // Its base classes.
    } else if (tokens_.is_identifier(t)) {
      const std::string_view name = tokens_.spelling(t);
      if (name == "enum") break;
      if (name == "namespace") return known->second = Scope::kNamespace;
      if (is_class_key(name)) is_class = true;
    }
  }
  if (is_class) return known->second = Scope::kClass;
  const bool is_linkage =
      brace >= 2 && tokens_[brace - 1].kind == Kind::kString && tokens_.is(brace - 2, "extern");
  return known->second = is_linkage ? Scope::kNamespace : Scope::kFunction;
}

bool Syntax::may_be_template(uint32_t i) {
  bool result = false;
  std::vector<uint32_t> path;  // Braces around i whose answer is not known yet.
  for (uint32_t brace = tokens_[i].parent; brace != kNone; brace = tokens_[brace].parent) {
    const auto known = templates_.find(brace);
    if (known != templates_.end()) {
      result = known->second;
      break;
    }
    path.push_back(brace);
  }
  for (auto brace = path.rbegin(); brace != path.rend(); ++brace) {
    for (uint32_t t = *brace; !result && tokens_.is(*brace, '{') && t-- > 0;) {
      const char c = tokens_[t].first;
      if (c == ';' || c == '{' || c == '}') break;
      result = tokens_.is(t, "template") || tokens_.is(t, "auto");
    }
    templates_[*brace] = result;
  }
  return result;
}

bool Syntax::may_be_captured(uint32_t begin, uint32_t end) {
  for (uint32_t& t = next_lambda_ = std::max(next_lambda_, begin); t < end; ++t) {
    if (!tokens_.is(t, '[')) continue;
    const bool is_subscript =
        t > 0 && (tokens_.is_identifier(t - 1) || tokens_.is(t - 1, ')') || tokens_.is(t - 1, ']'));
    if (!is_subscript && (tokens_.is(t + 1, ']') || tokens_.is(t + 1, '='))) return true;
  }
  return false;
}

std::string Syntax::text_of(uint32_t begin, uint32_t end) const {
  std::string text;
  for (uint32_t t = begin; t < end; ++t) {
    if (t > begin && !tokens_.adjacent(t - 1)) text += ' ';
    text += tokens_.spelling(t);
  }
  return text;
}

}  // namespace cpu_device
