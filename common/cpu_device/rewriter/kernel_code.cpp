#include "kernel_code.h"

#include "words.h"

#include <algorithm>

namespace cpu_device {
namespace {

bool is_statement_word(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "if",     "else",   "for",   "while", "do",     "switch", "case",   "default", "return", "break",
      "continue", "goto", "throw", "try",   "catch",  "new",    "delete", "sizeof",  "this",   "operator",
      "using",  "typedef", "struct", "class", "union", "enum",  "template", "asm",   "static_assert"};
  return is_one_of(word, kWords);
}

constexpr int kMostNested = 60;
constexpr uint32_t kMostTokens = 20000;
struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  int& depth_;
};

bool is_specifier(std::string_view word) {
  static constexpr std::string_view kWords[] = {"const", "constexpr", "unsigned", "signed", "long", "short"};
  return is_one_of(word, kWords);
}

}  // namespace

bool is_type_word(std::string_view word) {
  static constexpr std::string_view kWords[] = {"int",  "float", "double",   "char",   "bool", "long",
                                                "short", "signed", "unsigned", "void", "auto"};
  return is_one_of(word, kWords);
}

bool is_keyword_before_parenthesis(std::string_view word) {
  static constexpr std::string_view kWords[] = {"if",     "for",     "while",    "switch", "return",
                                                "sizeof", "alignof", "decltype", "else",   "do", "case"};
  return is_one_of(word, kWords) || is_type_word(word);
}

std::string_view without_scope(std::string_view atomic) {
  for (const std::string_view suffix : {"_block", "_system"})
    if (atomic.size() > suffix.size() && atomic.substr(atomic.size() - suffix.size()) == suffix)
      atomic.remove_suffix(suffix.size());
  return atomic;
}

KernelCode::KernelCode(const Tokens& tokens, uint32_t parameters_open, uint32_t body,
                       const std::unordered_set<std::string_view>& pointer_types)
    : tokens_(tokens) {
  parameters_begin_ = parameters_open;
  begin_ = body + 1;
  end_ = tokens_[body].match;
  if (end_ - begin_ > kMostTokens) fail(begin_, "a very long kernel");
  for (uint32_t i = begin_; i < end_; ++i) {
    const Token& token = tokens_[i];
    const bool bracket = token.first == '(' || token.first == '[' || token.first == '{';
    if (bracket && token.match == kNone) {
      fail(i, "brackets do not match");
      return;
    }
    // A lambda, or an attribute.
    const bool is_subscript = (tokens_.is_identifier(i - 1) && !is_statement_word(tokens_.spelling(i - 1))) ||
                              tokens_.is(i - 1, ']') || tokens_.is(i - 1, ')');
    if (tokens_.is(i, '[') && !is_subscript) fail(i, "a lambda");
  }
  if (understood()) parameters(parameters_open, pointer_types);
  uint32_t i = body;
  if (understood()) body_ = compound(i);
  if (understood()) find_changes();
}

void KernelCode::fail(uint32_t i, const std::string& why) {
  if (problem_.empty()) problem_ = why + ", line " + std::to_string(tokens_.locate(tokens_[i].begin).line);
}

std::string KernelCode::text(uint32_t begin, uint32_t end) const {
  std::string text;
  for (uint32_t t = begin; t < end; ++t) {
    if (t > begin && !tokens_.adjacent(t - 1)) text += ' ';
    text += tokens_.spelling(t);
  }
  return text;
}

uint32_t KernelCode::end_of_angles(uint32_t open) const {
  int depth = 0;
  for (uint32_t i = open; i < end_ && i < open + 200; ++i) {
    const char c = tokens_[i].first;
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) return i + 1;
    if (c == '(' || c == '[') i = tokens_[i].match;
    if (c == ';' || c == '{' || c == '}' || c == '=' || c == '&' || c == '|') return kNone;
  }
  return kNone;
}

// Behind the words of a type that begins at token i, without `*` and `&`; kNone if there is none.
uint32_t KernelCode::end_of_type(uint32_t i) const {
  bool has_type = false;
  for (; tokens_.is_identifier(i); ++i) {
    const std::string_view word = tokens_.spelling(i);
    if (is_statement_word(word)) return kNone;
    if (is_specifier(word) || is_type_word(word)) {
      if (word != "const" && word != "constexpr") has_type = true;
      continue;
    }
    if (word == "typename") continue;
    if (has_type) break;
    has_type = true;
    while (tokens_.is_scope(i + 1) && tokens_.is_identifier(i + 2)) i += 2;
    if (tokens_.is(i + 1, '<')) {
      const uint32_t close = end_of_angles(i + 1);
      if (close == kNone) return kNone;
      i = close - 1;
      while (tokens_.is_scope(i + 1) && tokens_.is_identifier(i + 2)) i += 2;
    }
  }
  return has_type ? i : kNone;
}

bool KernelCode::is_declaration(uint32_t i) const {
  uint32_t t = end_of_type(tokens_.is_scope(i) ? i + 1 : i);
  if (t == kNone) return false;
  while (tokens_.is(t, '*') || tokens_.is(t, '&') || tokens_.is(t, "const") || tokens_.is(t, "__restrict__") ||
         tokens_.is(t, "__restrict"))
    ++t;
  if (!tokens_.is_identifier(t) || is_statement_word(tokens_.spelling(t))) return false;
  ++t;
  return (tokens_.is(t, '=') && !is_twice(t, '=')) || tokens_.is(t, ';') || tokens_.is(t, ',') ||
         tokens_.is(t, '[') || tokens_.is(t, '(') || tokens_.is(t, '{');
}

// The `,`, `;` or `)` that ends the expression which begins at token i.
uint32_t KernelCode::end_of_expression(uint32_t i) const {
  for (; i < end_; ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
    } else if (c == '<' && tokens_.is_identifier(i - 1)) {
      // `static_cast<A<int, 3>>(x)`: the comma is no end.
      const uint32_t close = end_of_angles(i);
      if (close != kNone && (tokens_.is(close, '(') || tokens_.is(close, '{') || tokens_.is_scope(close))) i = close - 1;
    } else if (c == ',' || c == ';' || c == ')' || c == '}' || c == ']') {
      return i;
    }
  }
  return end_;
}

// From behind the type to the `,` or `;` behind the declarator with its initializer.
bool KernelCode::declarator(uint32_t& i, Variable& variable) {
  variable.begin = i;
  for (;; ++i) {
    if (tokens_.is(i, '*'))
      variable.is_pointer = true;
    else if (tokens_.is(i, '&'))
      variable.is_reference = true;
    else if (!tokens_.is(i, "const") && !tokens_.is(i, "__restrict__") && !tokens_.is(i, "__restrict"))
      break;
  }
  if (!tokens_.is_identifier(i)) return false;
  variable.name = i++;
  while (tokens_.is(i, '[')) {
    variable.is_array = true;
    i = tokens_[i].match + 1;
  }
  variable.end = i;
  if (tokens_.is(i, '=')) {
    variable.init = '=';
    variable.init_begin = i + 1;
    i = variable.init_end = end_of_expression(i + 1);
  } else if (tokens_.is(i, '(') || tokens_.is(i, '{')) {
    variable.init = tokens_[i].first;
    variable.init_begin = i + 1;
    variable.init_end = tokens_[i].match;
    i = tokens_[i].match + 1;
  }
  return tokens_.is(i, ',') || tokens_.is(i, ';');
}

KernelCode::Parsed KernelCode::declaration(uint32_t& i, uint32_t scope_end, bool in_header) {
  auto result = std::make_unique<Statement>();
  result->kind = Statement::kDeclaration;
  result->begin = i;
  bool is_shared = false;
  uint32_t type = i;
  for (; tokens_.is(type, "__shared__") || tokens_.is(type, "static") || tokens_.is(type, "extern"); ++type)
    if (tokens_.is(type, "__shared__")) is_shared = true;
  if (type != i && !is_shared) fail(i, "a static variable");
  if (is_shared) result->kind = Statement::kShared;
  if (tokens_.is_scope(type)) ++type;
  uint32_t t = end_of_type(type);
  if (t == kNone) {
    fail(i, "a declaration that is not understood");
    return result;
  }
  const uint32_t type_end = t;
  for (;;) {
    Variable variable;
    variable.type_begin = tokens_.is_scope(type - 1) ? type - 1 : type;
    variable.type_end = type_end;
    if (!declarator(t, variable)) {
      fail(i, "a declaration that is not understood");
      return result;
    }
    variable.known_from = variable.name;
    variable.known_to = scope_end;
    variable.in_for_header = in_header;
    variable.is_shared = is_shared;
    result->variables.push_back(static_cast<uint32_t>(variables_.size()));
    variables_.push_back(variable);
    if (tokens_.is(t, ';')) break;
    ++t;
  }
  i = result->end = t + 1;
  return result;
}

KernelCode::Parsed KernelCode::compound(uint32_t& i) {
  auto result = std::make_unique<Statement>();
  result->kind = Statement::kCompound;
  result->begin = i;
  const uint32_t close = tokens_[i].match;
  ++i;
  while (i < close && understood()) {
    result->parts.push_back(statement(i, close));
    result->has_barrier |= result->parts.back()->has_barrier;
    result->leaves |= result->parts.back()->leaves;
  }
  i = result->end = close + 1;
  return result;
}

KernelCode::Parsed KernelCode::condition_and_body(uint32_t& i, Statement::Kind kind, uint32_t scope_end) {
  auto result = std::make_unique<Statement>();
  result->kind = kind;
  result->begin = i++;
  result->is_constexpr = tokens_.is(i, "constexpr");
  if (result->is_constexpr) ++i;
  if (!tokens_.is(i, '(')) {
    fail(i, "a statement that is not understood");
    return result;
  }
  result->condition_begin = i + 1;
  result->condition_end = tokens_[i].match;
  if (is_declaration(i + 1)) fail(i, "a declaration in a condition");
  i = tokens_[i].match + 1;
  result->parts.push_back(statement(i, scope_end));
  if (kind == Statement::kIf && tokens_.is(i, "else") && understood()) {
    ++i;
    result->parts.push_back(statement(i, scope_end));
  }
  result->end = i;
  for (const Parsed& part : result->parts) {
    result->has_barrier |= part->has_barrier;
    result->leaves |= part->leaves;
  }
  return result;
}

KernelCode::Parsed KernelCode::for_loop(uint32_t& i) {
  auto result = std::make_unique<Statement>();
  result->kind = Statement::kFor;
  result->begin = i++;
  if (!tokens_.is(i, '(')) {
    fail(i, "a loop that is not understood");
    return result;
  }
  const uint32_t close = tokens_[i].match;
  uint32_t t = i + 1;
  // Where the variables of its header are known to is known only when its body has been read.
  const size_t first_variable = variables_.size();
  if (is_declaration(t)) {
    result->first = declaration(t, kNone, true);
    if (!understood()) return result;
  } else if (tokens_.is(t, ';')) {
    ++t;
  } else {
    auto first = std::make_unique<Statement>();
    first->kind = Statement::kExpression;
    first->begin = t;
    while (t < close && !tokens_.is(t, ';')) {
      const uint32_t end = end_of_expression(t);
      if (end == t && !tokens_.is(t, ',')) {  // a bracket that nothing has opened
        fail(i, "a loop that is not understood");
        return result;
      }
      t = end + (tokens_.is(end, ',') ? 1 : 0);
    }
    first->end = ++t;
    result->first = std::move(first);
  }
  const size_t last_variable = variables_.size();
  result->condition_begin = t;
  while (t < close && !tokens_.is(t, ';')) ++t;
  if (t >= close) {
    fail(i, "a loop over a range");
    return result;
  }
  result->condition_end = t;
  result->step_begin = t + 1;
  result->step_end = close;
  i = close + 1;
  result->parts.push_back(statement(i, kNone));
  for (size_t v = first_variable; v < variables_.size(); ++v)
    if (v < last_variable || variables_[v].known_to == kNone) variables_[v].known_to = i;
  result->end = i;
  result->has_barrier = result->parts[0]->has_barrier;
  result->leaves = result->parts[0]->leaves;
  return result;
}

KernelCode::Parsed KernelCode::do_loop(uint32_t& i, uint32_t scope_end) {
  auto result = std::make_unique<Statement>();
  result->kind = Statement::kDo;
  result->begin = i++;
  result->parts.push_back(statement(i, scope_end));
  result->has_barrier = result->parts[0]->has_barrier;
  result->leaves = result->parts[0]->leaves;
  if (!understood()) return result;
  if (!tokens_.is(i, "while") || !tokens_.is(i + 1, '(')) {
    fail(i, "a loop that is not understood");
    return result;
  }
  result->condition_begin = i + 2;
  result->condition_end = tokens_[i + 1].match;
  i = result->end = tokens_[i + 1].match + 2;  // and the `;`
  return result;
}

// Something without parts that is taken as it is.
KernelCode::Parsed KernelCode::other(uint32_t& i, uint32_t) {
  auto result = std::make_unique<Statement>();
  result->begin = i;
  const std::string_view word = tokens_.spelling(i);
  if (word == "return") result->kind = Statement::kReturn;
  result->leaves = word == "return" || word == "break" || word == "continue";
  result->continues = word == "continue";
  while (i < end_ && !tokens_.is(i, ';')) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') i = tokens_[i].match;
    ++i;
  }
  result->end = ++i;
  return result;
}

KernelCode::Parsed KernelCode::statement(uint32_t& i, uint32_t scope_end) {
  const Deeper deeper(depth_);
  const uint32_t begin = i;
  if (depth_ > kMostNested || i >= end_) {
    fail(begin_, "statements within statements");
    auto result = std::make_unique<Statement>();
    i = end_;
    return result;
  }
  if (tokens_.is(i, '{')) return compound(i);
  if (tokens_.is(i, ';')) {
    auto empty = std::make_unique<Statement>();
    empty->kind = Statement::kEmpty;
    empty->begin = i;
    empty->end = ++i;
    return empty;
  }
  if (tokens_.is_identifier(i)) {
    const std::string_view word = tokens_.spelling(i);
    if (word == "if") return condition_and_body(i, Statement::kIf, scope_end);
    if (word == "while") return condition_and_body(i, Statement::kWhile, scope_end);
    if (word == "for") return for_loop(i);
    if (word == "return" || word == "break" || word == "continue") return other(i, scope_end);
    if (word == "__shared__" || word == "extern" || word == "static") return declaration(i, scope_end, false);
    if (word == "do") return do_loop(i, scope_end);
    if (word == "switch") return condition_and_body(i, Statement::kSwitch, scope_end);
    if (word == "case" || word == "default") {
      auto label = std::make_unique<Statement>();
      label->kind = Statement::kEmpty;
      label->begin = i;
      while (i < end_ && !tokens_.is(i, ';') && (tokens_.is_scope(i) || !tokens_.is(i, ':'))) i = (tokens_.is(i, '(') ? tokens_[i].match : i) + 1;
      label->end = ++i;
      return label;
    }
    if (word == "typedef" || (word == "using" && tokens_.is(i + 2, '='))) {
      auto type = other(i, scope_end);
      type->kind = Statement::kType;
      return type;
    }
    if (is_statement_word(word)) {
      fail(i, "'" + std::string(word) + "'");
      auto result = std::make_unique<Statement>();
      i = scope_end;
      return result;
    }
    if (word == "__syncthreads" && tokens_.is(i + 1, '(') && tokens_.is(i + 2, ')') && tokens_.is(i + 3, ';')) {
      auto barrier = std::make_unique<Statement>();
      barrier->kind = Statement::kBarrier;
      barrier->begin = i;
      i = barrier->end = i + 4;
      barrier->has_barrier = true;
      return barrier;
    }
    if (tokens_.is(i + 1, ':') && !tokens_.is_scope(i + 1)) fail(i, "a label");
  }
  if (is_declaration(i)) return declaration(i, scope_end, false);
  auto expression = other(i, scope_end);
  expression->kind = Statement::kExpression;
  for (uint32_t t = begin; t < expression->end; ++t)
    if (tokens_.is(t, '{') && tokens_.is(t + 1, "return")) fail(begin, "a statement that is not understood");
  return expression;
}

void KernelCode::parameters(uint32_t open, const std::unordered_set<std::string_view>& pointer_types) {
  const uint32_t close = tokens_[open].match;
  int angles = 0;
  for (uint32_t t = open + 1; t <= close; ++t) {
    const char c = tokens_[t].first;
    if (c == '<') ++angles;
    if (c == '>') --angles;
    if ((c == '(' || c == '[' || c == '{') && t != close) {
      if (c != '[' || tokens_[t].match == kNone) return fail(t, "a parameter that is not understood");
      t = tokens_[t].match;
      continue;
    }
    if (angles > 0 || !(t == close || c == ',')) continue;
    uint32_t name = t - 1;
    if (tokens_.is(name, ']')) {
      if (tokens_[name].match == kNone) return fail(name, "a parameter that is not understood");
      name = tokens_[name].match - 1;
    }
    if (name <= open) continue;
    if (!tokens_.is_identifier(name)) {
      // A default argument, or one without a name.
      for (uint32_t back = name; back > open && !tokens_.is(back, ','); --back)
        if (tokens_.is(back, '=')) name = back - 1;
      if (!tokens_.is_identifier(name)) continue;
    } else {
      for (uint32_t back = name; back > open && !tokens_.is(back, ','); --back)
        if (tokens_.is(back, '=')) name = back - 1;
    }
    Variable variable;
    variable.name = name;
    variable.is_parameter = true;
    uint32_t type = open + 1;
    for (uint32_t back = name; back-- > open + 1 && !tokens_.is(back, ',');) {
      type = back;
      if (tokens_.is(back, '*')) variable.is_pointer = true;
      if (tokens_.is(back, '&')) return fail(back, "a parameter that is a reference");
      if (tokens_.is(back, '.')) return fail(back, "a pack of parameters");
    }
    if (tokens_.is(name + 1, '[')) variable.is_pointer = true;
    while (tokens_.is(type, "const") || (tokens_.is_identifier(type) && tokens_.is_scope(type + 1))) type += tokens_.is_scope(type + 1) ? 2 : 1;
    if (type < name && tokens_.is_identifier(type) && pointer_types.count(tokens_.spelling(type)) != 0) variable.is_pointer = true;
    variable.known_from = begin_ - 1;
    variable.known_to = end_;
    variables_.push_back(variable);
  }
}

uint32_t KernelCode::variable_at(uint32_t i) const {
  if (!tokens_.is_identifier(i)) return kNone;
  if (i > 0 && (tokens_.is(i - 1, '.') || tokens_.is_arrow(i - 1) || tokens_.is_scope(i - 1))) return kNone;
  const std::string_view name = tokens_.spelling(i);
  uint32_t found = kNone;
  for (uint32_t v = 0; v < variables_.size(); ++v) {
    const Variable& variable = variables_[v];
    if (variable.known_from > i || i >= variable.known_to || tokens_.spelling(variable.name) != name) continue;
    if (found == kNone || variable.known_from >= variables_[found].known_from) found = v;
  }
  return found;
}

int KernelCode::dimensions(uint32_t variable) const {
  int count = 0;
  for (uint32_t t = variables_[variable].name + 1; tokens_.is(t, '['); t = tokens_[t].match + 1) ++count;
  return count;
}

bool KernelCode::is_atomic_on_shared(uint32_t i) const {
  if (!tokens_.is_identifier(i) || tokens_.spelling(i).substr(0, 6) != "atomic" || !tokens_.is(i + 1, '(')) return false;
  const bool address = tokens_.is(i + 2, '&');
  const uint32_t name = i + (address ? 3 : 2), v = variable_at(name);
  if (v == kNone || !variables_[v].is_shared || variables_[v].is_pointer) return false;
  int left = dimensions(v);
  uint32_t t = name + 1;
  for (; tokens_.is(t, '['); t = tokens_[t].match + 1) --left;
  if (!address) return left == 1 && (tokens_.is(t, ',') || tokens_.is(t, '+'));
  return left == 0 && tokens_.is(t, ',');
}

uint32_t KernelCode::end_of_cast(uint32_t i) const {
  if (!tokens_.is(i, "static_cast") || !tokens_.is(i + 1, '<')) return i;
  const uint32_t behind = end_of_angles(i + 1);
  return behind == kNone ? i : behind - 1;
}

bool KernelCode::is_assignment(uint32_t i) const {
  const char c = tokens_[i].first;
  if (c == '=') {
    if (is_twice(i, '=')) return false;
    const char before = tokens_.adjacent(i - 1) ? tokens_[i - 1].first : 0;
    return before != '=' && before != '!' && before != '<' && before != '>';
  }
  if ((c == '<' || c == '>') && is_twice(i, c)) return tokens_.adjacent(i + 1) && tokens_.is(i + 2, '=');
  const bool arithmetic = c == '+' || c == '-' || c == '*' || c == '/' || c == '%' || c == '&' || c == '|' || c == '^';
  return arithmetic && tokens_.adjacent(i) && tokens_.is(i + 1, '=');
}

bool KernelCode::is_binary(uint32_t i) const {
  const Token& left = tokens_[i - 1];
  if (left.kind == Kind::kIdentifier) return !is_keyword_before_parenthesis(tokens_.spelling(i - 1));
  return left.kind != Kind::kPunctuator || left.first == ')' || left.first == ']';
}

// Behind `.x`, `[i]` and `->y` that follow the name at token i.
uint32_t KernelCode::end_of_postfix(uint32_t i, bool* through_pointer, bool* calls) const {
  for (++i;;) {
    if (tokens_.is(i, '[')) {
      i = tokens_[i].match + 1;
    } else if (tokens_.is(i, '.') && tokens_.is_identifier(i + 1)) {
      i += 2;
      if (tokens_.is(i, '(')) *calls = true;
    } else if (tokens_.is_arrow(i)) {
      *through_pointer = true;
      i += 2;
    } else {
      return i;
    }
  }
}

// Notes whether the variable that token i names is changed there, or its address gets out.
void KernelCode::look_at(uint32_t i) {
  const uint32_t v = variable_at(i);
  if (v == kNone) return;
  Variable& variable = variables_[v];
  if (i == variable.name) return;
  bool through_pointer = false, calls = false;
  const uint32_t behind = end_of_postfix(i, &through_pointer, &calls);
  const bool element = behind != i + 1;
  const bool of_pointee = variable.is_shared || (element && (through_pointer || (variable.is_pointer && !variable.is_array)));
  const bool prefix = (tokens_.is(i - 1, '+') || tokens_.is(i - 1, '-')) && i >= 2 &&
                      is_twice(i - 2, tokens_[i - 1].first) && tokens_.adjacent(i - 1);
  const bool postfix = is_twice(behind, '+') || is_twice(behind, '-');
  const bool through_star = tokens_.is(i - 1, '*') && is_assignment(behind);  // `*p = 1`
  if ((is_assignment(behind) || prefix || postfix) && !of_pointee && !through_star) variable.changes.push_back(i);
  if (calls && !variable.is_pointer) variable.changes.push_back(i);
  const bool address = tokens_.is(i - 1, '&') && !is_binary(i - 1) && !(tokens_.is(i - 2, '&') && tokens_.adjacent(i - 2));
  // `f(v)`, which may take a reference: an array, or what a function of the program gets.
  if ((address && !of_pointee) || (variable.is_array && !element && !variable.is_shared)) {
    variable.escapes = true;
    variable.changes.push_back(i);
  }
}

void KernelCode::find_changes() {
  for (uint32_t i = begin_; i < end_; ++i)
    if (tokens_.is_identifier(i)) look_at(i);
  // A reference is another name for what it is bound to.
  for (size_t r = 0; r < variables_.size(); ++r) {
    if (!variables_[r].is_reference || variables_[r].init_begin == kNone) continue;
    for (uint32_t i = variables_[r].init_begin; i < variables_[r].init_end; ++i) {
      const uint32_t v = variable_at(i);
      if (v == kNone || variables_[v].is_shared) continue;
      variables_[v].escapes = true;
      variables_[v].changes.push_back(i);
    }
  }
}

int subscripts_at(const Tokens& tokens, uint32_t i) {
  int count = 0;
  while (tokens.is(i + 1, '[') && tokens[i + 1].match != kNone) {
    i = tokens[i + 1].match;
    ++count;
  }
  return count;
}

bool takes_address_of(const Tokens& tokens, uint32_t i, int subscripts) {
  return subscripts == 0 || subscripts_at(tokens, i) < subscripts || tokens.is(i - 1, '&');
}

std::string reference_by_unknown_address(std::string_view name, std::string_view variable) {
  const std::string reference(name), at = "cpu_device_at_" + reference;
  return " auto* " + at + " = &" + std::string(variable) + "; __asm__(\"\" : \"+r\"(" + at + ")); [[maybe_unused]] auto& " + reference +
         " = *" + at + ";";
}

}  // namespace cpu_device
