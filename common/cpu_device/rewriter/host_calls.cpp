#include "host_calls.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "never_waits.h"
#include "rewriter_class.h"

namespace cpu_device {
namespace {

constexpr uintmax_t kMostBytes = 4 << 20;  // of a source file

// Comments become blanks; lines stay.
std::string without_comments(std::string text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
    } else if (text[i] == '/' && text[i + 1] == '/') {
      for (; i < text.size() && text[i] != '\n'; ++i) text[i] = ' ';
    } else if (text[i] == '/' && text[i + 1] == '*') {
      const size_t end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      for (; i < end; ++i)
        if (text[i] != '\n') text[i] = ' ';
      --i;
    }
  }
  return text;
}

}  // namespace

HostFunctions::HostFunctions(const Tokens& tokens) : tokens_(tokens), own_(NeverWaits::headers_of(tokens)) {
  constexpr std::string_view include = "include/";
  if (own_.size() > include.size()) own_.remove_suffix(include.size());  // next to it are the libraries' headers
  NeverWaits::for_own_parts(tokens_, [this](uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      if (tokens_.is_identifier(i) && tokens_.is(i + 1, '(') && is_in_namespace(i)) places_[tokens_.spelling(i)].push_back(i);
      // What is in a function's body declares nothing for others.
      if (tokens_.is(i, '{') && tokens_[i].match != kNone && (tokens_.is(i - 1, ')') || tokens_.is(i - 1, '='))) i = tokens_[i].match;
    }
  });
}

// Only now are files read: few kernels call a function of the program.
uint32_t HostFunctions::declaration(std::string_view name) {
  const auto [known, is_new] = declarations_.emplace(name, kNone);
  const auto places = places_.find(name);
  if (!is_new || places == places_.end()) return known->second;
  for (const uint32_t place : places->second)
    if (!is_for_host(place)) return kNone;
  return known->second = places->second.back();
}

bool HostFunctions::is_in_namespace(uint32_t i) const {
  for (uint32_t open = tokens_[i].parent; open != kNone; open = tokens_[open].parent) {
    if (!tokens_.is(open, '{')) return false;
    const bool is_namespace = tokens_.is(open - 1, "namespace") || tokens_.is(open - 2, "namespace");
    const bool is_extern = tokens_.is(open - 2, "extern");
    if (open < 2 || (!is_namespace && !is_extern)) return false;
  }
  return true;
}

// Of `static std::vector<int> name(`; kNone if it is another thing, such as a template or a call.
uint32_t HostFunctions::begin_of_declaration(uint32_t name) const {
  uint32_t begin = name;
  for (; begin > 0; --begin) {
    const uint32_t t = begin - 1;
    const bool goes_on = tokens_.is_identifier(t) || tokens_.is_scope(t) || tokens_.is(t, '*') || tokens_.is(t, '&') ||
                         tokens_.is(t, '<') || tokens_.is(t, '>') || tokens_.is(t, ',');
    if (!goes_on) break;
    static constexpr std::string_view kOthers[] = {"template", "operator", "constexpr", "consteval", "typedef", "using",
                                                   "friend",   "__global__", "return",   "else"};
    for (const std::string_view other : kOthers)
      if (tokens_.is(t, other)) return kNone;
  }
  const bool is_first = begin == 0 || tokens_.is(begin - 1, ';') || tokens_.is(begin - 1, '}') || tokens_.is(begin - 1, '{');
  return is_first && begin < name && !tokens_.is_scope(name - 1) ? begin : kNone;
}

bool HostFunctions::is_for_host(uint32_t name) {
  const uint32_t close = tokens_[name + 1].match, begin = begin_of_declaration(name);
  const bool is_function = close != kNone && (tokens_.is(close + 1, '{') || tokens_.is(close + 1, ';'));
  return is_function && begin != kNone && stands_in_file(begin, name);
}

const Tokens* HostFunctions::file(std::string_view quoted) {
  File& file = files_[quoted];
  if (file.tokens == nullptr && file.text.empty()) {
    const std::string name = unquote(quoted);
    std::error_code error;  // a #line may name anything, such as /dev/stdin
    if (!std::filesystem::is_regular_file(name, error) || std::filesystem::file_size(name, error) > kMostBytes) return nullptr;
    std::ifstream stream(name, std::ios::binary);
    file.text = without_comments({std::istreambuf_iterator<char>(stream), {}});
    if (!file.text.empty()) file.tokens = std::make_unique<Tokens>(file.text);
  }
  return file.tokens.get();
}

// Whether the tokens are the same in the file, and nothing else is before them there.
bool HostFunctions::stands_in_file(uint32_t begin, uint32_t name) {
  const Position position = tokens_.locate(tokens_[name].begin);
  if (!own_.empty() && position.file.substr(0, own_.size()) == own_) return false;
  const Tokens* const there = file(position.file);
  if (there == nullptr) return false;
  for (uint32_t t = 0; t < there->size(); ++t) {
    if (!there->is(t, tokens_.spelling(name)) || there->locate((*there)[t].begin).line != position.line) continue;
    if (t < name - begin) return false;
    for (uint32_t back = 0; back <= name - begin; ++back)
      if (there->spelling(t - back) != tokens_.spelling(name - back)) return false;
    const uint32_t first = t - (name - begin);
    return first == 0 || there->is(first - 1, ';') || there->is(first - 1, '}') || there->is(first - 1, '{');
  }
  return false;
}

// A name of a function that is called, and not declared, asked for its type or a member.
bool Rewriter::is_plain_call(uint32_t i) const {
  if (!tokens_.is_identifier(i) || !tokens_.is(i + 1, '(') || tokens_.is(i - 1, '.') || tokens_.is_arrow(i - 1)) return false;
  if (tokens_.is_identifier(i - 1) && !tokens_.is(i - 1, "return") && !tokens_.is(i - 1, "else")) return false;
  if (tokens_.is_scope(i - 1) && tokens_.is(i - 2, "std")) return false;
  const uint32_t parent = tokens_[i].parent;
  return parent == kNone || !(tokens_.is(parent - 1, "decltype") || tokens_.is(parent - 1, "sizeof") || tokens_.is(parent - 1, "noexcept"));
}

void Rewriter::check_host_calls(const Kernel& kernel) {
  if (tokens_.is(kernel.begin, "template")) return;
  std::unordered_set<std::string_view> told;
  for (uint32_t i = kernel.body; i < tokens_[kernel.body].match; ++i) {
    if (!is_plain_call(i)) continue;
    if (!host_functions_) host_functions_ = std::make_unique<HostFunctions>(tokens_);
    const std::string_view name = tokens_.spelling(i);
    const uint32_t declaration = host_functions_->declaration(name);
    if (declaration == kNone || names_a_variable(kernel, name) || !told.insert(name).second) continue;
    const Position here = tokens_.locate(tokens_[i].begin), there = tokens_.locate(tokens_[declaration].begin);
    const std::string file = there.file == here.file ? "line " : unquote(there.file) + ":";
    error(i, "kernel '" + std::string(tokens_.spelling(kernel.name)) + "' calls '" + std::string(name) +
                 "', which is a function of the host (" + file + std::to_string(there.line) + "). Write __device__ in front of that function, or __host__ __device__ if the host calls it, too");
  }
}

// A parameter or a variable of the kernel may hide a function.
bool Rewriter::names_a_variable(const Kernel& kernel, std::string_view name) const {
  for (uint32_t t = kernel.parameters; t < tokens_[kernel.body].match; ++t)
    if (tokens_.is(t, name) && !tokens_.is(t + 1, '(')) return true;
  return false;
}

}  // namespace cpu_device
