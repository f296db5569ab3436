// `asm` statements: PTX becomes C++ (ptx.h), the assembler of a CPU stays.
#include <algorithm>
#include <iterator>

#include "ptx.h"
#include "rewriter_class.h"

namespace cpu_device {

namespace {

// Does the text of an asm statement look like PTX, as opposed to the assembler of a CPU?
bool is_ptx(std::string_view code) {
  static constexpr std::string_view kSigns[] = {".u8",
                                                ".u16",
                                                ".u32",
                                                ".u64",
                                                ".s16",
                                                ".s32",
                                                ".s64",
                                                ".b16",
                                                ".b32",
                                                ".b64",
                                                ".f16",
                                                ".f32",
                                                ".f64",
                                                ".pred",
                                                ".sync",
                                                ".gpu",
                                                ".cta",
                                                ".shared",
                                                "%clock",
                                                "%laneid",
                                                "%smid",
                                                "%warpid",
                                                "%globaltimer",
                                                "%lanemask",
                                                "%ctaid",
                                                "%ntid",
                                                "membar.",
                                                "fence.",
                                                "prefetch.global",
                                                "%tid",
                                                "%nctaid",
                                                "%nsmid",
                                                ".b8",
                                                ".s8",
                                                ".approx",
                                                ".cta",
                                                "bar.",
                                                "atom.",
                                                "red.",
                                                "cp.async",
                                                "mma.",
                                                "ldmatrix",
                                                "nanosleep",
                                                "trap;",
                                                "exit;",
                                                "brkpt;",
                                                "griddepcontrol"};
  return std::any_of(std::begin(kSigns), std::end(kSigns), [code](std::string_view sign) {
    return code.find(sign) != std::string_view::npos;
  });
}

}  // namespace

void Rewriter::assembler(uint32_t i) {
  uint32_t open = i + 1;
  while (tokens_.is_identifier(open) && open < i + 4) ++open;  // volatile, goto, inline
  if (!tokens_.is(open, '(')) return;
  std::string_view code;
  bool is_empty = true, looks_like_ptx = false;
  for (uint32_t t = open + 1; t < tokens_.size() && tokens_[t].kind == Kind::kString; ++t) {
    code = tokens_.spelling(t);
    is_empty &= code == "\"\"";
    looks_like_ptx |= is_ptx(code);
  }
  const bool in_kernel = tokens_[i].begin < kernel_end_;
  const uint32_t close = tokens_[open].match;
  if (close != kNone && (looks_like_ptx || (in_kernel && !is_empty)))
    translate_assembler(i, open, in_kernel);
}

// PTX becomes a block of C++.
void Rewriter::translate_assembler(uint32_t i, uint32_t open, bool in_kernel) {
  const uint32_t close = tokens_[open].match;
  std::string code;
  std::vector<std::pair<size_t, uint32_t>> pieces;  // Where in the code each literal begins.
  uint32_t t = open + 1;
  for (; tokens_[t].kind == Kind::kString; ++t) {
    pieces.emplace_back(code.size(), t);
    code += literal_value(tokens_.spelling(t));
  }
  std::vector<PtxOperand> operands;
  int section = 0;  // 1: results, 2: operands, 3: what is overwritten
  const bool is_basic = t == close;
  std::string constraint;  // perhaps of several literals: "=" "f"
  for (; t < close; ++t) {
    if (tokens_.is(t, ':') || tokens_.is_scope(t)) {
      section += tokens_.is_scope(t) ? 2 : 1;
    } else if (section < 3 && tokens_[t].kind == Kind::kString) {
      constraint += literal_value(tokens_.spelling(t));
      if (!tokens_.is(t + 1, '(') || tokens_[t + 1].match == kNone) continue;
      PtxOperand operand{constraint, {}};
      constraint.clear();
      for (uint32_t e = t + 2; e < tokens_[t + 1].match; ++e)
        operand.expression += std::string(tokens_.spelling(e)) + (tokens_.adjacent(e) ? "" : " ");
      operands.push_back(operand);
      t = tokens_[t + 1].match;
    }
  }
  if (!is_basic)  // `%%` is a percent sign.
    for (size_t at = code.find("%%"); at != code.npos; at = code.find("%%", at + 1)) {
      code.erase(at, 1);
      for (auto& piece : pieces)
        if (piece.first > at) --piece.first;
    }
  const PtxResult result = translate_ptx(code, operands, in_kernel);
  if (result.error.empty()) {
    replace(tokens_[i].begin, tokens_[close].end, result.text);
    return;
  }
  if (tokens_.locate(tokens_[i].begin).is_system_header) {
    // A function of a library that the program may never call; if it does, the call reports it.
    replace(
        tokens_[i].begin, tokens_[close].end,
        "::cpu_device::trap(\"a function of this library uses PTX that the CPU device does not support\", "
        "::cpu_device::Site::here())");
    return;
  }
  uint32_t where = i;
  for (const auto& [begin, token] : pieces)
    if (begin <= result.error_at) where = token;
  error(where, "PTX: " + result.error + " is not supported on the CPU device");
}

}  // namespace cpu_device
