// Which variables of a kernel are the same for all its threads, and the order of loops over the lanes
// that follows from it (block_loops.h).
#pragma once

#include <string>
#include <vector>

#include "kernel_code.h"
#include "never_waits.h"

namespace cpu_device {

// How much an expression differs between the threads of a block.
enum class Level : uint8_t { kBlock, kRow, kThread };

struct Piece {  // of a loop over the lanes
  const Statement* statement;
  uint32_t variable;  // kNone: the whole statement, else only this one of its declaration
  bool is_rest = false;  // of a stride whose variable its `for` declares: the statement, from where the lanes part on
};

// A term of a guard that decides for all threads of the row behind the first for which it does: `x < n`, or `x == c`.
struct LastingTerm {
  uint32_t begin, end;              // the term
  uint32_t name_begin, name_end;    // first + lane
  uint32_t other_begin, other_end;  // what is the same for all
  bool is_equality;                 // decides only where `x > c`
};

struct Node {
  enum Kind {
    kRegion,   // a loop over all threads of the block
    kLanes,    // a loop over the lanes
    kConstant, // a variable that never changes: the same for all, or the first lane's
    kCounter,  // the declaration of one
    kUniform,  // a statement for all threads at once
    kLoop,
    kIf,
    kGuard,    // `if (...) return;`, or an `if` around all that is left
    kStride,   // a loop whose variable is first + lane: `parts` for all lanes at once, `otherwise` lane by lane
    kScope,
    kShared,
    kAsk,      // asks all threads of the block for a condition
    kAgreed,   // what they do if they agree: leave the kernel (`negative`), or `parts` or `otherwise`
  };
  Kind kind;
  const Statement* statement = nullptr;
  uint32_t variable = kNone;
  std::vector<Node> parts, otherwise;
  std::vector<Piece> pieces;
  bool negative = false;     // of a guard: threads leave if it holds
  bool monotone = false;     // of a guard: if it holds, or not, for the first and last lane, it does so for all
  bool one_sided = false;    // both if it holds and if it does not
  std::vector<LastingTerm> lasting;  // of a guard
  bool returns = false;      // of lanes: some return
  uint32_t step_begin = 0, step_end = 0;  // of a stride
  int number = 0;            // of lanes, guards, strides and questions
  int region = 0;
};

class KernelPlan {
 public:
  KernelPlan(const Tokens& tokens, const KernelCode& code, const NeverWaits& never_waits);

  const std::string& problem() const { return problem_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  Level level(uint32_t variable) const { return levels_[variable]; }
  bool is_affine(uint32_t variable) const { return affine_[variable]; }
  bool is_counter(uint32_t variable) const { return !code_.variables()[variable].changes.empty() && levels_[variable] != Level::kThread; }
  // Never changed, and the same for all lanes, or known from the first.
  bool is_constant(uint32_t variable) const;
  // Of the block and not of a region.
  bool is_of_block(uint32_t variable) const;
  // Whether the expression is that of the first lane + the lane, and made of names that are known before
  // the loop over the lanes.
  bool is_sum_with_lane(uint32_t begin, uint32_t end) const;
  // Declared where statements are planned, and not within what a loop over the lanes takes as it is.
  bool is_planned(uint32_t variable) const { return planned_[variable]; }
  bool is_declared_in(uint32_t variable, const Statement& s) const;
  bool is_type_of_kernel(const Statement& s) const;
  // The variable of a stride that its `for` declares.
  bool is_of_stride(uint32_t variable) const { return of_stride_[variable]; }
  // It is first + lane now, since the stride that it belongs to is being written.
  bool is_joint(uint32_t variable) const { return joint_[variable]; }
  void set_joint(uint32_t variable, bool joint) { joint_[variable] = joint; }

 private:
  struct Change {  // `name += expression;`
    uint32_t variable, begin, end;  // the expression
    std::vector<const Statement*> around;
  };
  void find_levels();
  void find_changes(const Statement& s, std::vector<const Statement*>& around);
  void add_change(uint32_t begin, uint32_t end, const std::vector<const Statement*>& around);
  Level level_of(uint32_t begin, uint32_t end) const;
  Level level_of_change(const Change& change) const;
  bool depends_on_moving_counter(uint32_t v) const;
  bool is_affine_sum(uint32_t begin, uint32_t end) const;
  bool is_affine_name(uint32_t begin, uint32_t end) const;
  bool is_cast_of_thread(uint32_t begin, uint32_t end) const;
  bool skip_cast(uint32_t& i) const;
  bool has_integer_type(const Variable& v) const;
  bool is_pure(uint32_t begin, uint32_t end) const;
  bool is_monotone(uint32_t begin, uint32_t end, char joined_by, unsigned& moving) const;
  bool is_monotone_term(uint32_t begin, uint32_t end) const;
  std::vector<LastingTerm> lasting_terms(uint32_t begin, uint32_t end, bool negative) const;
  bool contains_barrier(uint32_t begin, uint32_t end) const;
  bool is_change_of_counter(const Statement& s, bool of_block) const;

  void plan_block(const std::vector<const Statement*>& list, std::vector<Node>& nodes);
  bool leaves_memory_alone(const Statement& s) const;
  bool plan_question(const Statement& s, std::vector<const Statement*>& pending, std::vector<Node>& nodes);
  void plan_block_loop(const Statement& s, std::vector<Node>& nodes);
  void flush(std::vector<const Statement*>& pending, std::vector<Node>& nodes);
  void plan_lanes(const std::vector<const Statement*>& list, bool& leading, bool last, std::vector<Node>& nodes);
  bool plan_guard(const Statement& s, bool is_last, bool& leading, bool last, std::vector<Node>& nodes);
  bool plan_uniform(const Statement& s, bool is_last, bool& leading, bool last, std::vector<Node>& nodes);
  bool plan_stride(const Statement& s, std::vector<Node>& nodes);
  uint32_t variable_of_stride(const Statement& s) const;
  bool is_step_of(uint32_t variable, uint32_t begin, uint32_t end) const;
  void plan_declaration(const Statement& s, bool& leading, std::vector<Node>& nodes);
  void add_piece(std::vector<Node>& nodes, Piece piece);
  void check_counters(const std::vector<Node>& nodes);
  void fail(uint32_t i, const std::string& why);

  const Tokens& tokens_;
  const KernelCode& code_;
  const NeverWaits& never_waits_;
  std::string problem_;
  std::vector<Level> levels_;
  std::vector<bool> affine_, planned_, of_stride_, joint_;
  std::vector<Change> changes_;
  std::vector<uint32_t> barriers_;
  std::vector<Node> nodes_;
  int next_number_ = 0, next_region_ = 0;
  bool has_written_ = false;  // perhaps, before the statement that is planned
  int returning_region_ = -1;  // one in which threads leave the kernel: none may come after it
};

// Statements of a compound, or the one that stands there.
std::vector<const Statement*> statements_of(const Statement& s);
bool has_return(const Statement& s);
// A break or continue that leaves the statement.
bool has_jump(const Statement& s);

}  // namespace cpu_device
