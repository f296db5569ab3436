// The translator of PTX: what its files share. ptx.cpp reads statements, registers and operands;
// ptx_arithmetic.cpp, ptx_memory.cpp and ptx_threads.cpp have the instructions.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ptx.h"

namespace cpu_device::ptx {

inline const std::string kPtx = "::cpu_device::ptx::";

using Words = std::vector<std::string>;

bool contains(const Words& words, std::string_view word);
bool is_among(std::string_view word, std::initializer_list<std::string_view> words);
bool is_type(std::string_view word);
inline bool is_real_type(const std::string& type) { return type[0] == 'f'; }
int bytes_of(const std::string& type);
std::string trimmed(std::string_view text);
// The parts of the text between separators, of which those inside brackets do not count.
Words split(std::string_view text, char separator);
// The elements of `{a, b}`, or a single one.
Words elements_of(const std::string& operand);

// Why the code cannot be translated: thrown inside, never leaves Translator::run().
struct Unsupported {
  std::string why;
};

class Translator {
 public:
  Translator(std::string_view code, const std::vector<PtxOperand>& operands, bool in_kernel)
      : code_(without_comments(code)), operands_(operands), in_kernel_(in_kernel) {}

  PtxResult run();

 private:
  // `mad.lo.s32 d, a, b, c`
  struct Instruction {
    std::string opcode, name;  // name: up to the first point
    Words modifiers;
    std::string type;  // the last one
    Words operands;
    bool has(std::string_view modifier) const { return contains(modifiers, modifier); }
  };

  static std::string without_comments(std::string_view code);
  void declare_operands();
  // The length of a label with its colon that begins at `at`, or 0.
  size_t label_at(size_t at) const;
  void declare_labels();
  static std::string label(std::string_view name);
  void statement(const std::string& text);
  void declare_registers(const std::string& text);
  void instruction(const std::string& text);

  std::string real_arithmetic(const Instruction& it);
  std::string integer_arithmetic(const Instruction& it);
  std::string video(const Instruction& it);
  std::string bits(const Instruction& it);
  std::string function(const Instruction& it);
  std::string comparison(const std::string& how, const std::string& type, const std::string& a,
                         const std::string& b);
  std::string compare(const Instruction& it);
  std::string convert(const Instruction& it);
  std::string move(const Instruction& it);
  std::string load_store(const Instruction& it);
  std::string atomic(const Instruction& it);
  std::string warp(const Instruction& it);
  std::string load_matrices(const Instruction& it);
  std::string multiply_matrices(const Instruction& it);
  std::string block(const Instruction& it);
  std::string copy_async(const Instruction& it);
  std::string copy_bulk(const Instruction& it);
  std::string mbarrier(const Instruction& it);
  std::string cluster(const Instruction& it);
  std::string half(const Instruction& it);
  std::string half_conversion(const Instruction& it);

  static std::string rounding(const Instruction& it);
  static int scope(const Instruction& it);
  static void expect(const Instruction& it, size_t least, size_t most);
  std::string variable(const std::string& name) const;
  std::string get(std::string operand, const std::string& type) const;
  std::string put(const std::string& operand, const std::string& type,
                  const std::string& value) const;
  std::string address(std::string operand, bool is_shared) const;
  static std::string special(const std::string& name);
  // The value of operand `i` as the instruction's type.
  std::string arg(const Instruction& it, size_t i) const { return get(it.operands[i], it.type); }

  const std::string code_;
  const std::vector<PtxOperand>& operands_;
  const bool in_kernel_;
  std::string text_, after_;
  std::vector<std::set<std::string>> registers_{{}};  // of each open brace
  std::set<std::string> labels_;                      // as C++ has them
};

}  // namespace cpu_device::ptx
