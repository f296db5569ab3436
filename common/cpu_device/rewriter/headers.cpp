#include "headers.h"

#include <cstring>

#include "words.h"

namespace cpu_device {

uint64_t hash_of(std::string_view text, uint64_t value) {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
  const auto add = [&](uint64_t word) {
    value = (value ^ word) * odd;
    value ^= value >> 29;
  };
  add(text.size());
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof(uint64_t))) {
    uint64_t word;
    std::memcpy(&word, text.data(), sizeof word);
    add(word);
  }
  for (const char letter : text) add(static_cast<unsigned char>(letter));
  return value;
}

namespace {

// Walks through the text line by line, and knows from the line markers where it is:
//   # 12 "dot.cu" 1     here begins an included file; 2: goes on after one; 3: of the system
struct Walk {
  explicit Walk(std::string_view all) : text(all) {}

  std::string_view text;
  size_t line_begin = 0, line_end = 0;
  std::string_view line;
  std::string_view file;  // with its quotes
  bool enters = false, returns = false, of_system = false;

  bool next() {
    if (line_end == text.size()) return false;
    line_begin = line_end;
    const size_t end = text.find('\n', line_begin);
    line_end = end == text.npos ? text.size() : end + 1;
    line = text.substr(line_begin, line_end - line_begin);
    return true;
  }

  // Reads a marker. Those that the rewriter adds, `# 26`, leave the file as it is.
  bool at_marker() {
    if (!starts_with(line, "# ")) return false;
    enters = returns = false;
    const size_t quote = line.find('"'), last = line.rfind('"');
    if (quote == line.npos) return true;
    file = line.substr(quote, last + 1 - quote);
    const std::string_view flags = line.substr(last + 1);
    enters = flags.find('1') != flags.npos;
    returns = flags.find('2') != flags.npos;
    of_system = flags.find('3') != flags.npos;
    return true;
  }

  bool blank() const { return line.find_first_not_of(" \t\r\n") == line.npos; }

  // #pragma GCC unroll and its like belong to the loop that follows.
  bool at_risky_pragma() const {
    return !of_system && starts_with(line, "#pragma") && !starts_with(line, "#pragma GCC unroll") &&
           !starts_with(line, "#pragma GCC ivdep");
  }
};

}  // namespace

std::vector<Headers> leading_headers(std::string_view text, std::string_view salt) {
  constexpr std::string_view command_line = "\"<command-line>\"";
  Walk walk(text);
  if (!walk.next() || !starts_with(walk.line, "# 0 \"") || !walk.at_marker()) return {};
  const std::string_view source = walk.file;
  size_t begin = 0, command_line_end = 0, source_end = 0;
  int depth = 0;
  while (walk.next()) {
    if (!walk.at_marker()) {
      if (walk.at_risky_pragma()) break;
      if (command_line_end != 0 && depth == 0 && !walk.blank()) break;
      continue;
    }
    if (walk.enters) ++depth;
    if (walk.returns) --depth;
    if (begin == 0) {
      if (walk.file == command_line) begin = walk.line_begin;
    } else if (command_line_end == 0) {
      if (depth == 0 && walk.file == source) command_line_end = walk.line_begin;
    } else if (depth == 0 && walk.returns) {
      source_end = walk.line_begin;
    }
  }
  std::vector<Headers> found;
  for (const size_t end : {source_end, command_line_end}) {
    if (end != 0) {
      found.push_back({begin, end, hash_of(text.substr(begin, end - begin), hash_of(salt, 0))});
    }
  }
  return found;
}

}  // namespace cpu_device
