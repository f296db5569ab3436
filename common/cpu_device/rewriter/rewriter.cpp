#include "rewriter.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

#include "ptx.h"
#include "tokens.h"

namespace cpu_device {
namespace {

constexpr size_t kMaxErrors = 20;
constexpr int kMaxNestedConfigurations = 64;
constexpr int kMaxCandidates = 4;      // Of `>>>` for one `<<<`.
constexpr uint32_t kMaxAngles = 1000;  // Tokens between the brackets of template arguments.
constexpr uint32_t kMaxColumn = 400;   // Beyond it, columns are not worth the blanks.
constexpr size_t kMaxFileName = 1000;
constexpr long kMaxUnroll = 64;  // More only costs compile time.
constexpr const char* kDynamicShared = "cpu_device_dynamic_shared";

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Words that take parentheses in a declaration without being the name of a function.
bool is_attribute_like(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "__attribute__", "__attribute", "alignas",      "decltype",         "__declspec",
      "noexcept",      "throw",       "__typeof__",   "typeof",           "__launch_bounds__",
      "__maxnreg__",   "explicit",    "__asm__",      "__cluster_dims__", "__block_size__",
      "requires",      "sizeof",      "__extension__"};
  return is_one_of(name, kNames);
}

// Words in front of an expression that are not part of it.
bool ends_expression_to_the_left(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "return",   "else",     "do",      "case",  "throw",  "new",       "delete", "co_return",
      "goto",     "if",       "for",     "while", "switch", "constexpr", "catch",  "sizeof",
      "co_await", "typedef",  "and",     "or",    "not",    "bitor",     "bitand", "xor",
      "compl",    "co_yield", "default", "try",   "using"};
  return is_one_of(name, kNames);
}

bool is_builtin_type(std::string_view name) {
  static constexpr std::string_view kNames[] = {"int",  "float", "double", "char",    "bool",
                                                "long", "short", "signed", "unsigned"};
  return is_one_of(name, kNames);
}

bool is_class_key(std::string_view name) {
  return name == "class" || name == "struct" || name == "union";
}

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

// What a string literal stands for: without prefix, quotes and escapes.
std::string literal_value(std::string_view literal) {
  const bool is_raw = literal.substr(0, literal.find('"')).find('R') != literal.npos;
  literal.remove_prefix(literal.find('"') + 1);
  if (!literal.empty()) literal.remove_suffix(1);
  if (is_raw) {
    const size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string result;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      result += literal[i];
      continue;
    }
    const char c = literal[++i];
    result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return result;
}

std::string quoted_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

// Replaces the bytes [begin, end) of the text. Where `moved_end` is not 0, the rewritten bytes
// [moved_begin, moved_end) stand between `before` and `after`.
struct Edit {
  uint32_t begin, end;
  std::string before;
  uint32_t moved_begin = 0, moved_end = 0;
  std::string after;
};

class Rewriter {
 public:
  Rewriter(std::string_view text, std::string_view file_name, std::vector<std::string>& errors,
           bool check, bool flatten, bool module)
      : tokens_(text),
        file_name_(file_name),
        errors_(errors),
        check_(check),
        flatten_(check && flatten),
        module_(module) {}

  std::string run();

 private:
  enum class Scope { kNamespace, kClass, kFunction };
  struct Launch {
    uint32_t callee, open, close, arguments;  // `open`, `close`: first tokens of <<< and >>>.
  };
  // A declaration with __global__ in it.
  struct Kernel {
    uint32_t begin = kNone;       // First token of the declaration.
    uint32_t name = kNone;        // kNone if this is no function.
    uint32_t parameters = kNone;  // Its opening parenthesis.
    uint32_t body = kNone;        // Its opening brace; kNone if only declared.
  };

  void launch(uint32_t open);
  bool find_end_of_configuration(uint32_t open, Launch& launch);
  unsigned count_entries(uint32_t begin, uint32_t end, bool& empty_entry) const;
  bool closes_too_few_angles(uint32_t begin, uint32_t end) const;
  uint32_t find_callee(uint32_t open) const;

  void global(uint32_t i);
  Kernel parse_kernel(uint32_t i);
  uint32_t end_of_launch_bounds(uint32_t i) const;
  void launch_bounds(uint32_t i);
  std::string calls_for_bounds(const Kernel& kernel);
  bool names_a_parameter(const Kernel& kernel, uint32_t begin, uint32_t end) const;
  std::string text_of(uint32_t begin, uint32_t end) const;
  std::string note_for_module(const Kernel& kernel);
  bool check_kernel(uint32_t i, const Kernel& kernel);
  bool check_parameters(const Kernel& kernel, std::vector<uint32_t>* references = nullptr);
  std::string signature(const Kernel& kernel) const;
  std::string name_parameters(const Kernel& kernel) const;
  void ignored_atomics();
  std::string mark(const std::string& kernel, uint32_t first, uint32_t last, bool is_kernel);
  void mark_bodies(const Kernel& kernel);
  void mark_body(const std::string& kernel, uint32_t first);
  uint32_t end_of_statement(uint32_t i, int depth = 0) const;

  void shared(uint32_t i);
  void tell_shared(uint32_t begin, uint32_t semicolon, const std::vector<uint32_t>& names);
  void set_constants();
  void check_size_of_shared(uint32_t i, uint32_t semicolon, std::vector<uint32_t> names);

  void unroll(size_t pragma);
  void noinline(uint32_t i);
  void assembler(uint32_t i);
  void translate_assembler(uint32_t i, uint32_t open, bool in_kernel);
  void function_name(uint32_t i);
  void texture_reference(uint32_t i);
  void volatile_name(uint32_t i);
  struct Step {
    uint32_t first, sign, sign_end, end;  // `first[...] sign ... end`, the semicolon
    bool counts_on_it;
  };
  std::vector<Step> warp_steps(uint32_t open, std::string_view name) const;
  bool synchronizes(uint32_t begin, uint32_t end) const;
  bool is_in_loop_without_barrier(uint32_t i) const;
  void kernel_addresses();

  Scope scope_around(uint32_t i);
  bool may_be_template(uint32_t i);
  bool may_be_captured(uint32_t begin, uint32_t end);
  uint32_t begin_of_statement(uint32_t i, uint32_t limit) const;
  uint32_t end_of_angles(uint32_t open, uint32_t limit) const;
  uint32_t begin_of_angles(uint32_t close) const;
  bool three(uint32_t i, char c) const {
    return tokens_.is(i, c) && tokens_.is(i + 1, c) && tokens_.is(i + 2, c);
  }
  // An identifier that can be part of an expression's name.
  bool is_name(uint32_t i) const {
    return tokens_.is_identifier(i) && !ends_expression_to_the_left(tokens_.spelling(i));
  }
  bool follows_without_gap(uint32_t i, char c) const {
    return tokens_.adjacent(i) && tokens_.is(i + 1, c);
  }

  void error(uint32_t token, const std::string& message);
  void error_at(const Position& position, const std::string& message);
  void replace(uint32_t begin, uint32_t end, std::string text);
  void erase_token(uint32_t i) { replace(tokens_[i].begin, tokens_[i].end, {}); }
  void insert_before(uint32_t i, std::string text) {
    replace(tokens_[i].begin, tokens_[i].begin, std::move(text));
  }
  void insert_after(uint32_t i, std::string text) {
    replace(tokens_[i].end, tokens_[i].end, std::move(text));
  }

  void render(uint32_t begin, uint32_t end, int depth, std::string& output);
  void resume_at(uint32_t offset, bool line_is_lost, std::string& output) const;

  const Tokens tokens_;
  const std::string_view file_name_;
  std::vector<std::string>& errors_;
  const bool check_, flatten_, module_;
  std::vector<Edit> edits_;
  std::string marks_;  // The table of what a checked run may reach, see mark().
  uint32_t mark_count_ = 0;
  std::unordered_map<uint32_t, Scope> scopes_;    // By the index of the opening brace.
  std::unordered_map<uint32_t, bool> templates_;  // By the index of the opening bracket.
  std::unordered_map<std::string_view, uint32_t> kernel_names_;  // Where the first is declared.
  std::unordered_set<std::string_view> module_names_;
  // Of kernels that were only declared: what calls_for_bounds() made, by name and number of parameters.
  std::unordered_map<std::string, std::string> declared_bounds_;
  uint32_t next_lambda_ = 0;
  // The program has a class of its own named `texture`, or `surface`.
  bool own_texture_ = false, own_surface_ = false;

  // The kernel whose body the walk is in: it ends at this byte.
  uint32_t kernel_end_ = 0;
  Kernel kernel_;
  uint32_t shared_end_ = 0;     // Token behind the last declaration with __shared__.
  uint32_t steps_end_ = 0;      // Token behind the last step of warp-synchronous code.
  uint32_t kernel_search_ = 0;  // Token behind the last declaration with __global__.
  std::vector<std::pair<uint32_t, uint32_t>> shared_names_;  // Enclosing brace, name.
};

// --- Small tools --------------------------------------------------------------------------------

void Rewriter::error(uint32_t token, const std::string& message) {
  error_at(tokens_.locate(tokens_[token].begin), message);
}

void Rewriter::error_at(const Position& position, const std::string& message) {
  if (errors_.size() >= kMaxErrors) return;
  const std::string file = position.file.empty() ? std::string(file_name_) : unquote(position.file);
  errors_.push_back(file + ":" + std::to_string(position.line) + ": error: " + message);
}

void Rewriter::replace(uint32_t begin, uint32_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text), 0, 0, {}});
}

// The `>` that closes the `<` at `open`, or kNone if these are no template brackets. Looks no
// further than `limit`.
uint32_t Rewriter::end_of_angles(uint32_t open, uint32_t limit) const {
  uint32_t depth = 0;
  for (uint32_t i = open; i < limit && i < tokens_.size(); ++i) {
    switch (tokens_[i].first) {
      case '<':
        if (follows_without_gap(i, '=') || (i > open && follows_without_gap(i, '<'))) {
          ++i;
        } else if (i == open || tokens_.is_identifier(i - 1)) {
          ++depth;
        }
        break;
      case '>':
        if (follows_without_gap(i, '=')) {
          ++i;
        } else if (--depth == 0) {
          return i;
        }
        break;
      case '(':
      case '[':
      case '{':
        i = tokens_[i].match;
        if (i == kNone) return kNone;
        break;
      case ')':
      case ']':
      case '}':
      case ';':
        return kNone;
    }
  }
  return kNone;
}

// The `<` that opens what the `>` at `close` closes, or kNone.
uint32_t Rewriter::begin_of_angles(uint32_t close) const {
  uint32_t depth = 0;
  for (uint32_t i = close; i != kNone; --i) {
    switch (tokens_[i].first) {
      case '>':
        if (!(i < close && follows_without_gap(i, '='))) ++depth;
        break;
      case '<':
        if (i == 0 || follows_without_gap(i, '=')) break;
        if (i >= 2 && three(i - 2, '<')) return kNone;  // The launch before this one.
        if (tokens_.is(i - 1, '<') && tokens_.adjacent(i - 1)) {
          --i;  // A shift.
        } else if (tokens_.is_identifier(i - 1) && --depth == 0) {
          return i;
        }
        break;
      case ')':
      case ']':
      case '}':
        i = tokens_[i].match;
        if (i == kNone) return kNone;
        break;
      case '(':
      case '[':
      case '{':
      case ';':
        return kNone;
    }
  }
  return kNone;
}

// Walks left from token i to the first token of its statement or declaration, not beyond `limit`.
uint32_t Rewriter::begin_of_statement(uint32_t i, uint32_t limit) const {
  while (i > limit) {
    uint32_t left = i - 1;
    const char c = tokens_[left].first;
    if (c == ';' || c == '{' || c == '}' || c == '(' || c == '[') return i;
    if (c == ':' && !tokens_.is_scope(left)) return i;  // A label or `public:`.
    if (c == ')' || c == ']') {
      left = tokens_[left].match;
      if (left == kNone) return i;
    }
    i = left;
  }
  return i;
}

// What kind of braces is token i directly in?
Rewriter::Scope Rewriter::scope_around(uint32_t i) {
  const uint32_t brace = tokens_[i].parent;
  if (brace == kNone) return Scope::kNamespace;
  if (!tokens_.is(brace, '{')) return Scope::kFunction;
  const auto [known, is_new] = scopes_.try_emplace(brace, Scope::kFunction);
  if (!is_new) return known->second;

  uint32_t head = brace;
  while (head > 0) {
    uint32_t left = head - 1;
    const char c = tokens_[left].first;
    if (c == ';' || c == '{' || c == '}' || c == '(' || c == '[') break;
    if (c == ')' || c == ']') {
      left = tokens_[left].match;
      if (left == kNone) break;
    }
    head = left;
  }

  bool is_class = false;
  for (uint32_t t = head; t < brace; ++t) {
    if (tokens_.is(t, '(') || tokens_.is(t, '[')) {
      const bool belongs_to_function = tokens_.is(t, '(') && t > head &&
                                       tokens_.is_identifier(t - 1) &&
                                       !is_attribute_like(tokens_.spelling(t - 1));
      if (belongs_to_function) is_class = false;
      if (belongs_to_function || tokens_[t].match == kNone) break;
      t = tokens_[t].match;
    } else if (tokens_.is(t, '<')) {
      const uint32_t end = end_of_angles(t, brace);
      if (end == kNone) break;
      t = end;
    } else if (tokens_.is(t, '=')) {
      is_class = false;
      break;
    } else if (tokens_.is(t, ':') && is_class) {
      break;  // Its base classes.
    } else if (tokens_.is_identifier(t)) {
      const std::string_view name = tokens_.spelling(t);
      if (name == "enum") break;
      if (name == "namespace") return known->second = Scope::kNamespace;
      if (is_class_key(name)) is_class = true;
    }
  }
  if (is_class) return known->second = Scope::kClass;
  const bool is_linkage =
      brace >= 2 && tokens_[brace - 1].kind == Kind::kString && tokens_.is(brace - 2, "extern");
  return known->second = is_linkage ? Scope::kNamespace : Scope::kFunction;
}

// Might the code around token i be a template? Also says yes for some code that is not.
bool Rewriter::may_be_template(uint32_t i) {
  bool result = false;
  std::vector<uint32_t> path;  // Braces around i whose answer is not known yet.
  for (uint32_t brace = tokens_[i].parent; brace != kNone; brace = tokens_[brace].parent) {
    const auto known = templates_.find(brace);
    if (known != templates_.end()) {
      result = known->second;
      break;
    }
    path.push_back(brace);
  }
  for (auto brace = path.rbegin(); brace != path.rend(); ++brace) {
    for (uint32_t t = *brace; !result && tokens_.is(*brace, '{') && t-- > 0;) {
      const char c = tokens_[t].first;
      if (c == ';' || c == '{' || c == '}') break;
      result = tokens_.is(t, "template") || tokens_.is(t, "auto");
    }
    templates_[*brace] = result;
  }
  return result;
}

// Does [begin, end) hold a lambda that captures nothing or by value? `begin` never decreases from
// one call to the next.
bool Rewriter::may_be_captured(uint32_t begin, uint32_t end) {
  for (uint32_t& t = next_lambda_ = std::max(next_lambda_, begin); t < end; ++t) {
    if (!tokens_.is(t, '[')) continue;
    const bool is_subscript =
        t > 0 && (tokens_.is_identifier(t - 1) || tokens_.is(t - 1, ')') || tokens_.is(t - 1, ']'));
    if (!is_subscript && (tokens_.is(t + 1, ']') || tokens_.is(t + 1, '='))) return true;
  }
  return false;
}

// --- Launches -----------------------------------------------------------------------------------

void Rewriter::launch(uint32_t open) {
  Launch launch{kNone, open, kNone, kNone};
  const bool found = find_end_of_configuration(open, launch);
  if (found) launch.callee = find_callee(open);
  if (!found) return;

  if (launch.callee == kNone) {
    error(open, "no kernel in front of '<<<'");
    return;
  }
  const uint32_t arguments_end = tokens_[launch.arguments].match;
  if (arguments_end == kNone) {
    error(launch.arguments, "the ')' that ends the arguments of this launch is missing");
    return;
  }
  edits_.push_back({tokens_[launch.callee].begin, tokens_[launch.callee].begin,
                    "(::cpu_device::configure(", tokens_[open + 3].begin,
                    tokens_[launch.close - 1].end, "), "});
  replace(tokens_[open].begin, tokens_[launch.close + 2].end, {});
  insert_after(arguments_end, ")");
}

// Finds `>>>` and checks what is between. Reports what is wrong.
bool Rewriter::find_end_of_configuration(uint32_t open, Launch& launch) {
  uint32_t candidate = kNone;  // A `>>>` with arguments behind it.
  uint32_t without_arguments = kNone;
  int candidates = 0;
  for (uint32_t i = open + 3; i < tokens_.size(); ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
      if (i == kNone) break;
    } else if (c == ')' || c == ']' || c == '}' || c == ';') {
      break;
    } else if (c == '<' && three(i, '<')) {
      break;
    } else if (c == '>' && three(i, '>') && !tokens_.is(i + 3, '>')) {
      if (!tokens_.is(i + 3, '(')) {
        if (without_arguments == kNone) without_arguments = i;
        continue;
      }
      if (candidate == kNone) candidate = i;
      // `A<B<C<int>>>(1), 4>>>(x)`: the first `>>>` may belong to templates.
      bool empty_entry = false;
      if (count_entries(open + 3, i, empty_entry) >= 2 && !closes_too_few_angles(open + 3, i)) {
        candidate = i;
        break;
      }
      if (++candidates == kMaxCandidates) break;
      i += 2;
    }
  }
  if (candidate == kNone) {
    error(open, without_arguments == kNone
                    ? "'<<<' without a matching '>>>'"
                    : "a launch needs its arguments behind '>>>', even if there are none: '()'");
    return false;
  }
  launch.close = candidate;
  launch.arguments = candidate + 3;

  bool empty_entry = false;
  const unsigned count = count_entries(open + 3, candidate, empty_entry);
  if (count < 2) {
    error(open,
          "a launch needs at least a number of blocks and of threads per block: "
          "<<<blocks, threads>>>");
    return false;
  }
  if (count > 4) {
    error(open,
          "a launch takes at most 4 values: <<<blocks, threads, bytes of dynamic shared "
          "memory, stream>>>; here are " +
              std::to_string(count));
    return false;
  }
  if (empty_entry) {
    error(open, "a value between '<<<' and '>>>' is missing");
    return false;
  }
  return true;
}

// Entries of a configuration. Commas between template brackets do not count, but where brackets
// cannot be told from comparisons there are at least two entries.
unsigned Rewriter::count_entries(uint32_t begin, uint32_t end, bool& empty_entry) const {
  unsigned count = 1, naive_count = 1;
  bool try_angles = true;
  uint32_t in_angles_until = begin;
  uint32_t entry = begin;
  for (uint32_t i = begin; i < end; ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
    } else if (c == '<' && try_angles && i >= in_angles_until && i > begin &&
               tokens_.is_identifier(i - 1)) {
      const uint32_t close = end_of_angles(i, end);
      if (close == kNone) {
        try_angles = false;
      } else {
        in_angles_until = close;
      }
    } else if (c == ',') {
      ++naive_count;
      if (i >= in_angles_until) ++count;
      if (entry == i) empty_entry = true;
      entry = i + 1;
    }
  }
  if (entry == end) empty_entry = true;
  return count < 2 ? std::min(naive_count, 2u) : count;
}

bool Rewriter::closes_too_few_angles(uint32_t begin, uint32_t end) const {
  int depth = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const char c = tokens_[i].first;
    if (c == '(' || c == '[' || c == '{') {
      i = tokens_[i].match;
    } else if (c == '<' && tokens_.is_identifier(i - 1) && !follows_without_gap(i, '<')) {
      ++depth;
    } else if (c == '>') {
      --depth;
    }
  }
  return depth >= 3;
}

// First token of the expression that ends in front of `open`: a name with its qualification and
// template arguments, a member, an element, the result of a call, anything in parentheses.
uint32_t Rewriter::find_callee(uint32_t open) const {
  uint32_t first = kNone;  // First token of what has been understood so far.
  for (uint32_t i = open; i-- > 0;) {
    const char c = tokens_[i].first;
    // One primary expression, or a suffix such as `[i]` or `(x)` of the one to its left.
    const bool is_suffix = c == ')' || c == ']' || c == '}';
    if (is_suffix) {
      i = tokens_[i].match;
      if (i == kNone) return first;
    } else if (c == '>') {
      i = begin_of_angles(i);
      if (i == kNone) return first;
      --i;  // The template's name.
      // In `f<N < 5>` the first guess was the comparison.
      while (i >= 2 && tokens_.is(i - 1, '<') && tokens_.is_identifier(i - 2)) i -= 2;
    } else if (!is_name(i)) {
      return first;
    }
    first = i;
    if (i == 0) return first;
    if (!is_suffix) {
      if (tokens_.is(i - 1, "template")) first = --i;
      if (i > 0 && tokens_.is_scope(i - 1)) {  // A qualified name.
        first = --i;
        if (i == 0) return first;
        const uint32_t partner = tokens_.is(i - 1, ')') ? tokens_[i - 1].match : 0;
        const bool is_decltype =
            partner != kNone && partner > 0 && tokens_.is(partner - 1, "decltype");
        if (tokens_.is(i - 1, '>') || is_name(i - 1) || is_decltype) continue;
        return first;
      }
    }
    // A member of something.
    if (i > 0 && (tokens_.is(i - 1, '.') || tokens_.is_arrow(i - 1))) {
      --i;
      continue;
    }
    if (!is_suffix || i == 0) return first;
    // What is to the left of a suffix? Not the condition of an `if`, nor a comparison.
    const char left = tokens_[i - 1].first;
    if (left == ')') {
      const uint32_t partner = tokens_[i - 1].match;
      if (partner == kNone) return first;
      if (partner > 0 && tokens_.is_identifier(partner - 1) &&
          (!is_name(partner - 1) || is_attribute_like(tokens_.spelling(partner - 1)))) {
        return first;
      }
    } else if (left == '>') {
      // The call of a template: `get<int>(x)`, `static_cast<F>(p)`.
      if (begin_of_angles(i - 1) == kNone) return first;
    } else if (left != ']' && !tokens_.is_identifier(i - 1)) {
      return first;
    }
  }
  return first;
}

// --- Kernels ------------------------------------------------------------------------------------

void Rewriter::global(uint32_t i) {
  erase_token(i);
  if (i < kernel_search_) return;  // Written twice in one declaration.
  const Kernel kernel = parse_kernel(i);
  if (kernel.name == kNone) return;
  kernel_names_.emplace(tokens_.spelling(kernel.name), kernel.name);
  if (!check_kernel(i, kernel)) return;
  const std::string bounds = calls_for_bounds(kernel);
  if (kernel.body == kNone) return;

  const std::string name(tokens_.spelling(kernel.name));
  const uint32_t body_end = tokens_[kernel.body].match;
  if (body_end == kNone) {
    error(kernel.name, "the body of kernel '" + name + "' is not closed: a '}' is missing");
    return;
  }
  // `return` makes the compiler refuse every result type that is not void. Flattened, since g++ does
  // not instrument the store of a structure that a function returns, unless it is inlined.
  std::vector<uint32_t> references;
  check_parameters(kernel, &references);
  std::string captures = "=", refer;
  for (const uint32_t reference : references) {
    const std::string spelling(tokens_.spelling(reference));
    captures += ", &" + spelling;
    refer += " ::cpu_device::refer(\"" + spelling + "\", __builtin_addressof(" + spelling + "));";
  }
  insert_after(kernel.body, bounds + refer + (check_ ? name_parameters(kernel) : std::string()) +
               " return ::cpu_device::kernel(\"" + name + "\", [" + captures + "]() mutable " +
               (flatten_ ? "__attribute__((flatten)) " : "") + "-> void {" +
               (check_ ? mark(name, kernel.name, body_end, true) : std::string()));
  insert_after(body_end, "); }" + (module_ ? note_for_module(kernel) : std::string()));
  if (check_) mark_bodies(kernel);
  kernel_ = kernel;
  kernel_end_ = tokens_[body_end].begin;
}

// Has the kernel known by its address when the module is loaded. A template has none yet, and of those that
// share a name only the first is found by it.
std::string Rewriter::note_for_module(const Kernel& kernel) {
  const std::string_view name = tokens_.spelling(kernel.name);
  if (tokens_.is(kernel.begin, "template") || tokens_.is_scope(kernel.name - 1) ||
      !module_names_.insert(name).second)
    return {};
  return " [[maybe_unused]] static void* const cpu_device_module_" + std::string(name) +
         " = ::cpu_device::note_kernel(" + std::string(name) + ");";
}

// The `)` of `__launch_bounds__(256)` and its like if one begins at token i, else kNone.
uint32_t Rewriter::end_of_launch_bounds(uint32_t i) const {
  const bool is_one = tokens_.is(i, "__launch_bounds__") || tokens_.is(i, "__maxnreg__") ||
                      tokens_.is(i, "__cluster_dims__") || tokens_.is(i, "__block_size__");
  return is_one && tokens_.is(i + 1, '(') ? tokens_[i + 1].match : kNone;
}

// Takes `__launch_bounds__(256)` and its like away; a kernel has asked for what is in it, see
// calls_for_bounds().
void Rewriter::launch_bounds(uint32_t i) {
  const uint32_t end = end_of_launch_bounds(i);
  if (end == kNone) return;
  if (tokens_.is(i, "__block_size__"))
    error(i, "__block_size__ is not supported on the CPU device: give the block in <<<grid, block>>>, and "
             "the cluster with __cluster_dims__");
  replace(tokens_[i].begin, tokens_[end].end, {});
}

// The tokens [begin, end) in one line: there may be line markers between them.
std::string Rewriter::text_of(uint32_t begin, uint32_t end) const {
  std::string text;
  for (uint32_t t = begin; t < end; ++t) {
    if (t > begin && !tokens_.adjacent(t - 1)) text += ' ';
    text += tokens_.spelling(t);
  }
  return text;
}

// Would one of the names in [begin, end) mean a parameter in the kernel's body?
bool Rewriter::names_a_parameter(const Kernel& kernel, uint32_t begin, uint32_t end) const {
  for (uint32_t p = kernel.parameters + 1; p < tokens_[kernel.parameters].match; ++p) {
    const bool ends = tokens_.is(p + 1, ',') || tokens_.is(p + 1, ')') || tokens_.is(p + 1, '=') ||
                      tokens_.is(p + 1, '[');
    if (!ends || !is_name(p)) continue;
    for (uint32_t t = begin; t < end; ++t)
      if (tokens_.is(t, tokens_.spelling(p))) return true;
  }
  return false;
}

// What tells the runtime at each launch of the kernel's __launch_bounds__ and __cluster_dims__, which may
// have been written where it was declared. Without a bound that would mean something else in the body.
std::string Rewriter::calls_for_bounds(const Kernel& kernel) {
  const uint32_t parameters_end = tokens_[kernel.parameters].match;
  std::string calls, key(tokens_.spelling(kernel.name));
  for (uint32_t t = kernel.begin; t < tokens_.size() && t != kernel.body; ++t) {
    if (t > parameters_end && tokens_.is(t, ';')) break;
    if (t == kernel.parameters) {
      if (t + 1 < parameters_end) key += '1';
      for (; t < parameters_end; ++t)
        if (tokens_.is(t, ',')) key += ',';
    }
    const uint32_t end = end_of_launch_bounds(t);
    if (end == kNone || names_a_parameter(kernel, t + 1, end)) continue;
    if (tokens_.is(t, "__cluster_dims__")) calls += " ::cpu_device::cluster" + text_of(t + 1, end + 1) + ";";
    if (tokens_.is(t, "__launch_bounds__"))
      calls += " ::cpu_device::launch_bounds" + text_of(t + 1, end + 1) + ";";
    t = end;
  }
  // The same head of a template, so that its parameters have the same names.
  if (tokens_.is(kernel.begin, "template") && tokens_.is(kernel.begin + 1, '<')) {
    const uint32_t close = end_of_angles(kernel.begin + 1, kernel.name);
    if (close != kNone) key += text_of(kernel.begin, close + 1);
  }
  if (kernel.body == kNone) {
    if (!calls.empty()) declared_bounds_[key] = calls;
    return {};
  }
  const auto declared = declared_bounds_.find(key);
  return calls.empty() && declared != declared_bounds_.end() ? declared->second : calls;
}

Rewriter::Kernel Rewriter::parse_kernel(uint32_t global) {
  Kernel kernel;
  kernel.begin = begin_of_statement(global, kernel_search_);
  uint32_t name = kNone;          // The identifier that parentheses here would belong to.
  bool after_parameters = false;  // No more candidates: a result type or constraint follows.
  uint32_t i = global + 1;
  for (bool done = false; !done && i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::kIdentifier) {
      if (token.word == Word::kGlobal && kernel.name != kNone) break;
      const std::string_view word = tokens_.spelling(i);
      if (kernel.name != kNone && word == "requires") after_parameters = true;
      name = is_attribute_like(word) || word == "void" ? kNone : i;
      continue;
    }
    switch (token.first) {
      case '(':
        if (token.match == kNone) {
          if (name != kNone && !after_parameters) {
            kernel.name = name;
            kernel.parameters = i;
          }
          done = true;
          break;
        }
        if (tokens_.is(token.match + 1, '(') && tokens_.is_identifier(i + 1) &&
            token.match == i + 2 && kernel.name == kNone) {
          name = i + 1;  // void (name)(parameters)
          i = token.match;
          break;
        }
        if (name != kNone && !after_parameters) {
          kernel.name = name;
          kernel.parameters = i;
        }
        name = kNone;
        i = token.match;
        break;
      case '[':
        name = kNone;
        if (token.match == kNone) {
          done = true;
        } else {
          i = token.match;
        }
        break;
      case '<': {
        const uint32_t close = end_of_angles(i, i + kMaxAngles);
        if (close == kNone) {
          done = true;
        } else {
          i = close;  // `name` stays: k<float>(...)
        }
        break;
      }
      case '-':
        if (tokens_.is_arrow(i)) after_parameters = true;
        break;
      case '{':
        if (kernel.name != kNone) kernel.body = i;
        done = true;
        break;
      case ';':
      case '=':
      case ')':
      case ']':
      case '}':
        done = true;
        break;
      case ':':
        name = kNone;
        done = !tokens_.is_scope(i);
        break;
      default:
        name = kNone;
    }
  }
  kernel_search_ = i;
  return kernel;
}

// Reports what CUDA forbids. False if the body must not be rewritten.
bool Rewriter::check_kernel(uint32_t global, const Kernel& kernel) {
  const std::string name = "'" + std::string(tokens_.spelling(kernel.name)) + "'";
  const uint32_t parameters_end = tokens_[kernel.parameters].match;
  if (parameters_end == kNone) {
    error(kernel.name, "the ')' that ends the parameters of kernel " + name + " is missing");
    return false;
  }

  bool is_friend = false, returns_value = false, returns_void = false;
  for (uint32_t t = kernel.begin; t < kernel.name; ++t) {
    if (tokens_.is(t, '<')) {
      const uint32_t close = end_of_angles(t, kernel.name);
      if (close == kNone) break;
      t = close;
    } else if (tokens_.is(t, '(') || tokens_.is(t, '[')) {
      if (tokens_[t].match == kNone) break;
      t = tokens_[t].match;
    } else if (tokens_.is_identifier(t)) {
      const std::string_view word = tokens_.spelling(t);
      is_friend |= word == "friend";
      returns_value |= is_builtin_type(word);
      const bool is_pointer = tokens_.is(t + 1, '*') || tokens_.is(t + 1, '&');
      returns_value |= word == "void" && is_pointer;
      returns_void |= word == "void" && !is_pointer;
    }
  }
  returns_value &= !returns_void;  // Both: the line before has no semicolon.
  for (uint32_t t = parameters_end + 1; t < tokens_.size() && t < parameters_end + 16; ++t) {
    if (tokens_.is(t, '{') || tokens_.is(t, ';')) break;
    if (tokens_.is_arrow(t) && tokens_.is_identifier(t + 1)) {
      returns_value |= is_builtin_type(tokens_.spelling(t + 1));
    }
  }
  if (returns_value) {
    error(kernel.name, "kernel " + name + " must return void");
    return false;
  }
  if (scope_around(global) == Scope::kClass && !is_friend) {
    error(kernel.name, "kernel " + name +
                           " cannot be a member of a class: write it outside and pass it what "
                           "it needs");
    return false;
  }
  if (!check_parameters(kernel)) return false;
  if (kernel.body != kNone && tokens_.is(kernel.body - 1, "try")) {
    error(kernel.name, "kernel " + name + " cannot catch exceptions: kernels have none");
    return false;
  }
  return true;
}

// Collects the names of references, which are good for managed memory.
bool Rewriter::check_parameters(const Kernel& kernel, std::vector<uint32_t>* references) {
  const std::string name = "'" + std::string(tokens_.spelling(kernel.name)) + "'";
  const uint32_t end = tokens_[kernel.parameters].match;
  bool in_default_argument = false;
  for (uint32_t t = kernel.parameters + 1; t < end; ++t) {
    const char c = tokens_[t].first;
    if (c == ',') {
      in_default_argument = false;
    } else if (c == '=') {
      in_default_argument = true;
    } else if (c == '<' && t > 0 && tokens_.is_identifier(t - 1)) {
      const uint32_t close = end_of_angles(t, end);
      if (close != kNone) t = close;
    } else if (in_default_argument && (c == '(' || c == '[' || c == '{')) {
      if (tokens_[t].match == kNone) return true;
      t = tokens_[t].match;
    } else if (c == '(' || c == '[' || c == '{') {
      if (tokens_[t].match == kNone) return true;
      if (c != '(' || !tokens_.is(t + 1, '&')) t = tokens_[t].match;
    } else if (c == '&' && !in_default_argument && tokens_.is_identifier(t + 1)) {
      if (references != nullptr) references->push_back(t + 1);
    } else if (c == '&' && !in_default_argument && (tokens_.is(t + 1, '&') || tokens_.is(t + 1, '.'))) {
      error(kernel.name, "kernel " + name +
                             " takes a reference, but it runs in another memory: "
                             "pass the value or a pointer to device memory");
      return false;
    } else if (c == '.' && tokens_.is(t + 1, '.') && tokens_.is(t + 2, '.') &&
               (tokens_.is(t - 1, ',') || t == kernel.parameters + 1)) {
      error(kernel.name, "kernel " + name + " cannot have a variable number of arguments ('...')");
      return false;
    }
  }
  return true;
}

// A call that tells the names and values of the kernel's parameters; empty if it has none.
std::string Rewriter::name_parameters(const Kernel& kernel) const {
  std::string names;
  const uint32_t end = tokens_[kernel.parameters].match;
  const auto add = [&](uint32_t separator) {  // the parameter that ends in front of it
    const uint32_t name = separator - 1;
    if (!is_name(name) || is_builtin_type(tokens_.spelling(name))) return;
    const uint32_t before = name - 1;
    if (before == kernel.parameters || tokens_.is(before, ',') || tokens_.is_scope(before)) return;
    names += (names.empty() ? "" : ", ") + std::string(tokens_.spelling(name));
    if (tokens_.is(before, '.')) names += "...";
  };
  bool done = false;  // with this parameter
  for (uint32_t t = kernel.parameters + 1; t <= end; ++t) {
    const char c = tokens_[t].first;
    if (t == end || c == ',') {
      if (!done) add(t);
      done = false;
    } else if (c == '=' || c == '[') {
      if (!done) add(t);
      done = true;
      if (c == '[') t = tokens_[t].match;
    } else if (c == '(' || c == '{') {
      done = true;
      t = tokens_[t].match;
    } else if (c == '<' && tokens_.is_identifier(t - 1)) {
      const uint32_t close = end_of_angles(t, end);
      if (close != kNone) t = close;
    }
    if (t == kNone) return "";
  }
  if (names.empty()) return "";
  return " ::cpu_device::name_parameters(\"" + names + "\", " + names + ");";
}

// The kernel as __PRETTY_FUNCTION__ would show it: `void dot(float *a, int n)`.
std::string Rewriter::signature(const Kernel& kernel) const {
  std::string text;
  const uint32_t end = tokens_[kernel.parameters].match;
  for (uint32_t t = kernel.begin; t <= end && t < tokens_.size(); ++t) {
    if (tokens_[t].word == Word::kGlobal || tokens_.is(t, "static") || tokens_.is(t, "inline") ||
        tokens_.is(t, "extern") || (t < kernel.name && tokens_[t].kind == Kind::kString)) {
      continue;
    }
    const uint32_t bounds_end = end_of_launch_bounds(t);
    if (bounds_end != kNone) {
      t = bounds_end;
      continue;
    }
    if (tokens_.is(t, "template") && tokens_.is(t + 1, '<')) {
      const uint32_t close = end_of_angles(t + 1, kernel.name);
      if (close != kNone) {
        t = close;
        continue;
      }
    }
    if (!text.empty() && tokens_[t].begin > tokens_[t - 1].end) text += ' ';
    text += tokens_.spelling(t);
  }
  return text;
}

// --- Shared memory ------------------------------------------------------------------------------

void Rewriter::shared(uint32_t i) {
  if (i < shared_end_) {  // Written twice in one declaration.
    erase_token(i);
    return;
  }
  const uint32_t parent = tokens_[i].parent;
  if (parent != kNone && !tokens_.is(parent, '{')) {
    error(i,
          "__shared__ belongs to a variable in a function, not to a parameter: a pointer to "
          "shared memory is an ordinary pointer");
    return;
  }
  const Scope scope = scope_around(i);
  if (scope == Scope::kClass) {
    error(i, "a member of a class cannot be __shared__: declare the variable in the kernel");
    return;
  }

  // The words of the declaration in front of __shared__.
  uint32_t begin = i;
  while (begin > shared_end_) {
    uint32_t left = begin - 1;
    if (tokens_.is(left, ')') || tokens_.is(left, ']')) {
      left = tokens_[left].match;
      if (left == kNone || left < 1) break;
      const bool is_attribute =
          tokens_.is_identifier(left - 1) && is_attribute_like(tokens_.spelling(left - 1));
      if (tokens_.is(left, '(') && !is_attribute) break;
    } else if (tokens_.is(left, '>')) {
      left = begin_of_angles(left);
      if (left == kNone || left <= shared_end_) break;
    } else if (!tokens_.is_scope(left) && !is_name(left)) {
      break;
    }
    begin = left;
  }

  // The rest: from the type to the semicolon.
  bool is_extern = false, is_static = false;
  std::vector<uint32_t> names;       // One per declarator; kNone if it is not a plain name.
  std::vector<uint32_t> separators;  // The token behind each declarator.
  std::vector<std::pair<uint32_t, uint32_t>> alignments;
  uint32_t name = kNone, initializer = kNone, words = 0;
  bool name_is_final = false;
  uint32_t end = begin;
  for (; end < tokens_.size(); ++end) {
    const Token& token = tokens_[end];
    if (token.kind == Kind::kIdentifier) {
      const std::string_view word = tokens_.spelling(end);
      const bool has_parentheses = tokens_.is(end + 1, '(') && tokens_[end + 1].match != kNone;
      if (word == "extern") {
        is_extern = true;
      } else if (word == "static") {
        is_static = true;
      } else if (is_class_key(word) || word == "enum") {
        // `__shared__ union { ... } u;`
        uint32_t brace = end + 1;
        while (tokens_.is_identifier(brace) || tokens_.is_scope(brace)) ++brace;
        if (tokens_.is(brace, '{') && tokens_[brace].match != kNone) end = tokens_[brace].match;
        ++words;
      } else if (is_attribute_like(word) && has_parentheses) {
        if (word == "alignas") alignments.emplace_back(end, tokens_[end + 1].match);
        if (word == "decltype") ++words;
        end = tokens_[end + 1].match;
      } else if (token.word == Word::kOther || token.word == Word::kTexture) {
        ++words;
        if (!name_is_final) name = end;
      }
      continue;
    }
    const char c = token.first;
    if (c == '[') {
      const bool is_attribute = tokens_.is(end + 1, '[');
      if (!is_attribute) name_is_final = true;
      if (token.match == kNone) break;
      end = token.match;
    } else if (c == '(') {
      if (token.match == kNone) break;
      const bool ends_declarator =
          tokens_.is(token.match + 1, ',') || tokens_.is(token.match + 1, ';');
      if (ends_declarator && words >= 2 && name + 1 == end) initializer = end;
      if (!ends_declarator) {  // A pointer to an array, say.
        name = kNone;
        name_is_final = true;
      }
      end = token.match;
    } else if (c == '{' || (c == '=' && initializer == kNone)) {
      initializer = end;
      if (c == '{' && token.match == kNone) break;
      if (c == '{') end = token.match;
    } else if (c == '<' && initializer == kNone && !name_is_final) {
      const uint32_t close = end_of_angles(end, end + kMaxAngles);
      if (close == kNone) break;
      end = close;
      name = kNone;
    } else if (c == ',' || c == ';') {
      names.push_back(name);
      separators.push_back(end);
      name = kNone;
      name_is_final = false;
      if (c == ';') break;
    } else if (c == '}' || c == ')' || c == ']') {
      break;
    }
    if (initializer != kNone) break;
  }
  shared_end_ = std::max(i + 1, end);

  if (initializer != kNone) {
    error(i,
          "a __shared__ variable cannot be initialized where it is declared: let one thread "
          "assign to it, then call __syncthreads()");
    return;
  }
  if (end >= tokens_.size() || !tokens_.is(end, ';')) {
    // Not a declaration as we know them. The compiler will find words for it.
    replace(tokens_[i].begin, tokens_[i].end, "static thread_local");
    return;
  }

  if (!is_extern) {
    std::string front;
    for (const auto& [first, last] : alignments) {
      if (first < i) continue;  // In front it is where C++ wants it.
      front +=
          tokens_.text().substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin);
      front += ' ';
      replace(tokens_[first].begin, tokens_[last].end, {});
    }
    if (!front.empty()) insert_before(begin, front);
    replace(tokens_[i].begin, tokens_[i].end, is_static ? "thread_local" : "static thread_local");
    if (check_ && scope == Scope::kFunction) tell_shared(begin, end, names);
    check_size_of_shared(i, end, names);
    return;
  }

  // The runtime aligns dynamic shared memory for every type.
  for (const auto& [first, last] : alignments) {
    replace(tokens_[first].begin, tokens_[last].end, {});
  }
  // One block of memory under as many names as there are declarations. In a function it is a
  // reference, because g++ forgets the assembler name of an `extern` inside a template; a lambda
  // cannot capture that reference by value, so there, as in a namespace, an `extern` it is.
  const uint32_t block_end = parent == kNone ? kNone : tokens_[parent].match;
  const bool plain_names = std::find(names.begin(), names.end(), kNone) == names.end();
  const bool as_reference =
      scope == Scope::kFunction && plain_names &&
      (may_be_template(i) || block_end == kNone || !may_be_captured(end, block_end));
  for (uint32_t t = begin; t < end; ++t) {
    if (t == i || tokens_.is(t, "extern")) erase_token(t);
  }
  if (!as_reference) insert_before(begin, "extern __thread ");
  for (size_t k = 0; k < names.size(); ++k) {
    if (as_reference) {
      insert_before(names[k], "(&");
      insert_after(names[k], ")");
      insert_before(separators[k], " = reinterpret_cast<decltype(" +
                                       std::string(tokens_.spelling(names[k])) +
                                       ")>(*::cpu_device::dynamic_shared())");
    } else {
      insert_before(separators[k], std::string(" __asm__(\"") + kDynamicShared + "\")");
    }
  }
  if (check_ && scope == Scope::kFunction && plain_names)
    for (const uint32_t name : names) {
      const std::string spelling(tokens_.spelling(name));
      insert_after(
          end, " ::cpu_device::checked_dynamic_shared(" + spelling + ", \"" + spelling + "\");");
    }
}

// Behind the declaration: its names for a checked run. On both sides of it, because some compilers lay
// variables out from the last to the first: a gap in which nobody has any business.
void Rewriter::tell_shared(uint32_t begin, uint32_t semicolon, const std::vector<uint32_t>& names) {
  std::string text;
  for (const uint32_t name : names) {
    if (name == kNone) continue;
    const std::string spelling(tokens_.spelling(name));
    text += " ::cpu_device::checked_shared(" + spelling + ", \"" + spelling + "\");";
  }
  const std::string gap = "cpu_device_gap_" + std::to_string(semicolon);
  for (const char* side : {"_before", "_behind"}) {
    const std::string declaration =
        "static thread_local unsigned char " + gap + side + "[64] __attribute__((used)); ";
    if (std::string_view(side) == "_before")
      insert_before(begin, declaration);
    else
      text += " " + declaration;
    text += "::cpu_device::checked_shared(" + gap + side + ", nullptr);";
  }
  insert_after(semicolon, text);
}

// A block has 48 KB for all the arrays whose size the compiler knows. nvcc refuses more, so must
// we: adds a static_assert on the sum of those that are visible here.
void Rewriter::check_size_of_shared(uint32_t i, uint32_t semicolon, std::vector<uint32_t> names) {
  constexpr size_t kMaxNames = 32, kMaxLength = 100;
  names.erase(std::remove(names.begin(), names.end(), kNone), names.end());
  if (scope_around(i) == Scope::kFunction) {
    while (!shared_names_.empty() && tokens_[shared_names_.back().first].match < i) {
      shared_names_.pop_back();
    }
    for (const uint32_t name : names) shared_names_.emplace_back(tokens_[i].parent, name);
    if (shared_names_.size() > kMaxNames) return;
    names.clear();
    for (const auto& [brace, name] : shared_names_) names.push_back(name);
  }
  std::string sum;
  for (const uint32_t name : names) {
    if (tokens_.spelling(name).size() > kMaxLength) return;
    sum += sum.empty() ? "sizeof(" : " + sizeof(";
    sum += tokens_.spelling(name);
    sum += ')';
  }
  if (sum.empty() || names.size() > kMaxNames) return;
  // Compilers point at the comparison: it takes the column of the name.
  std::string there = " ";
  const Position position = tokens_.locate(tokens_[names.back()].begin);
  if (position.line == tokens_.locate(tokens_[semicolon].begin).line &&
      position.column <= kMaxColumn) {
    there = "\n# " + std::to_string(position.line) + '\n' + std::string(position.column, ' ');
  }
  insert_after(semicolon,
               " static_assert(" + sum + there +
                   "<= 48 * 1024, \"a block has 48 KB of __shared__ memory; more must be "
                   "'extern __shared__' and allowed by cudaFuncSetAttribute()\");");
}

// `atomicAdd(&sum, x);` does not look at what it returns, so it learns nothing from other threads.
// A checked run is told.
void Rewriter::ignored_atomics() {
  for (uint32_t i = 1; i < tokens_.size(); ++i) {
    if (!tokens_.is_identifier(i) || !tokens_.is(i + 1, '(') ||
        tokens_.spelling(i).substr(0, 6) != "atomic")
      continue;
    const uint32_t close = tokens_[i + 1].match;
    if (close == kNone || !tokens_.is(close + 1, ';') || scope_around(i) != Scope::kFunction)
      continue;
    const bool is_statement = tokens_.is(i - 1, ';') || tokens_.is(i - 1, '{') ||
                              tokens_.is(i - 1, '}') || tokens_.is(i - 1, ')') ||
                              tokens_.is(i - 1, "else");
    if (!is_statement) continue;
    insert_before(i, "(::cpu_device::ignore_result(), ");
    insert_after(close, ")");
  }
}

// What to insert so that a checked run knows whether tokens `first` to `last` of a kernel were
// reached.
std::string Rewriter::mark(const std::string& kernel, uint32_t first, uint32_t last,
                           bool is_kernel) {
  const Position from = tokens_.locate(tokens_[first].begin);
  const Position to = tokens_.locate(tokens_[last].begin);
  if (from.is_system_header || from.file.size() < 2 || from.file != to.file) return {};
  marks_ += "{" + std::string(from.file) + ", " + std::to_string(from.line) + ", " +
            std::to_string(to.line) + ", \"" + kernel + "\", " + (is_kernel ? "true" : "false") +
            "}, ";
  return " ::cpu_device::reached(::cpu_device_marks + " + std::to_string(mark_count_++) + ");";
}

// The last token of the statement that begins at token i, or kNone: also for what nobody nests so
// deeply, to be done in a time that grows with the text alone.
uint32_t Rewriter::end_of_statement(uint32_t i, int depth) const {
  constexpr int kMostNested = 40;
  if (++depth > kMostNested) return kNone;
  if (tokens_.is(i, '{')) return tokens_[i].match;
  if (tokens_.is(i, "do")) {
    const uint32_t body = end_of_statement(i + 1, depth);
    if (body == kNone || !tokens_.is(body + 2, '(')) return kNone;
    return tokens_[body + 2].match == kNone ? kNone : tokens_[body + 2].match + 1;
  }
  const bool is_if = tokens_.is(i, "if");
  if (is_if || tokens_.is(i, "for") || tokens_.is(i, "while") || tokens_.is(i, "switch")) {
    const uint32_t open = i + (tokens_.is(i + 1, "constexpr") ? 2 : 1);
    if (!tokens_.is(open, '(') || tokens_[open].match == kNone) return kNone;
    const uint32_t body = end_of_statement(tokens_[open].match + 1, depth);
    if (!is_if || body == kNone || !tokens_.is(body + 1, "else")) return body;
    return end_of_statement(body + 2, depth);
  }
  for (uint32_t t = i; t < tokens_.size(); ++t) {
    if (tokens_.is(t, ';')) return t;
    if (tokens_.is(t, '}')) return kNone;
    if (tokens_.is(t, '(') || tokens_.is(t, '[') || tokens_.is(t, '{')) t = tokens_[t].match;
    if (t == kNone) return kNone;
  }
  return kNone;
}

// The body of an if, an else or a loop.
void Rewriter::mark_body(const std::string& kernel, uint32_t first) {
  if (tokens_.is(first, ';')) return;
  const uint32_t last = end_of_statement(first);
  if (last == kNone) return;
  const auto& pragmas = tokens_.pragmas();
  const auto pragma =
      std::lower_bound(pragmas.begin(), pragmas.end(), first,
                       [](const Pragma& one, uint32_t token) { return one.next_token < token; });
  if (pragma != pragmas.end() && pragma->next_token == first) return;  // it must stay in front
  if (tokens_.is(first, '{')) {
    if (last > first + 1) insert_after(first, mark(kernel, first + 1, last - 1, false));
    return;
  }
  insert_before(first, "{" + mark(kernel, first, last, false) + " ");
  insert_after(last, " }");
}

void Rewriter::mark_bodies(const Kernel& kernel) {
  const std::string name(tokens_.spelling(kernel.name));
  for (uint32_t t = kernel.body + 1; t < tokens_[kernel.body].match; ++t) {
    if (tokens_.is(t, "do")) {
      mark_body(name, t + 1);
      const uint32_t last = end_of_statement(t + 1);
      if (last == kNone || !tokens_.is(last + 1, "while") || !tokens_.is(last + 2, '(')) continue;
      const uint32_t close = tokens_[last + 2].match;
      if (close == kNone) continue;
      insert_after(last + 2, "::cpu_device::condition((");
      insert_before(close, "))");
    } else if (tokens_.is(t, "else")) {
      if (!tokens_.is(t + 1, "if")) mark_body(name, t + 1);
    } else if (tokens_.is(t, "if") || tokens_.is(t, "for") || tokens_.is(t, "while")) {
      // What is decided when a template is compiled is no matter of a run.
      const bool decided = tokens_.is(t + 1, "constexpr");
      if (!decided && tokens_.is(t + 1, '(') && tokens_[t + 1].match != kNone)
        mark_body(name, tokens_[t + 1].match + 1);
    }
  }
}

// --- Smaller things -----------------------------------------------------------------------------

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
  for (; t < close; ++t) {
    if (tokens_.is(t, ':') || tokens_.is_scope(t)) {
      section += tokens_.is_scope(t) ? 2 : 1;
    } else if (section < 3 && tokens_[t].kind == Kind::kString && tokens_.is(t + 1, '(') &&
               tokens_[t + 1].match != kNone) {
      PtxOperand operand{literal_value(tokens_.spelling(t)), {}};
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
    // A library's function that perhaps nobody calls; if somebody does, it says so.
    replace(
        tokens_[i].begin, tokens_[close].end,
        "::cpu_device::trap(\"a function of this library needs PTX, which is not supported on the "
        "CPU device\", ::cpu_device::Site::here())");
    return;
  }
  uint32_t where = i;
  for (const auto& [begin, token] : pieces)
    if (begin <= result.error_at) where = token;
  error(where, "PTX: " + result.error + " is not supported on the CPU device");
}

// In a kernel, __func__ would name the lambda.
void Rewriter::function_name(uint32_t i) {
  if (tokens_[i].begin >= kernel_end_) return;
  const bool pretty = tokens_.is(i, "__PRETTY_FUNCTION__");
  replace(
      tokens_[i].begin, tokens_[i].end,
      quoted_literal(pretty ? signature(kernel_) : std::string(tokens_.spelling(kernel_.name))));
}

// --- Warp-synchronous code
// ------------------------------------------------------------------------

bool Rewriter::synchronizes(uint32_t begin, uint32_t end) const {
  for (uint32_t t = begin; t < end; ++t)
    if (tokens_.is_identifier(t) && tokens_.spelling(t).find("sync") != std::string_view::npos)
      return true;
  return false;
}

bool Rewriter::is_in_loop_without_barrier(uint32_t i) const {
  uint32_t head = i;  // Behind the parentheses of a loop.
  const uint32_t brace = tokens_[i].parent;
  if (!(i > 0 && tokens_.is(i - 1, ')'))) {
    if (brace == kNone || !tokens_.is(brace, '{')) return false;
    head = brace;
  }
  if (head == 0 || !tokens_.is(head - 1, ')') || tokens_[head - 1].match == kNone) return false;
  const uint32_t open = tokens_[head - 1].match;
  if (open == 0 || !(tokens_.is(open - 1, "for") || tokens_.is(open - 1, "while"))) return false;
  return head == i || !synchronizes(brace, tokens_[brace].match);
}

// Statements such as `name[t] = x;` and `name[t] += name[t + 16];` in the braces that open at
// `open`.
std::vector<Rewriter::Step> Rewriter::warp_steps(uint32_t open, std::string_view name) const {
  std::vector<Step> steps;
  uint32_t last = kNone;  // End of the last that read what another lane may have written.
  for (uint32_t t = open + 1; t < tokens_[open].match; ++t) {
    if (!tokens_.is(t, name) || !tokens_.is(t + 1, '[') || tokens_[t + 1].match == kNone) continue;
    const bool begins = tokens_.is(t - 1, ';') || tokens_.is(t - 1, '{') ||
                        tokens_.is(t - 1, '}') || tokens_.is(t - 1, ')') ||
                        tokens_.is(t - 1, "else");
    const uint32_t sign = tokens_[t + 1].match + 1;
    const char c = sign < tokens_.size() ? tokens_[sign].first : 0;
    const bool is_compound =
        (c == '+' || c == '-' || c == '*' || c == '|' || c == '&' || c == '^') &&
        follows_without_gap(sign, '=');
    if (!begins || !(is_compound || (c == '=' && !follows_without_gap(sign, '=')))) continue;
    Step step{t, sign, sign + (is_compound ? 2 : 1), kNone, false};
    const auto text_of_index = [&](uint32_t bracket) {
      return tokens_.text().substr(tokens_[bracket].begin,
                                   tokens_[tokens_[bracket].match].end - tokens_[bracket].begin);
    };
    bool reads_another = false;
    uint32_t e = step.sign_end;
    for (; e < tokens_[open].match && !tokens_.is(e, ';') && !tokens_.is(e, ',') &&
           !tokens_.is(e, '{');
         ++e) {
      if (tokens_.is(e, name) && tokens_.is(e + 1, '[') && tokens_[e + 1].match != kNone)
        reads_another |= text_of_index(e + 1) != text_of_index(t + 1);
      // Within parentheses, too, such as those of max().
      if (!tokens_.is(e, '(') || tokens_[e].match == kNone) continue;
      for (uint32_t in = e; in < tokens_[e].match; ++in)
        if (tokens_.is(in, name) && tokens_.is(in + 1, '[') && tokens_[in + 1].match != kNone)
          reads_another |= text_of_index(in + 1) != text_of_index(t + 1);
      e = tokens_[e].match;
    }
    if (!tokens_.is(e, ';')) continue;
    step.end = e;
    if (reads_another) {
      step.counts_on_it =
          is_in_loop_without_barrier(t) || (last != kNone && !synchronizes(last, t));
      last = e;
    }
    steps.push_back(step);
    t = e;
  }
  return steps;
}

// A volatile pointer or array whose elements are added up in steps, without a barrier of the warp:
// where all lanes move together, each step reads before it writes. A checked run sees the accesses
// themselves.
void Rewriter::volatile_name(uint32_t i) {
  if (check_ || tokens_.locate(tokens_[i].begin).is_system_header) return;
  uint32_t name = kNone, t = i + 1;
  for (; t < tokens_.size() && t < i + 16; ++t) {
    if (tokens_.is_identifier(t))
      name = t;
    else if (tokens_.is(t, '<') && end_of_angles(t, t + kMaxAngles) != kNone)
      t = end_of_angles(t, t + kMaxAngles);
    else if (!tokens_.is(t, '*') && !tokens_.is_scope(t))
      break;
  }
  if (name == kNone || name == i + 1) return;
  uint32_t open = tokens_[i].parent;
  if (open != kNone && tokens_.is(open, '(')) {  // A parameter: of the function that follows.
    open = tokens_[open].match;
    if (open == kNone || !tokens_.is(++open, '{')) return;
  }
  if (open == kNone || !tokens_.is(open, '{') || tokens_[open].match == kNone) return;
  if (scope_around(open + 1) != Scope::kFunction) return;
  const std::vector<Step> steps = warp_steps(open, tokens_.spelling(name));
  if (std::none_of(steps.begin(), steps.end(), [](const Step& step) { return step.counts_on_it; }))
    return;
  for (const Step& step : steps) {
    if (step.first < steps_end_) continue;  // Of a name that is declared again.
    steps_end_ = step.end;
    const std::string left(tokens_.text().substr(
        tokens_[step.first].begin, tokens_[step.sign - 1].end - tokens_[step.first].begin));
    const std::string flag = step.counts_on_it ? "true" : "false";
    insert_before(step.first, "{ const auto cpu_device_value = ");
    if (step.sign_end == step.sign + 1) {
      replace(tokens_[step.first].begin, tokens_[step.sign].end, " (");
    } else {
      replace(tokens_[step.sign + 1].begin, tokens_[step.sign + 1].end, "(");
    }
    replace(tokens_[step.end].begin, tokens_[step.end].end,
            "); ::cpu_device::warp_step(" + flag + "); " + left +
                " = cpu_device_value; ::cpu_device::warp_step(false); }");
  }
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

// A kernel's address that is made a void* loses what the kernel's parameters are, and
// cudaLaunchKernel() needs them: `(void*)kernel` and `reinterpret_cast<void*>(&kernel)` pass
// through a function that notes them down.
void Rewriter::kernel_addresses() {
  if (kernel_names_.empty()) return;
  for (uint32_t i = 1; i + 3 < tokens_.size(); ++i) {
    if (!tokens_.is(i, '*')) continue;
    uint32_t left = i - 1;
    if (tokens_.is(left, "const") && left > 0) --left;
    if (!tokens_.is(left, "void") || left == 0) continue;
    --left;
    if (tokens_.is(left, "const") && left > 0) --left;
    uint32_t first = kNone;
    if (tokens_.is(left, '(') && tokens_.is(i + 1, ')')) first = i + 2;
    if (tokens_.is(left, '<') && tokens_.is(i + 1, '>') && tokens_.is(i + 2, '(')) first = i + 3;
    if (first == kNone) continue;
    uint32_t name = first;  // The last of a qualified one.
    if (tokens_.is(name, '&')) ++name;
    if (tokens_.is_scope(name)) ++name;
    while (tokens_.is_scope(name + 1) && tokens_.is_identifier(name + 2)) name += 2;
    if (!tokens_.is_identifier(name)) continue;
    const auto kernel = kernel_names_.find(tokens_.spelling(name));
    if (kernel == kernel_names_.end() || kernel->second > name) continue;
    uint32_t last = name;
    if (tokens_.is(name + 1, '<')) {
      last = end_of_angles(name + 1, name + 1 + kMaxAngles);
      if (last == kNone) continue;
    }
    if (tokens_.is(last + 1, '(') || tokens_.is(last + 1, '.')) continue;
    insert_before(first, "::cpu_device::kernel_address(");
    insert_after(last, ")");
  }
}

// A checked run tells of constants that nobody has copied to, unless they have an initializer: such ones
// lie in sections of other names (qualifiers.h).
void Rewriter::set_constants() {
  for (uint32_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Kind::kString || tokens_.spelling(i) != "\"cpu_device_constant_\"") continue;
    uint32_t t = i;
    while (t < tokens_.size() && !tokens_.is(t, ';') && !tokens_.is(t, '=') && !tokens_.is(t, '{')) ++t;
    if (!tokens_.is(t, ';')) replace(tokens_[i].begin, tokens_[i].end, "\"cpu_device_constant_set_\"");
  }
}

// --- Output -------------------------------------------------------------------------------------

// Continues with the text at `offset`, at its line and column: a line marker and blanks. Where no
// line break was moved or lost, not if there is only punctuation left on the line.
void Rewriter::resume_at(uint32_t offset, bool line_is_lost, std::string& output) const {
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
void Rewriter::render(uint32_t begin, uint32_t end, int depth, std::string& output) {
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
  kernel_addresses();
  if (check_) ignored_atomics();
  if (check_) set_constants();
  if (!errors_.empty()) return {};
  const std::string marks = std::to_string(mark_count_);
  // Within the first line, since what comes before the first line marker is of no file. Without their
  // number, so that headers are the same text in all programs that begin with them (headers.h).
  if (mark_count_ > 0) insert_before(0, "namespace { extern unsigned char cpu_device_marks[]; } ");

  // What is inserted in front of a token comes before what replaces the token.
  std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::string output;
  output.reserve(tokens_.text().size() + edits_.size() * 64);
  render(0, static_cast<uint32_t>(tokens_.text().size()), 0, output);
  if (mark_count_ == 0) return output;
  return output + "\nnamespace { unsigned char cpu_device_marks[" + marks +
         "]; }\nstatic const ::cpu_device::Mark cpu_device_mark_table[] = {" + marks_ +
         "};\n[[maybe_unused]] static const bool cpu_device_marks_told =\n"
         "    ::cpu_device::tell_marks(cpu_device_marks, cpu_device_mark_table, " +
         marks + ");\n";
}

}  // namespace

std::string rewrite(std::string_view preprocessed, std::vector<std::string>& errors,
                    std::string_view file_name, bool check, bool flatten, bool module) {
  if (preprocessed.size() >= (1u << 30)) {
    errors.push_back(std::string(file_name) + ": error: more than 1 GiB after preprocessing");
    return {};
  }
  return Rewriter(preprocessed, file_name, errors, check, flatten, module).run();
}

}  // namespace cpu_device
