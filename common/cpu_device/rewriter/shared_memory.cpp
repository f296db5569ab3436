// Shared memory: declarations with __shared__.
#include <algorithm>

#include "rewriter_class.h"

namespace cpu_device {

constexpr const char* kDynamicShared = "cpu_device_dynamic_shared";

void Rewriter::shared(uint32_t i) {
  if (i < shared_end_) {  // Written twice in one declaration.
    erase_token(i);
    return;
  }
  const uint32_t parent = tokens_[i].parent;
  if (parent != kNone && !tokens_.is(parent, '{')) {
    error(i,
          "__shared__ is for variables in a function, not for parameters. A pointer to shared memory is an "
          "ordinary pointer");
    return;
  }
  if (scope_around(i) == Scope::kClass) {
    error(i, "a member of a class cannot be __shared__. Declare the variable in the kernel");
    return;
  }
  const SharedDeclaration it = parse_shared(begin_of_shared(i));
  shared_end_ = std::max(i + 1, it.end);
  if (scope_around(i) != Scope::kFunction)
    for (const uint32_t name : it.names)
      if (name != kNone) shared_of_file_.insert(tokens_.spelling(name));
  if (it.initializer != kNone) {
    error(i,
          "a __shared__ variable cannot have an initializer. Let one thread assign the value, then call "
          "__syncthreads()");
  } else if (it.end >= tokens_.size() || !tokens_.is(it.end, ';')) {
    // Not a declaration as we know them. The compiler will report what is wrong.
    replace(tokens_[i].begin, tokens_[i].end, "static thread_local");
  } else if (it.is_extern) {
    rewrite_dynamic_shared(i, it);
  } else {
    rewrite_static_shared(i, it);
  }
}

// The first of the declaration's words before __shared__.
uint32_t Rewriter::begin_of_shared(uint32_t i) const {
  uint32_t begin = i;
  while (begin > shared_end_) {
    uint32_t left = begin - 1;
    if (tokens_.is(left, ')') || tokens_.is(left, ']')) {
      left = tokens_[left].match;
      if (left == kNone || left < 1) break;
      const bool is_attribute =
          tokens_.is_identifier(left - 1) && is_attribute_like(tokens_.spelling(left - 1));
      if (tokens_.is(left, '(') && !is_attribute) break;
    } else if (tokens_.is(left, '>')) {
      left = begin_of_angles(left);
      if (left == kNone || left <= shared_end_) break;
    } else if (!tokens_.is_scope(left) && !is_name(left)) {
      break;
    }
    begin = left;
  }
  return begin;
}

// Reads a declaration from its first word to the semicolon, or to an initializer.
Rewriter::SharedDeclaration Rewriter::parse_shared(uint32_t begin) const {
  SharedDeclaration it;
  it.begin = begin;
  uint32_t name = kNone, words = 0;
  bool name_is_final = false;
  uint32_t end = begin;
  for (; end < tokens_.size(); ++end) {
    const Token& token = tokens_[end];
    if (token.kind == Kind::kIdentifier) {
      const std::string_view word = tokens_.spelling(end);
      const bool has_parentheses = tokens_.is(end + 1, '(') && tokens_[end + 1].match != kNone;
      if (word == "extern") {
        it.is_extern = true;
      } else if (word == "static") {
        it.is_static = true;
      } else if (is_class_key(word) || word == "enum") {
        // `__shared__ union { ... } u;`
        uint32_t brace = end + 1;
        while (tokens_.is_identifier(brace) || tokens_.is_scope(brace)) ++brace;
        if (tokens_.is(brace, '{') && tokens_[brace].match != kNone) end = tokens_[brace].match;
        ++words;
      } else if (is_attribute_like(word) && has_parentheses) {
        if (word == "alignas") it.alignments.emplace_back(end, tokens_[end + 1].match);
        if (word == "decltype") ++words;
        end = tokens_[end + 1].match;
      } else if (token.word == Word::kOther || token.word == Word::kTexture) {
        ++words;
        if (!name_is_final) name = end;
      }
      continue;
    }
    const char c = token.first;
    if (c == '[') {
      const bool is_attribute = tokens_.is(end + 1, '[');
      if (!is_attribute) name_is_final = true;
      if (token.match == kNone) break;
      end = token.match;
    } else if (c == '(') {
      if (token.match == kNone) break;
      const bool ends_declarator =
          tokens_.is(token.match + 1, ',') || tokens_.is(token.match + 1, ';');
      if (ends_declarator && words >= 2 && name + 1 == end) it.initializer = end;
      if (!ends_declarator) {  // A pointer to an array, say.
        name = kNone;
        name_is_final = true;
      }
      end = token.match;
    } else if (c == '{' || (c == '=' && it.initializer == kNone)) {
      it.initializer = end;
      if (c == '{' && token.match == kNone) break;
      if (c == '{') end = token.match;
    } else if (c == '<' && it.initializer == kNone && !name_is_final) {
      const uint32_t close = end_of_angles(end, end + kMaxAngles);
      if (close == kNone) break;
      end = close;
      name = kNone;
    } else if (c == ',' || c == ';') {
      it.names.push_back(name);
      it.separators.push_back(end);
      name = kNone;
      name_is_final = false;
      if (c == ';') break;
    } else if (c == '}' || c == ')' || c == ']') {
      break;
    }
    if (it.initializer != kNone) break;
  }
  it.end = end;
  return it;
}

void Rewriter::rewrite_static_shared(uint32_t i, const SharedDeclaration& it) {
  std::string front;
  for (const auto& [first, last] : it.alignments) {
    if (first < i) continue;  // In front it is where C++ wants it.
    front += tokens_.text().substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin);
    front += ' ';
    replace(tokens_[first].begin, tokens_[last].end, {});
  }
  // First the gap before it, or the alignment would be the gap's.
  if (check_ && scope_around(i) == Scope::kFunction) name_shared(it.begin, it.end, it.names);
  if (!front.empty()) insert_before(it.begin, front);
  replace(tokens_[i].begin, tokens_[i].end, it.is_static ? "thread_local" : "static thread_local");
  check_size_of_shared(i, it.end, it.names);
}

// One block of memory under as many names as there are declarations. In a function it is a
// reference, because g++ forgets the assembler name of an `extern` inside a template. A lambda
// cannot capture that reference by value, so there, as in a namespace, it is an `extern`; but g++ takes two of those
// with the same assembler name for different memory, so that all names but the first are references of each thread's.
void Rewriter::rewrite_dynamic_shared(uint32_t i, const SharedDeclaration& it) {
  // The runtime aligns dynamic shared memory for every type.
  for (const auto& [first, last] : it.alignments) replace(tokens_[first].begin, tokens_[last].end, {});
  const uint32_t parent = tokens_[i].parent;
  const uint32_t block_end = parent == kNone ? kNone : tokens_[parent].match;
  const bool in_function = scope_around(i) == Scope::kFunction;
  const bool plain_names = std::find(it.names.begin(), it.names.end(), kNone) == it.names.end();
  const bool as_reference =
      in_function && plain_names &&
      (may_be_template(i) || block_end == kNone || !may_be_captured(it.end, block_end));
  for (uint32_t t = it.begin; t < it.end; ++t) {
    if (t == i || tokens_.is(t, "extern")) erase_token(t);
  }
  const bool one_name = plain_names && it.names.size() == 1;
  if (!as_reference && one_name && extern_shared_name_.empty()) extern_shared_name_ = tokens_.spelling(it.names[0]);
  const bool as_own_reference =
      !as_reference && plain_names && !(one_name && extern_shared_name_ == tokens_.spelling(it.names[0]));
  if (!as_reference) insert_before(it.begin, as_own_reference ? "static thread_local " : "extern __thread ");
  for (size_t k = 0; k < it.names.size(); ++k) {
    if (as_reference || as_own_reference) {
      insert_before(it.names[k], "(&");
      insert_after(it.names[k], ")");
      insert_before(it.separators[k], " = reinterpret_cast<decltype(" +
                                          std::string(tokens_.spelling(it.names[k])) +
                                          ")>(*::cpu_device::dynamic_shared())");
    } else {
      insert_before(it.separators[k], std::string(" __asm__(\"") + kDynamicShared + "\")");
    }
  }
  if (!check_ || !in_function || !plain_names) return;
  for (const uint32_t name : it.names) {
    const std::string spelling(tokens_.spelling(name));
    insert_after(it.end,
                 " ::cpu_device::checked_dynamic_shared(" + spelling + ", \"" + spelling + "\");");
  }
}

// After the declaration: its names, for a checked run. On both sides of it, because some compilers lay
// variables out from the last to the first: a gap that no correct program accesses.
void Rewriter::name_shared(uint32_t begin, uint32_t semicolon, const std::vector<uint32_t>& names) {
  std::string text;
  for (const uint32_t name : names) {
    if (name == kNone) continue;
    const std::string spelling(tokens_.spelling(name));
    text += " ::cpu_device::checked_shared(" + spelling + ", \"" + spelling + "\");";
  }
  const std::string gap = "cpu_device_gap_" + std::to_string(semicolon);
  for (const char* side : {"_before", "_behind"}) {
    const std::string declaration =
        "static thread_local unsigned char " + gap + side + "[64] __attribute__((used)); ";
    if (std::string_view(side) == "_before")
      insert_before(begin, declaration);
    else
      text += " " + declaration;
    text += "::cpu_device::checked_shared(" + gap + side + ", nullptr);";
  }
  insert_after(semicolon, text);
}

// A block has 48 KB for all the arrays whose size the compiler knows. nvcc refuses more, so must
// we: adds a static_assert on the sum of those that are visible here.
void Rewriter::check_size_of_shared(uint32_t i, uint32_t semicolon, std::vector<uint32_t> names) {
  constexpr size_t kMaxNames = 32, kMaxLength = 100;
  names.erase(std::remove(names.begin(), names.end(), kNone), names.end());
  if (scope_around(i) == Scope::kFunction) {
    while (!shared_names_.empty() && tokens_[shared_names_.back().first].match < i) {
      shared_names_.pop_back();
    }
    for (const uint32_t name : names) shared_names_.emplace_back(tokens_[i].parent, name);
    if (shared_names_.size() > kMaxNames) return;
    names.clear();
    for (const auto& [brace, name] : shared_names_) names.push_back(name);
  }
  std::string sum;
  for (const uint32_t name : names) {
    if (tokens_.spelling(name).size() > kMaxLength) return;
    sum += sum.empty() ? "sizeof(" : " + sizeof(";
    sum += tokens_.spelling(name);
    sum += ')';
  }
  if (sum.empty() || names.size() > kMaxNames) return;
  // Compilers point at the comparison: it takes the column of the name.
  std::string there = " ";
  const Position position = tokens_.locate(tokens_[names.back()].begin);
  if (position.line == tokens_.locate(tokens_[semicolon].begin).line &&
      position.column <= kMaxColumn) {
    there = "\n# " + std::to_string(position.line) + '\n' + std::string(position.column, ' ');
  }
  insert_after(semicolon,
               " static_assert(" + sum + there +
                   "<= 48 * 1024, \"a block has at most 48 KB of static __shared__ memory. For more, use "
                   "'extern __shared__' and cudaFuncSetAttribute()\");");
}

}  // namespace cpu_device
