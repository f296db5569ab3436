// Writes the plan of a kernel (kernel_plan.h) down as loops over the threads of a block.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel_code.h"
#include "kernel_plan.h"
#include "never_waits.h"

namespace cpu_device {

class LoopWriter {
 public:
  LoopWriter(const Tokens& tokens, const KernelCode& code, KernelPlan& plan, const NeverWaits& never_waits)
      : tokens_(tokens), code_(code), plan_(plan), never_waits_(never_waits) {}
  std::string lambda();
  // Why the text must not be used; empty if it may. Known after lambda().
  const std::string& problem() const { return problem_; }

 private:
  struct Use {
    int number, region;
  };
  // Where a variable of a thread lives.
  enum class Home : uint8_t { kLoop, kChunk, kBlock };

  void find_uses(const std::vector<Node>& nodes);
  void note_uses(uint32_t begin, uint32_t end, int number, int region, const Statement* whole = nullptr);
  void find_homes();
  bool has_only_elements(uint32_t v) const;
  bool is_element_by_value(uint32_t begin, uint32_t end, uint32_t limit) const;
  bool is_by_elements(uint32_t v) const { return by_elements_.count(v) != 0; }
  void copy(uint32_t begin, uint32_t end);
  void mark(uint32_t t);
  void copy_token(uint32_t t, bool is_first);
  void copy_in_lane(uint32_t begin, uint32_t end);
  void write(const std::string& text) { text_ += text; }
  std::string name_of(uint32_t v) const { return std::string(tokens_.spelling(code_.variables()[v].name)); }
  std::string copies_of(uint32_t v) const { return "cpu_device_copies_" + name_of(v) + "_" + std::to_string(v); }
  std::string array_of(uint32_t v) const { return "cpu_device_array_" + name_of(v) + "_" + std::to_string(v); }
  std::string first_of(uint32_t v) const { return "cpu_device_first_" + name_of(v) + "_" + std::to_string(v); }
  std::string element_of(uint32_t v) const;
  static std::string asked_of(const Node& question) { return "cpu_device_asked_" + std::to_string(question.number); }
  std::string name_for_lane(uint32_t v) const;
  std::string type_of_array(uint32_t v) const;
  void array(uint32_t v, const std::string& count);
  std::set<uint32_t> constants_in(uint32_t begin, uint32_t end) const;
  void define_type(uint32_t v, const std::string& name, const std::string& lanes);
  void by_elements_of_block();
  void initialize(const Variable& v);
  void shared(const Statement& s);
  void block_nodes(const std::vector<Node>& nodes);
  bool is_short(const std::vector<Node>& nodes, bool* has_lanes) const;
  static bool parts_lanes(const std::vector<Node>& nodes);
  void region(const Node& node);
  void constants_of(const Node& region);
  void collect(const std::vector<Node>& nodes, std::set<uint32_t>& used, std::set<uint32_t>& declared) const;
  void collect_range(uint32_t begin, uint32_t end, std::set<uint32_t>& used) const;
  void constant(uint32_t v);
  void lane_nodes(const std::vector<Node>& nodes);
  static bool always_ends(const std::vector<Node>& nodes);
  std::vector<uint32_t> take_copies(const Node& loop);
  void put_back(const std::vector<uint32_t>& kept);
  void head(const Node& node);
  void lanes(const Node& node);
  void guard(const Node& node);
  void ask(const Node& node);
  void agreed(const Node& node);
  void stride(const Node& node);
  void lane_names(const std::set<uint32_t>& used, const std::set<uint32_t>& declared, bool shows_thread);
  bool shows_thread(const Node& node) const;
  void rest_of_stride(const Statement& s);
  void piece(const Piece& piece);
  bool stores_last(const Node& node) const;
  int stores_in(uint32_t begin, uint32_t end) const;
  bool only_computes(uint32_t call) const;
  static const Statement& last_of(const Statement& s);

  const Tokens& tokens_;
  const KernelCode& code_;
  KernelPlan& plan_;
  const NeverWaits& never_waits_;
  std::string text_;
  std::string problem_;
  uint32_t line_ = 0;
  std::string_view file_;
  std::map<uint32_t, std::vector<Use>> uses_;  // of variables of a thread, the declaration first
  std::map<uint32_t, Home> homes_;
  std::set<uint32_t> by_elements_;  // arrays of which the lanes' elements are neighbors, so that they can be vectors
  std::set<uint32_t> kept_;  // variables of the block that the loop which is being written has copies of
  std::vector<std::pair<uint32_t, uint32_t>> subscripts_;  // of the loop that is being written
};

}  // namespace cpu_device
