#include "rewriter.h"

#include <algorithm>
#include <cstdlib>

#include "rewriter_class.h"
#include "split.h"

namespace cpu_device {

constexpr long kMaxUnroll = 64;  // More only costs compile time.

void Rewriter::unroll(size_t index) {
  const Pragma& pragma = tokens_.pragmas()[index];
  std::string_view text = tokens_.text().substr(pragma.begin, pragma.end - pragma.begin);
  text.remove_prefix(text.find("pragma") + 6);
  const auto next_word = [&text]() {
    const size_t begin = std::min(text.find_first_not_of(" \t\r("), text.size());
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(" \t\r()"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
  };
  const std::string_view name = next_word();
  static constexpr std::string_view kForeign[] = {"hd_warning_disable", "diag_suppress",
                                                  "diag_default", "diag_warning", "diag_error"};
  if (name.substr(0, 3) == "nv_" || is_one_of(name, kForeign)) {
    replace(pragma.begin, pragma.end, {});
    return;
  }
  if (name != "unroll" && name != "nounroll") return;

  const uint32_t next = pragma.next_token;
  // Of two in a row the last one counts.
  const auto* following =
      index + 1 < tokens_.pragmas().size() ? &tokens_.pragmas()[index + 1] : nullptr;
  const bool is_last =
      following == nullptr || following->next_token != next ||
      tokens_.text().substr(following->begin, following->end - following->begin).find("unroll") ==
          std::string_view::npos;
  const bool before_loop =
      tokens_.is(next, "for") || tokens_.is(next, "while") || tokens_.is(next, "do");
  std::string_view factor = name == "nounroll" ? "1" : next_word();
  if (factor.empty()) factor = "16";
  while (!factor.empty() && std::string_view("uUlL").find(factor.back()) != factor.npos) {
    factor.remove_suffix(1);
  }
  const bool is_number = !factor.empty() && factor.size() <= 5 && next_word().empty() &&
                         factor.find_first_not_of("0123456789") == std::string_view::npos;
  // What is not a number here was a macro or a constant: g++ takes neither.
  if (!is_last || !before_loop || !is_number) {
    replace(pragma.begin, pragma.end, {});
    return;
  }
  const long count = std::strtol(std::string(factor).c_str(), nullptr, 10);
  replace(pragma.begin, pragma.end,
          "#pragma GCC unroll " + std::to_string(std::min(count, kMaxUnroll)));
}

void Rewriter::noinline(uint32_t i) {
  uint32_t open = tokens_[i].parent;
  for (int depth = 0; depth < 3 && open != kNone && tokens_.is(open, '('); ++depth) {
    if (open > 0 &&
        (tokens_.is(open - 1, "__attribute__") || tokens_.is(open - 1, "__attribute"))) {
      return;
    }
    open = tokens_[open].parent;
  }
  if (i > 0 && tokens_.is_scope(i - 1)) return;  // [[gnu::__noinline__]]
  replace(tokens_[i].begin, tokens_[i].end, "__attribute__((noinline))");
}

// The texture and surface references of the time before CUDA 12. Their name is changed only where it is
// used as a template in a declaration: today's programs may have variables and types named `texture`.
void Rewriter::texture_reference(uint32_t i) {
  const bool is_surface = tokens_.is(i, "surface");
  bool& own = is_surface ? own_surface_ : own_texture_;
  if (i > 0 && is_class_key(tokens_.spelling(i - 1))) own = true;
  if (own || !tokens_.is(i + 1, '<') || !tokens_.is_identifier(i + 2)) return;
  if (i > 0 && (tokens_.is(i - 1, '.') || tokens_.is_arrow(i - 1) || tokens_.is_scope(i - 1)))
    return;
  const uint32_t close = end_of_angles(i + 1, i + kMaxAngles);
  if (close == kNone || !(tokens_.is_identifier(close + 1) || tokens_.is(close + 1, '&'))) return;
  // `texture < a, b > c` is an expression unless it stands where none can.
  const bool begins_declaration = i == 0 || tokens_.is(i - 1, ';') || tokens_.is(i - 1, '{') ||
                                  tokens_.is(i - 1, '}') || tokens_.is(i - 1, "static") ||
                                  tokens_.is(i - 1, "extern") || tokens_.is(i - 1, "typedef") ||
                                  tokens_.is(i - 1, "const");
  const bool of_builtin = is_builtin_type(tokens_.spelling(i + 2)) && !tokens_.is(i + 3, '(');
  if (begins_declaration || of_builtin)
    replace(tokens_[i].begin, tokens_[i].end,
            is_surface ? "::cpu_device::SurfaceReference" : "::cpu_device::TextureReference");
}

std::string Rewriter::run() {
  const auto& hits = tokens_.hits();
  for (const uint32_t i : hits) {
    switch (tokens_[i].word) {
      case Word::kGlobal:
        global(i);
        break;
      case Word::kShared:
        shared(i);
        break;
      case Word::kNoinline:
        noinline(i);
        break;
      case Word::kAsm:
        assembler(i);
        break;
      case Word::kFunction:
        function_name(i);
        break;
      case Word::kTexture:
        texture_reference(i);
        break;
      case Word::kVolatile:
        volatile_name(i);
        break;
      case Word::kBounds:
        launch_bounds(i);
        break;
      case Word::kOther:
        launch(i);
        break;
    }
    if (errors_.size() >= kMaxErrors) break;
  }
  for (size_t p = 0; p < tokens_.pragmas().size(); ++p) unroll(p);
  butterflies();
  waiting_loops();
  kernel_addresses();
  if (marks_text_)
    for (const uint32_t i : text_functions(tokens_)) insert_before(i, "__attribute__((cold)) ");
  if (check_) ignored_atomics();
  if (check_) initialized_constants();
  if (!errors_.empty()) return {};
  // Within the first line, since what comes before the first line marker is of no file. Without their
  // number, so that headers are equal in all programs that begin with them (headers.h).
  if (mark_count_ > 0) insert_before(0, "namespace { extern unsigned char cpu_device_marks[]; } ");

  return render() + mark_table();
}

std::string rewrite(std::string_view preprocessed, std::vector<std::string>& errors,
                    std::string_view file_name, bool check, bool flatten, bool module, bool loops,
                    bool marks_text) {
  if (preprocessed.size() >= (1u << 30)) {
    errors.push_back(std::string(file_name) + ": error: more than 1 GiB after preprocessing");
    return {};
  }
  return Rewriter(preprocessed, file_name, errors, check, flatten, module, loops, marks_text).run();
}

}  // namespace cpu_device
