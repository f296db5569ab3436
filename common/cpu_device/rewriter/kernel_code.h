// The body of a kernel as statements and variables, as far as tokens tell: no types are known, and what
// is not understood is said to be so.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tokens.h"

namespace cpu_device {

struct Variable {
  uint32_t name = kNone;                         // its token, or kNone
  uint32_t type_begin = kNone, type_end = kNone;  // `const unsigned int`
  uint32_t begin = kNone, end = kNone;            // the declarator: `*p`, `a[4]`
  uint32_t init_begin = kNone, init_end = kNone;  // what stands behind `=` or between the brackets
  char init = 0;                                  // '=', '(', '{', or 0: none
  uint32_t known_from = 0, known_to = 0;          // where the name means this variable
  bool is_parameter = false, is_array = false, is_pointer = false, is_reference = false;
  bool is_shared = false, in_for_header = false;
  // Somebody assigns to it after its declaration, or may do so through an address.
  std::vector<uint32_t> changes;  // the token of its name there
  bool escapes = false;
};

struct Statement {
  enum Kind { kEmpty, kCompound, kDeclaration, kShared, kExpression, kBarrier, kIf, kFor, kWhile, kDo, kSwitch, kType, kReturn, kOther };
  Kind kind = kOther;
  uint32_t begin = 0, end = 0;  // tokens
  uint32_t condition_begin = 0, condition_end = 0;
  uint32_t step_begin = 0, step_end = 0;  // of a for
  std::vector<std::unique_ptr<Statement>> parts;  // of a compound: all; of an if: then, else; of a loop: its body
  std::unique_ptr<Statement> first;               // of a for: the declaration or expression it begins with
  std::vector<uint32_t> variables;                // that it declares, by number
  bool has_barrier = false;   // in it
  bool leaves = false;        // a return, or a break or continue that leaves the statement itself
  bool continues = false;     // is `continue;`
  bool is_constexpr = false;  // of an if
};

class KernelCode {
 public:
  // `parameters`: its opening parenthesis, `body`: its opening brace. `pointer_types`: names of types that are pointers.
  KernelCode(const Tokens& tokens, uint32_t parameters, uint32_t body, const std::unordered_set<std::string_view>& pointer_types);

  const Tokens& tokens() const { return tokens_; }
  bool understood() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  const Statement& body() const { return *body_; }
  const std::vector<Variable>& variables() const { return variables_; }
  uint32_t parameters_begin() const { return parameters_begin_; }
  uint32_t begin() const { return begin_; }
  uint32_t end() const { return end_; }

  // The number of the variable that the identifier at token i means, or kNone.
  uint32_t variable_at(uint32_t i) const;
  // Of an array; 0 of another variable.
  int dimensions(uint32_t variable) const;
  // Whether `=`, `+=` and their like begin at token i.
  bool is_assignment(uint32_t i) const;
  bool is_twice(uint32_t i, char c) const { return tokens_.is(i, c) && tokens_.adjacent(i) && tokens_.is(i + 1, c); }
  // Whether the operator at token i has an operand on its left.
  bool is_binary(uint32_t i) const;
  // The `>` of `static_cast<int>` if that begins at token i, else i: its brackets compare nothing.
  uint32_t end_of_cast(uint32_t i) const;
  // Whether token i is an atomic function whose first argument is a variable of the block, `__shared__`, or an
  // element of one: as one worker runs the block, nobody else reaches that.
  bool is_atomic_on_shared(uint32_t i) const;
  std::string text(uint32_t begin, uint32_t end) const;

 private:
  using Parsed = std::unique_ptr<Statement>;
  Parsed statement(uint32_t& i, uint32_t scope_end);
  Parsed compound(uint32_t& i);
  Parsed declaration(uint32_t& i, uint32_t scope_end, bool in_header);
  Parsed condition_and_body(uint32_t& i, Statement::Kind kind, uint32_t scope_end);
  Parsed for_loop(uint32_t& i);
  Parsed do_loop(uint32_t& i, uint32_t scope_end);
  Parsed other(uint32_t& i, uint32_t scope_end);
  uint32_t end_of_type(uint32_t i) const;
  uint32_t end_of_expression(uint32_t i) const;
  uint32_t end_of_angles(uint32_t i) const;
  bool declarator(uint32_t& i, Variable& variable);
  bool is_declaration(uint32_t i) const;
  void parameters(uint32_t open, const std::unordered_set<std::string_view>& pointer_types);
  void find_changes();
  void look_at(uint32_t i);
  uint32_t end_of_postfix(uint32_t i, bool* through_pointer, bool* calls) const;
  void fail(uint32_t i, const std::string& why);

  const Tokens& tokens_;
  uint32_t parameters_begin_ = 0, begin_ = 0, end_ = 0;  // of the body, without its braces
  std::string problem_;
  int depth_ = 0;
  Parsed body_;
  std::vector<Variable> variables_;
};

// How many subscripts follow the name at token i.
int subscripts_at(const Tokens& tokens, uint32_t i);
// Whether the name of an array at token i may stand for an address: it has fewer subscripts, or an `&` before it.
bool takes_address_of(const Tokens& tokens, uint32_t i, int subscripts);
// Defines the reference `name` to a thread-local variable, through a pointer that the compiler does not know: g++ 12 takes
// addresses in thread-local memory for constants, and vectors of them lack the thread's part.
std::string reference_by_unknown_address(std::string_view name, std::string_view variable);
// Words of C++ that can stand before a `(` without being a function.
bool is_keyword_before_parenthesis(std::string_view word);
bool is_type_word(std::string_view word);
// `atomicAdd` of `atomicAdd_block`.
std::string_view without_scope(std::string_view atomic);

}  // namespace cpu_device
