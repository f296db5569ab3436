// Answers questions about the structure of the code: statements, scopes, template brackets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tokens.h"
#include "words.h"

namespace cpu_device {

constexpr uint32_t kMaxAngles = 1000;  // Tokens between the brackets of template arguments.

class Syntax {
 public:
  explicit Syntax(std::string_view text) : tokens_(text) {}

 protected:
  enum class Scope { kNamespace, kClass, kFunction };

  // The kind of the braces that token i is directly in.
  Scope scope_around(uint32_t i);
  // Might the code around token i be a template? Also says yes for some code that is not.
  bool may_be_template(uint32_t i);
  // Does [begin, end) hold a lambda that captures nothing or by value? `begin` never decreases from
  // one call to the next.
  bool may_be_captured(uint32_t begin, uint32_t end);
  // Walks left from token i to the first token of its statement or declaration, not beyond `limit`.
  uint32_t begin_of_statement(uint32_t i, uint32_t limit) const;
  // The last token of the statement that begins at token i. kNone if there is none, or if statements
  // are nested too deeply: the time stays linear in the size of the text.
  uint32_t end_of_statement(uint32_t i, int depth = 0) const;
  // The `>` that closes the `<` at `open`, or kNone if these are no template brackets. Looks no
  // further than `limit`.
  uint32_t end_of_angles(uint32_t open, uint32_t limit) const;
  // The `<` that opens what the `>` at `close` closes, or kNone.
  uint32_t begin_of_angles(uint32_t close) const;
  // The tokens [begin, end) in one line: there may be line markers between them.
  std::string text_of(uint32_t begin, uint32_t end) const;
  bool three(uint32_t i, char c) const {
    return tokens_.is(i, c) && tokens_.is(i + 1, c) && tokens_.is(i + 2, c);
  }
  // An identifier that can be part of an expression's name.
  bool is_name(uint32_t i) const {
    return tokens_.is_identifier(i) && !ends_expression_to_the_left(tokens_.spelling(i));
  }
  bool follows_without_gap(uint32_t i, char c) const {
    return tokens_.adjacent(i) && tokens_.is(i + 1, c);
  }

  const Tokens tokens_;

 private:
  std::unordered_map<uint32_t, Scope> scopes_;    // By the index of the opening brace.
  std::unordered_map<uint32_t, bool> templates_;  // By the index of the opening bracket.
  uint32_t next_lambda_ = 0;
};

}  // namespace cpu_device
