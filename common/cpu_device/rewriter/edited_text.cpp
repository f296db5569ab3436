#include "edited_text.h"

#include <algorithm>

namespace cpu_device {

constexpr int kMaxNestedConfigurations = 64;
constexpr size_t kMaxFileName = 1000;

void EditedText::error(uint32_t token, const std::string& message) {
  error_at(tokens_.locate(tokens_[token].begin), message);
}

void EditedText::error_at(const Position& position, const std::string& message) {
  if (errors_.size() >= kMaxErrors) return;
  const std::string file = position.file.empty() ? std::string(file_name_) : unquote(position.file);
  errors_.push_back(file + ":" + std::to_string(position.line) + ": error: " + message);
}

void EditedText::replace(uint32_t begin, uint32_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text), 0, 0, {}});
}

// Continues with the text at `offset`, at its line and column: a line marker and blanks. Where no
// line break was moved or lost, not if there is only punctuation left on the line.
void EditedText::resume_at(uint32_t offset, bool line_is_lost, std::string& output) const {
  if (!line_is_lost) {
    const uint32_t end = std::min(tokens_.line_end(offset), offset + kMaxColumn);
    bool has_words = false;
    for (uint32_t i = offset; i < end && !has_words; ++i) {
      const char c = tokens_.text()[i];
      has_words = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0;
    }
    if (!has_words) return;
  }
  const Position position = tokens_.locate(offset);
  output += "\n# " + std::to_string(position.line);
  // Without a name it is still the same file; but a marker that said so may be lost.
  if (line_is_lost && !position.file.empty() && position.file.size() <= kMaxFileName) {
    output += ' ';
    output += position.file;
    if (position.is_system_header) output += " 3";
  }
  output += '\n';
  if (position.column <= kMaxColumn) output.append(position.column, ' ');
}

// Writes the bytes [begin, end) with the edits in them.
void EditedText::render(uint32_t begin, uint32_t end, int depth, std::string& output) {
  const std::string_view text = tokens_.text();
  const auto has_newline = [text](uint32_t from, uint32_t to) {
    return from < to && text.substr(from, to - from).find('\n') != std::string_view::npos;
  };
  if (depth > kMaxNestedConfigurations) {
    const Position position = tokens_.locate(begin);
    if (errors_.empty()) error_at(position, "launches are nested too deeply");
    return;
  }
  auto edit = std::lower_bound(edits_.begin(), edits_.end(), begin,
                               [](const Edit& e, uint32_t byte) { return e.begin < byte; });
  uint32_t at = begin;
  const uint32_t last = depth == 0 ? end : end - 1;  // Of what is moved, nothing follows the end.
  for (; edit != edits_.end() && edit->begin <= last; ++edit) {
    if (edit->begin < at) continue;  // Inside a range that was moved away.
    output += text.substr(at, edit->begin - at);
    at = edit->end;
    output += edit->before;
    if (edit->moved_end != 0) {
      resume_at(edit->moved_begin, has_newline(at, edit->moved_begin), output);
      render(edit->moved_begin, edit->moved_end, depth + 1, output);
      output += edit->after;
      resume_at(at, has_newline(at, edit->moved_end), output);
    } else if (has_newline(edit->begin, at)) {
      resume_at(at, true, output);
    } else if (edit->before.size() <= at - edit->begin) {
      output.append(std::min<size_t>(at - edit->begin - edit->before.size(), kMaxColumn), ' ');
    } else {
      resume_at(at, false, output);
    }
  }
  if (at < end) output += text.substr(at, end - at);
}

std::string EditedText::render() {
  // What is inserted before a token comes before what replaces the token.
  std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::string output;
  output.reserve(tokens_.text().size() + edits_.size() * 64);
  render(0, static_cast<uint32_t>(tokens_.text().size()), 0, output);
  return output;
}

}  // namespace cpu_device
