// Changes to the text, which are written out with every line and column that did not change in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax.h"

namespace cpu_device {

constexpr size_t kMaxErrors = 20;
constexpr uint32_t kMaxColumn = 400;  // Beyond it, columns are not worth the blanks.

class EditedText : protected Syntax {
 public:
  EditedText(std::string_view text, std::string_view file_name, std::vector<std::string>& errors)
      : Syntax(text), errors_(errors), file_name_(file_name) {}

 protected:
  // Replaces the bytes [begin, end) of the text. Where `moved_end` is not 0, the rewritten bytes
  // [moved_begin, moved_end) stand between `before` and `after`.
  struct Edit {
    uint32_t begin, end;
    std::string before;
    uint32_t moved_begin = 0, moved_end = 0;
    std::string after;
  };

  void add(Edit edit) { edits_.push_back(std::move(edit)); }
  void replace(uint32_t begin, uint32_t end, std::string text);
  void erase_token(uint32_t i) { replace(tokens_[i].begin, tokens_[i].end, {}); }
  void insert_before(uint32_t i, std::string text) {
    replace(tokens_[i].begin, tokens_[i].begin, std::move(text));
  }
  void insert_after(uint32_t i, std::string text) {
    replace(tokens_[i].end, tokens_[i].end, std::move(text));
  }
  // The text with all edits in it.
  std::string render();

  void error(uint32_t token, const std::string& message);
  void error_at(const Position& position, const std::string& message);

  std::vector<std::string>& errors_;

 private:
  void render(uint32_t begin, uint32_t end, int depth, std::string& output);
  void resume_at(uint32_t offset, bool line_is_lost, std::string& output) const;

  const std::string_view file_name_;
  std::vector<Edit> edits_;
};

}  // namespace cpu_device
