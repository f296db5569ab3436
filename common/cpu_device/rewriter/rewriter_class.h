// The rewriter: one walk over the words that CUDA adds to C++. Its parts are in launches.cpp,
// kernels.cpp, shared_memory.cpp, inline_assembler.cpp, warp_synchronous.cpp, warp_exchanges.cpp, waiting_loops.cpp,
// checked_run_marks.cpp; the walk and what is small in rewriter.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edited_text.h"
#include "host_calls.h"
#include "never_waits.h"

namespace cpu_device {

class Rewriter : EditedText {
 public:
  Rewriter(std::string_view text, std::string_view file_name, std::vector<std::string>& errors,
           bool check, bool flatten, bool module, bool loops, bool marks_text)
      : EditedText(text, file_name, errors),
        check_(check),
        flatten_(check && flatten),
        module_(module),
        loops_(loops && !check),
        marks_text_(marks_text) {}

  std::string run();

 private:
  struct Launch {
    uint32_t callee, open, close, arguments;  // `open`, `close`: first tokens of <<< and >>>.
  };
  // A declaration with __global__ in it.
  struct Kernel {
    uint32_t begin = kNone;       // First token of the declaration.
    uint32_t name = kNone;        // kNone if this is no function.
    uint32_t parameters = kNone;  // Its opening parenthesis.
    uint32_t body = kNone;        // Its opening brace; kNone if only declared.
  };
  // A declaration with __shared__ in it.
  struct SharedDeclaration {
    uint32_t begin = kNone, end = kNone;  // First token; the semicolon, or where reading stopped.
    bool is_extern = false, is_static = false;
    std::vector<uint32_t> names;       // One per declarator; kNone if it is not a plain name.
    std::vector<uint32_t> separators;  // The token behind each declarator.
    std::vector<std::pair<uint32_t, uint32_t>> alignments;
    uint32_t initializer = kNone;
  };

  // Launches.
  void launch(uint32_t open);
  bool find_end_of_configuration(uint32_t open, Launch& launch);
  unsigned count_entries(uint32_t begin, uint32_t end, bool& empty_entry) const;
  bool closes_too_few_angles(uint32_t begin, uint32_t end) const;
  uint32_t find_callee(uint32_t open) const;

  // Kernels.
  void global(uint32_t i);
  Kernel parse_kernel(uint32_t i);
  uint32_t end_of_launch_bounds(uint32_t i) const;
  void launch_bounds(uint32_t i);
  std::string calls_for_bounds(const Kernel& kernel);
  // The token of a `return` before the end of the kernel whose braces open at `body`, or of an `if` or a loop with a
  // barrier in it that is its last statement. kNone if there is no such thing.
  uint32_t early_exit(uint32_t body) const;
  uint32_t last_statement(uint32_t open) const;
  bool names_a_parameter(const Kernel& kernel, uint32_t begin, uint32_t end) const;
  std::string note_for_module(const Kernel& kernel);
  std::string loops_of(const Kernel& kernel);
  std::string places_of_shared(const Kernel& kernel) const;
  bool is_plain_call(uint32_t i) const;
  bool names_a_variable(const Kernel& kernel, std::string_view name) const;
  void check_host_calls(const Kernel& kernel);
  bool check_kernel(uint32_t i, const Kernel& kernel);
  bool check_parameters(const Kernel& kernel, std::vector<uint32_t>* references = nullptr);
  std::string signature(const Kernel& kernel) const;
  std::string name_parameters(const Kernel& kernel) const;
  void function_name(uint32_t i);
  void kernel_addresses();

  // Shared memory.
  void shared(uint32_t i);
  uint32_t begin_of_shared(uint32_t i) const;
  SharedDeclaration parse_shared(uint32_t begin) const;
  void rewrite_static_shared(uint32_t i, const SharedDeclaration& it);
  void rewrite_dynamic_shared(uint32_t i, const SharedDeclaration& it);
  void name_shared(uint32_t begin, uint32_t semicolon, const std::vector<uint32_t>& names);
  void check_size_of_shared(uint32_t i, uint32_t semicolon, std::vector<uint32_t> names);

  // What a checked run is told.
  void ignored_atomics();
  void initialized_constants();
  std::string mark(const std::string& kernel, uint32_t first, uint32_t last, bool is_kernel);
  void mark_bodies(const Kernel& kernel);
  void mark_body(const std::string& kernel, uint32_t first);
  std::string mark_table() const;

  // Inline assembler.
  void assembler(uint32_t i);
  void translate_assembler(uint32_t i, uint32_t open, bool in_kernel);

  // Warp-synchronous code.
  struct Step {
    uint32_t first, sign, sign_end, end;  // `first[...] sign ... end`, the semicolon
    bool counts_on_it;
  };
  void volatile_name(uint32_t i);
  std::vector<Step> warp_steps(uint32_t open, std::string_view name) const;
  bool synchronizes(uint32_t begin, uint32_t end) const;
  bool is_in_loop_without_barrier(uint32_t i) const;
  // `first[...]`, up to `end`; of `first[...] = x;` also the semicolon.
  struct ElementAccess {
    uint32_t first, end;
    std::string index;
    bool is_write;
    uint32_t semicolon;
  };
  void warp_exchanges(uint32_t open, std::string_view name);
  std::vector<ElementAccess> element_accesses(uint32_t open, std::string_view name) const;
  bool may_be_of_another_lane(const ElementAccess& read, const ElementAccess& write, uint32_t open) const;
  bool tag_loops(uint32_t open, const std::vector<ElementAccess>& all);
  bool is_plain_index(const ElementAccess& one, uint32_t first) const;
  bool has_meeting(uint32_t begin, uint32_t end) const;
  uint32_t end_of_index(uint32_t t) const;
  std::string text_between(uint32_t begin, uint32_t end) const;
  uint32_t place_before_statement(uint32_t t, uint32_t open) const;
  uint32_t begin_of_condition(uint32_t first, uint32_t open) const;
  uint32_t loop_around(uint32_t t, uint32_t open) const;
  uint32_t end_of_condition(uint32_t first, uint32_t end, uint32_t open) const;
  void butterflies();
  void butterfly(uint32_t t);
  uint32_t end_of_butterfly(uint32_t t) const;
  bool has_butterfly(uint32_t begin, uint32_t end) const;
  bool is_of_thread(uint32_t t, const std::string& index) const;

  // Loops that wait for others.
  void waiting_loops();
  void waiting_loop(uint32_t i);
  void learn_volatile(uint32_t i);
  bool reads_volatile(uint32_t begin, uint32_t end) const;
  bool may_wait(uint32_t open, uint32_t first, uint32_t last) const;
  void poll_in(uint32_t begin, uint32_t end, uint32_t number);

  // What is small.
  void unroll(size_t pragma);
  void noinline(uint32_t i);
  void texture_reference(uint32_t i);

  const bool check_, flatten_, module_, loops_, marks_text_;
  std::unique_ptr<NeverWaits> never_waits_;  // Made for the first kernel.
  std::unique_ptr<HostFunctions> host_functions_;  // Made for the first call in a kernel.
  std::string marks_;  // The table of what a checked run may reach, see mark().
  uint32_t mark_count_ = 0;
  std::unordered_map<std::string_view, uint32_t> kernel_names_;  // Where the first is declared.
  std::unordered_set<std::string_view> module_names_;
  // Of kernels that were only declared: what calls_for_bounds() made, by name and number of parameters.
  std::unordered_map<std::string, std::string> declared_bounds_;
  // The program has a class of its own named `texture`, or `surface`.
  bool own_texture_ = false, own_surface_ = false;

  // The kernel whose body the walk is in: it ends at this byte.
  uint32_t kernel_end_ = 0;
  Kernel kernel_;
  std::unordered_set<std::string_view> shared_of_file_;  // outside of functions
  std::string extern_shared_name_;  // of the one dynamic array that is an `extern`
  uint32_t shared_end_ = 0;     // Token after the last declaration with __shared__.
  uint32_t steps_end_ = 0;      // Token after the last step of warp-synchronous code.
  std::unordered_set<uint32_t> stepped_;    // First tokens of the statements that volatile_name() has rewritten.
  std::unordered_set<uint32_t> exchanged_;  // Tokens that warp_exchanges() has looked at.
  std::unordered_set<std::string_view> volatile_names_;  // of variables, and of functions that read some
  std::unordered_set<uint32_t> ends_of_do_;              // their `while`
  uint32_t kernel_search_ = 0;  // Token after the last declaration with __global__.
  std::vector<std::pair<uint32_t, uint32_t>> shared_names_;  // Enclosing brace, name.
};

}  // namespace cpu_device
