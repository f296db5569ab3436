// Whether a kernel's threads can run as a loop: nothing that it calls may wait for another thread, read
// threadIdx by itself, print, or be unknown. Names decide, since tokens have no types: a name that is
// neither on the list of harmless functions nor defined in the program is unknown.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernel_code.h"
#include "tokens.h"

namespace cpu_device {

class NeverWaits {
 public:
  explicit NeverWaits(const Tokens& tokens);

  // Why the kernel may not run as a loop; empty if it may.
  std::string problem(const KernelCode& code);
  // Such a word in a kernel that may not be understood; empty if there is none.
  std::string word_that_waits(const KernelCode& code) const;
  // These tokens of the kernel have atomics that others may reach, or call a function of the program that has any,
  // or that reads threadIdx by itself.
  bool calls_thread_reader(const KernelCode& code, uint32_t begin, uint32_t end) const;
  // A function of the program takes arguments by reference: it may change them.
  bool may_change_arguments(std::string_view name) const;
  // Always gives the same result for the same arguments, and touches no memory.
  static bool is_pure(std::string_view name);
  // A function of the program that does the same: it has nothing but its arguments and its own variables.
  bool only_computes(std::string_view name) const;
  bool is_of_program(std::string_view name) const { return by_name_.count(name) != 0; }
  // A name in the program that is `constexpr`, `const` without a `*`, a template's parameter or an
  // enumerator: the same for all threads at all times.
  bool is_constant(std::string_view name) const { return constants_.count(name) != 0; }

  // Names of types of the program that are pointers: `typedef float* Row`. A name that also means something else is none.
  const std::unordered_set<std::string_view>& pointer_types() const { return pointer_types_; }

  struct Function {
    uint32_t name, parameters, body;  // tokens; `name`: kNone for an operator
    bool implicit;                    // may be called without its name: constructors, operators
  };
  // The program's only function of this name; nullptr if there is none, or several.
  const Function* only_function(std::string_view name) const;

  // The folder of cuda_runtime.h, as line markers write it: `"/usr/include/`.
  static std::string_view headers_of(const Tokens& tokens);
  // Calls function(begin, end) for tokens of the program's own files: none of the system's headers, and none of ours.
  template <typename Visit>
  static void for_own_parts(const Tokens& tokens, const Visit& function) {
    const std::string_view headers = headers_of(tokens);
    tokens.for_parts([headers](std::string_view file, bool is_system_header) { return is_own_file(headers, file, is_system_header); },
                     function);
  }

 private:
  void find_functions(uint32_t begin, uint32_t end);
  void find_function(uint32_t name, uint32_t open, bool implicit);
  void find_names(uint32_t begin, uint32_t end);
  void sort_functions();
  void find_constants(uint32_t i);
  void find_template_parameters(uint32_t i);
  void add_type(std::string_view name, uint32_t end);
  void judge_implicit();
  void find_thread_readers();
  static bool is_own_file(std::string_view headers, std::string_view file, bool is_system_header);
  static bool is_atomic(const Tokens& tokens, uint32_t i) {
    return tokens.is_identifier(i) && tokens.spelling(i).substr(0, 6) == "atomic";
  }
  static uint32_t end_of_angles(const Tokens& tokens, uint32_t open);
  // A kernel may have tokens of its own (barrier_calls.h).
  const Tokens& tokens_of(const KernelCode* kernel) const { return kernel != nullptr ? kernel->tokens() : tokens_; }
  std::string problem_of_tokens(uint32_t begin, uint32_t end, const KernelCode* kernel);
  std::string problem_of_call(uint32_t i, uint32_t open, uint32_t begin, uint32_t end, const KernelCode* kernel);
  std::string problem_of_atomic(uint32_t i, uint32_t open, uint32_t begin, uint32_t end, const KernelCode* kernel);
  bool is_parameter(uint32_t function, std::string_view name) const;
  std::string problem_of_function(std::string_view name);
  bool finds_only_computing(const Function& function) const;

  const Tokens& tokens_;
  std::vector<Function> functions_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_name_;
  std::unordered_map<std::string_view, std::string> judged_;
  std::unordered_set<std::string_view> in_progress_, classes_, constants_, volatiles_, namespaces_, tainted_classes_,
      thread_readers_, pointer_types_, other_types_;
  std::vector<std::pair<std::string_view, uint32_t>> class_bodies_;  // with their opening brace
  std::unordered_map<std::string_view, uint32_t> name_token_of_;
  mutable std::unordered_map<std::string_view, bool> computes_;
  std::string problem_of_all_;
  uint32_t looked_at_ = 0;  // of functions_
};

}  // namespace cpu_device
