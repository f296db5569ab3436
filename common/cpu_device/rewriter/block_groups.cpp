#include "block_groups.h"

#include <map>
#include <set>
#include <string_view>

namespace cpu_device {
namespace {

// What a member function without arguments stands for.
std::string_view meaning_of(std::string_view member) {
  static const std::map<std::string_view, std::string_view> meanings = {
      {"sync", "__syncthreads()"},
      {"thread_rank", "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"},
      {"thread_index", "threadIdx"},
      {"group_index", "blockIdx"},
      {"dim_threads", "blockDim"},
      {"group_dim", "blockDim"},
      {"size", "(blockDim.x * blockDim.y * blockDim.z)"},
      {"num_threads", "(blockDim.x * blockDim.y * blockDim.z)"}};
  const auto found = meanings.find(member);
  return found == meanings.end() ? std::string_view() : found->second;
}

class GroupWriter {
 public:
  GroupWriter(const Tokens& tokens, uint32_t parameters, uint32_t body)
      : tokens_(tokens), parameters_(parameters), body_(body), end_(tokens[body].match) {}

  std::string kernel() {
    bool has_group = false;  // most kernels have none
    for (uint32_t t = body_; end_ != kNone && t < end_ && !has_group; ++t) has_group = tokens_.is(t, "this_thread_block");
    if (!has_group) return {};
    text_ = "void kernel";
    line_marker(parameters_);
    copy(parameters_, tokens_[parameters_].match + 1);
    line_marker(body_);
    return write() ? std::move(text_) : std::string();
  }

 private:
  bool write() {
    uint32_t copied = body_;
    for (uint32_t t = body_; t < end_; ++t) {
      uint32_t begin = t, end = t;
      const std::string meaning = meaning_at(begin, end);
      if (end == t) {
        if (tokens_.is(t, "this_thread_block") || (is_name(t) && names_.count(tokens_.spelling(t)) != 0)) return false;
        continue;
      }
      if (copied < begin) copy(copied, begin);
      text_ += ' ' + meaning;
      line_marker(end);
      copied = end;
      t = end - 1;
    }
    copy(copied, end_ + 1);
    return true;
  }

  // What stands for the tokens begin to end, which begin at or before token `begin` as it is given; end stays if they mean
  // no group.
  std::string meaning_at(uint32_t& begin, uint32_t& end) {
    if (const uint32_t behind = declaration(begin)) {
      end = behind;
      return ";";
    }
    const uint32_t first = behind_namespace(begin);
    if (tokens_.is(first, "sync") && tokens_.is(first + 1, '(') && is_group(first + 2) && tokens_.is(first + 3, ')')) {
      end = first + 4;
      return "__syncthreads()";
    }
    uint32_t group_end = kNone;
    if (is_group(begin) && is_name(begin))
      group_end = begin + 1;
    else if (is_this_block(first))
      group_end = first + 3;
    if (group_end == kNone || !tokens_.is(group_end, '.') || !tokens_.is(group_end + 2, '(') || !tokens_.is(group_end + 3, ')')) return {};
    const std::string_view meaning = tokens_.is_identifier(group_end + 1) ? meaning_of(tokens_.spelling(group_end + 1)) : "";
    if (!meaning.empty()) end = group_end + 4;
    return std::string(meaning);
  }

  // Behind `cg::thread_block block = cg::this_thread_block();`, or 0.
  uint32_t declaration(uint32_t i) {
    if (!tokens_.is(i - 1, '{') && !tokens_.is(i - 1, ';') && !tokens_.is(i - 1, '}')) return 0;
    if (tokens_.is(i, "const")) ++i;
    const uint32_t type = behind_namespace(i);
    if (!tokens_.is(type, "auto") && !tokens_.is(type, "thread_block")) return 0;
    const uint32_t name = type + 1, value = behind_namespace(name + 2);
    if (!tokens_.is_identifier(name) || !tokens_.is(name + 1, '=') || !is_this_block(value) || !tokens_.is(value + 3, ';')) return 0;
    names_.insert(tokens_.spelling(name));
    return value + 4;
  }

  bool is_name(uint32_t i) const {
    return tokens_.is_identifier(i) && !tokens_.is(i - 1, '.') && !tokens_.is_arrow(i - 1) && !tokens_.is_scope(i - 1);
  }
  bool is_group(uint32_t i) const { return tokens_.is_identifier(i) && names_.count(tokens_.spelling(i)) != 0; }
  bool is_this_block(uint32_t i) const {
    return tokens_.is(i, "this_thread_block") && tokens_.is(i + 1, '(') && tokens_.is(i + 2, ')');
  }
  uint32_t behind_namespace(uint32_t i) const {
    while (tokens_.is_identifier(i) && tokens_.is_scope(i + 1)) i += 2;
    return i;
  }

  void line_marker(uint32_t t) { text_ += line_marker_of(tokens_.locate(tokens_[t].begin)); }
  void copy(uint32_t begin, uint32_t end) {
    text_ += tokens_.text().substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
  }

  const Tokens& tokens_;
  const uint32_t parameters_, body_, end_;
  std::set<std::string_view> names_;  // of groups
  std::string text_;
};

}  // namespace

std::string with_block_groups_written_out(const Tokens& tokens, uint32_t parameters, uint32_t body) {
  return GroupWriter(tokens, parameters, body).kernel();
}

}  // namespace cpu_device
