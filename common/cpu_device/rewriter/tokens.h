// Preprocessed C++ as a list of tokens with matched brackets, and the place of each in the user's file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpu_device {

constexpr uint32_t kNone = UINT32_MAX;

enum class Kind : uint8_t { kIdentifier, kNumber, kString, kCharacter, kPunctuator };

// Names that the rewriter acts on. Every other identifier is kOther.
enum class Word : uint8_t { kOther, kGlobal, kShared, kNoinline, kAsm, kFunction, kTexture, kVolatile, kBounds };

// Punctuators are single characters, except `->` and `::`.
struct Token {
  uint32_t begin, end;  // Bytes of the text.
  uint32_t match;       // Of a bracket ( [ { } ] ): the partner's index, or kNone.
  uint32_t parent;      // Index of the innermost bracket that is open here, or kNone.
  Kind kind;
  Word word;
  char first;  // First character of a punctuator, else 0.
};

// A line `#pragma ...`.
struct Pragma {
  uint32_t begin, end;  // Bytes of the text, without the line break.
  uint32_t next_token;  // Index of the first token after it; tokens.size() at the end.
};

struct Position {
  std::string_view file;  // As in the line marker: with quotes and escapes. Empty if unknown.
  uint32_t line;          // From 1.
  uint32_t column;        // From 0, in bytes.
  bool is_system_header;
};
// The line `# LINE FILE` that says that the next one is of there, with the line breaks around it.
std::string line_marker_of(const Position& position);

class Tokens {
 public:
  explicit Tokens(std::string_view text);

  std::string_view text() const { return text_; }
  uint32_t size() const { return static_cast<uint32_t>(tokens_.size()); }
  const Token& operator[](uint32_t i) const { return tokens_[i]; }
  const std::vector<Pragma>& pragmas() const { return pragmas_; }
  // Tokens to act on, in order: words that are not kOther, and the first `<` of each `<<<`.
  const std::vector<uint32_t>& hits() const { return hits_; }

  std::string_view spelling(uint32_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  // These are false after the end, so callers may look ahead freely.
  bool is(uint32_t i, char punctuator) const {
    return i < size() && tokens_[i].first == punctuator && tokens_[i].end - tokens_[i].begin == 1;
  }
  bool is_scope(uint32_t i) const { return i < size() && tokens_[i].first == ':' && !is(i, ':'); }
  bool is_arrow(uint32_t i) const { return i < size() && tokens_[i].first == '-' && !is(i, '-'); }
  bool is_identifier(uint32_t i) const {
    return i < size() && tokens_[i].kind == Kind::kIdentifier;
  }
  bool is(uint32_t i, std::string_view identifier) const {
    return is_identifier(i) && spelling(i) == identifier;
  }
  // Nothing, not even a blank, between tokens i and i + 1.
  bool adjacent(uint32_t i) const {
    return i + 1 < size() && tokens_[i].end == tokens_[i + 1].begin;
  }

  Position locate(uint32_t offset) const;
  // Calls function(begin, end) for the tokens of each part that is of one file for which `wanted(file, is_system_header)`.
  template <typename Wanted, typename Function>
  void for_parts(const Wanted& wanted, const Function& function) const {
    if (markers_.empty() || markers_[0].offset > 0)
      if (wanted({}, false)) function(0u, first_behind(markers_.empty() ? static_cast<uint32_t>(text_.size()) : markers_[0].offset));
    for (size_t m = 0; m < markers_.size(); ++m) {
      if (!wanted(markers_[m].file, markers_[m].is_system_header)) continue;
      const uint32_t end = m + 1 < markers_.size() ? markers_[m + 1].offset : static_cast<uint32_t>(text_.size());
      function(first_behind(markers_[m].offset), first_behind(end));
    }
  }
  // First byte of the next line, or the size of the text.
  uint32_t line_end(uint32_t offset) const;

 private:
  struct Marker {
    uint32_t offset;  // First byte of the line that the marker speaks of.
    uint32_t line;
    std::string_view file;
    bool is_system_header;
  };

  // The first token that begins there or later.
  uint32_t first_behind(uint32_t offset) const;
  void split();
  void read_directive(uint32_t begin, uint32_t end);
  void add(Kind kind, uint32_t begin, uint32_t end);
  void match_brackets();

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Pragma> pragmas_;
  std::vector<uint32_t> hits_;
  std::vector<Marker> markers_;
  std::vector<uint32_t> line_begins_;
};

// `"a\"b.cu"` of a line marker -> `a"b.cu`.
std::string unquote(std::string_view quoted);

}  // namespace cpu_device
