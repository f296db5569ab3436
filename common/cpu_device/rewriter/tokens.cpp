#include "tokens.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cpu_device {
namespace {

enum CharacterClass : uint8_t { kOtherChar, kBlank, kNewline, kLetter, kDigit };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 128; c < 256; ++c) classes[c] = kLetter;  // UTF-8 in identifiers.
  classes['_'] = classes['$'] = kLetter;
  classes[' '] = classes['\t'] = classes['\v'] = classes['\f'] = classes['\r'] = kBlank;
  classes['\0'] = kBlank;
  classes['\n'] = kNewline;
  return classes;
}

constexpr std::array<uint8_t, 256> kClasses = make_classes();

CharacterClass class_of(char c) {
  return static_cast<CharacterClass>(kClasses[static_cast<unsigned char>(c)]);
}

bool is_word(char c) { return class_of(c) == kLetter || class_of(c) == kDigit; }

Word word_of(std::string_view name) {
  if (name == "asm") return Word::kAsm;
  if (name == "texture" || name == "surface") return Word::kTexture;
  if (name == "volatile") return Word::kVolatile;
  if (name.size() < 5 || name[0] != '_' || name[1] != '_') return Word::kOther;
  switch (name[2]) {
    case 'b':
      return name == "__block_size__" ? Word::kBounds : Word::kOther;
    case 'c':
      return name == "__cluster_dims__" ? Word::kBounds : Word::kOther;
    case 'l':
      return name == "__launch_bounds__" ? Word::kBounds : Word::kOther;
    case 'm':
      return name == "__maxnreg__" ? Word::kBounds : Word::kOther;
    case 'a':
      return name == "__asm__" || name == "__asm" ? Word::kAsm : Word::kOther;
    case 'f':
      return name == "__func__" ? Word::kFunction : Word::kOther;
    case 'F':
      return name == "__FUNCTION__" ? Word::kFunction : Word::kOther;
    case 'g':
      return name == "__global__" ? Word::kGlobal : Word::kOther;
    case 'n':
      return name == "__noinline__" ? Word::kNoinline : Word::kOther;
    case 'P':
      return name == "__PRETTY_FUNCTION__" ? Word::kFunction : Word::kOther;
    case 's':
      return name == "__shared__" ? Word::kShared : Word::kOther;
    default:
      return Word::kOther;
  }
}

// Is `name`, directly before a quote, the prefix of a literal?
bool is_literal_prefix(std::string_view name, bool& raw) {
  raw = !name.empty() && name.back() == 'R';
  if (raw) name.remove_suffix(1);
  return (raw && name.empty()) || name == "u8" || name == "u" || name == "U" || name == "L";
}

// The byte behind the literal whose opening quote is at `quote`. A literal that is not closed ends
// with its line: the compiler will say so.
uint32_t end_of_literal(std::string_view text, uint32_t quote) {
  const char closing = text[quote];
  size_t i = quote + 1;
  while (i < text.size() && text[i] != '\n') {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') {
      i += 2;
    } else if (text[i++] == closing) {
      break;
    }
  }
  return static_cast<uint32_t>(i);
}

uint32_t end_of_raw_string(std::string_view text, uint32_t quote) {
  constexpr size_t kLongestDelimiter = 16;
  const std::string_view head = text.substr(quote + 1, kLongestDelimiter + 1);
  const size_t open = head.find_first_of("( )\\\n\"");
  if (open == std::string_view::npos || head[open] != '(') return end_of_literal(text, quote);
  const std::string closing = ")" + std::string(head.substr(0, open)) + '"';
  const size_t end = text.find(closing, quote + 1 + open);
  return static_cast<uint32_t>(end == std::string_view::npos ? text.size() : end + closing.size());
}

bool skip_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && class_of(text.front()) == kBlank) text.remove_prefix(1);
}

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  tokens_.reserve(text.size() / 5 + 16);
  split();
  match_brackets();

  line_begins_.push_back(0);
  for (const char* p = text.data(); p != nullptr;) {
    p = static_cast<const char*>(std::memchr(p, '\n', text.data() + text.size() - p));
    if (p != nullptr) line_begins_.push_back(static_cast<uint32_t>(++p - text.data()));
  }
}

void Tokens::add(Kind kind, uint32_t begin, uint32_t end) {
  const char first = kind == Kind::kPunctuator ? text_[begin] : '\0';
  Word word = Word::kOther;
  if (kind == Kind::kIdentifier) {
    word = word_of(text_.substr(begin, end - begin));
    if (word != Word::kOther) hits_.push_back(size());
  }
  tokens_.push_back({begin, end, kNone, kNone, kind, word, first});

  // Three `<` in a row start a launch, whatever is between them (editors like to write `<< <`),
  // but for `operator<<<char>`.
  if (first == '<' && size() >= 3) {
    const uint32_t i = size() - 3;
    const bool overlaps = !hits_.empty() && hits_.back() + 3 > i && hits_.back() <= i &&
                          tokens_[hits_.back()].first == '<';
    if (tokens_[i].first == '<' && tokens_[i + 1].first == '<' && !overlaps &&
        !(i >= 1 && is(i - 1, "operator")) &&
        !(i >= 2 && is(i - 1, '<') && is(i - 2, "operator"))) {
      hits_.push_back(i);
    }
  }
}

void Tokens::split() {
  const uint32_t size = static_cast<uint32_t>(text_.size());
  const char* text = text_.data();
  bool line_start = true;
  uint32_t i = 0;
  while (i < size) {
    const char c = text[i];
    const char next = i + 1 < size ? text[i + 1] : '\0';
    switch (class_of(c)) {
      case kBlank:
        ++i;
        continue;
      case kNewline:
        ++i;
        line_start = true;
        continue;
      case kLetter: {
        const uint32_t begin = i;
        do ++i;
        while (i < size && is_word(text[i]));
        bool raw = false;
        if (i < size && (text[i] == '"' || text[i] == '\'') && i - begin <= 3 &&
            is_literal_prefix(text_.substr(begin, i - begin), raw) && !(raw && text[i] == '\'')) {
          const bool is_string = text[i] == '"';
          i = raw ? end_of_raw_string(text_, i) : end_of_literal(text_, i);
          add(is_string ? Kind::kString : Kind::kCharacter, begin, i);
        } else {
          add(Kind::kIdentifier, begin, i);
        }
        break;
      }
      case kDigit: {
        const uint32_t begin = i;
        do {
          const char last = text[i] | 0x20;
          ++i;
          if (i < size && (text[i] == '+' || text[i] == '-') && (last == 'e' || last == 'p')) {
            // In `0xe+1` the sign also belongs to the number: that is how C++ reads it.
            ++i;
          } else if (i + 1 < size && text[i] == '\'' && is_word(text[i + 1])) {
            ++i;
          }
        } while (i < size && (is_word(text[i]) || text[i] == '.'));
        add(Kind::kNumber, begin, i);
        break;
      }
      default:
        if (c == '#' && line_start) {
          const void* newline = std::memchr(text + i, '\n', size - i);
          const uint32_t end =
              newline ? static_cast<uint32_t>(static_cast<const char*>(newline) - text) : size;
          read_directive(i, end);
          i = end;
        } else if (c == '/' && next == '/') {
          const size_t end = text_.find('\n', i);
          i = end == std::string_view::npos ? size : static_cast<uint32_t>(end);
        } else if (c == '/' && next == '*') {
          const size_t end = text_.find("*/", i + 2);
          i = end == std::string_view::npos ? size : static_cast<uint32_t>(end) + 2;
          continue;  // A directive may still follow on this line.
        } else if (c == '"' || c == '\'') {
          const uint32_t begin = i;
          i = end_of_literal(text_, i);
          add(c == '"' ? Kind::kString : Kind::kCharacter, begin, i);
        } else if (c == '.' && class_of(next) == kDigit) {
          const uint32_t begin = i++;
          while (i < size &&
                 (is_word(text[i]) || text[i] == '.' ||
                  ((text[i] == '+' || text[i] == '-') && (text[i - 1] | 0x20) == 'e'))) {
            ++i;
          }
          add(Kind::kNumber, begin, i);
        } else {
          const uint32_t length = (c == '-' && next == '>') || (c == ':' && next == ':') ? 2 : 1;
          add(Kind::kPunctuator, i, i + length);
          i += length;
        }
    }
    line_start = false;
  }
}

void Tokens::read_directive(uint32_t begin, uint32_t end) {
  std::string_view line = text_.substr(begin + 1, end - begin - 1);
  skip_blanks(line);
  if (skip_prefix(line, "pragma")) {
    pragmas_.push_back({begin, end, size()});
    return;
  }
  if (skip_prefix(line, "line")) skip_blanks(line);
  if (line.empty() || class_of(line.front()) != kDigit) return;
  uint32_t number = 0;
  while (!line.empty() && class_of(line.front()) == kDigit) {
    number = number * 10 + static_cast<uint32_t>(line.front() - '0');
    line.remove_prefix(1);
  }
  skip_blanks(line);
  Marker marker{std::min(end + 1, static_cast<uint32_t>(text_.size())), number, {}, false};
  if (!line.empty() && line.front() == '"') {
    marker.file = line.substr(0, end_of_literal(line, 0));
    line.remove_prefix(marker.file.size());
    marker.is_system_header = line.find('3') != std::string_view::npos;
  } else if (!markers_.empty()) {
    marker.file = markers_.back().file;
    marker.is_system_header = markers_.back().is_system_header;
  }
  markers_.push_back(marker);
}

// Sets `match` and `parent`. A closing brace ends the parentheses and square brackets that are
// still open inside it; brackets without a partner keep kNone, and the compiler reports them.
void Tokens::match_brackets() {
  std::vector<uint32_t> open;
  uint32_t open_braces = 0;
  for (uint32_t i = 0; i < size(); ++i) {
    Token& token = tokens_[i];
    token.parent = open.empty() ? kNone : open.back();
    char opening = '\0';
    switch (token.first) {
      case '{':
        ++open_braces;
        [[fallthrough]];
      case '(':
      case '[':
        open.push_back(i);
        continue;
      case ')':
        opening = '(';
        break;
      case ']':
        opening = '[';
        break;
      case '}':
        opening = '{';
        if (open_braces == 0) continue;
        --open_braces;
        while (tokens_[open.back()].first != '{') open.pop_back();
        break;
      default:
        continue;
    }
    if (open.empty() || tokens_[open.back()].first != opening) continue;
    token.match = open.back();
    tokens_[token.match].match = i;
    open.pop_back();
    token.parent = open.empty() ? kNone : open.back();
  }
}

uint32_t Tokens::first_behind(uint32_t offset) const {
  const auto found = std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                                      [](const Token& token, uint32_t wanted) { return token.begin < wanted; });
  return static_cast<uint32_t>(found - tokens_.begin());
}

Position Tokens::locate(uint32_t offset) const {
  const auto line_of = [this](uint32_t byte) {
    return std::upper_bound(line_begins_.begin(), line_begins_.end(), byte) - line_begins_.begin();
  };
  const auto line = line_of(offset);
  Position position{{}, static_cast<uint32_t>(line), offset - line_begins_[line - 1], false};
  const auto marker =
      std::upper_bound(markers_.begin(), markers_.end(), offset,
                       [](uint32_t byte, const Marker& m) { return byte < m.offset; });
  if (marker != markers_.begin()) {
    const Marker& last = marker[-1];
    position.file = last.file;
    position.is_system_header = last.is_system_header;
    position.line = last.line + static_cast<uint32_t>(line - line_of(last.offset));
  }
  return position;
}

std::string line_marker_of(const Position& position) {
  return "\n# " + std::to_string(position.line) + " " + (position.file.empty() ? "\"\"" : std::string(position.file)) +
         (position.is_system_header ? " 3" : "") + "\n";
}

uint32_t Tokens::line_end(uint32_t offset) const {
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  return next == line_begins_.end() ? static_cast<uint32_t>(text_.size()) : *next - 1;
}

std::string unquote(std::string_view quoted) {
  std::string name;
  if (quoted.size() < 2) return name;
  quoted = quoted.substr(1, quoted.size() - 2);
  for (size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      name += quoted[i];
    } else if (quoted[i + 1] >= '0' && quoted[i + 1] <= '7') {  // \303 for a byte of UTF-8.
      unsigned value = 0;
      for (int digits = 0;
           digits < 3 && i + 1 < quoted.size() && quoted[i + 1] >= '0' && quoted[i + 1] <= '7';
           ++digits) {
        value = value * 8 + static_cast<unsigned>(quoted[++i] - '0');
      }
      name += static_cast<char>(value);
    } else {
      name += quoted[++i];
    }
  }
  return name;
}

}  // namespace cpu_device
