#include "architecture.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>

#include "tokens.h"

namespace cpu_device {
namespace {

constexpr size_t kNearestMatch = 4000;  // Items between which two lists are brought together again.
constexpr uint32_t kLongestIndent = 400;

// A declaration or definition: of a function, a namespace or class with all it holds, or another.
struct Item {
  enum Kind { kOther, kFunction, kGroup } kind = kOther;
  uint32_t first = 0, last = 0;  // Tokens, both included.
  uint32_t body = kNone;         // The opening brace of a function or group.
  uint32_t head_end = 0;         // Token behind what makes a function the same as another.
  size_t hash = 0;               // Of all its tokens.
  size_t head = 0;               // Of what is before head_end.
};

// One of the two texts, as tokens and items.
class Source {
 public:
  Source(std::string_view text, bool is_device) : tokens(text), is_device_(is_device) {}

  // Items among the tokens [first, end), without those of system headers.
  std::vector<Item> items(uint32_t first, uint32_t end) const;
  // Has the item this word before its body?
  bool has(const Item& item, std::string_view word) const;
  // What a declaration of a variable or a type declares.
  std::string_view name(const Item& item) const;
  // The text from one token to another, without words that are only marks, with its variables
  // renamed.
  std::string slice(uint32_t first, uint32_t last) const;
  bool same_place(const Item& item, const Source& other, const Item& others) const;
  // The names of a function's parameters, in their order.
  std::vector<std::string_view> parameters(const Item& item) const;

  size_t hash(uint32_t first, uint32_t last, bool is_head) const;

  const Tokens tokens;
  std::set<std::string, std::less<>> renamed;

 private:
  Item item(uint32_t first, uint32_t end) const;
  bool is_mark(uint32_t i) const {
    return is_device_ && (tokens.is(i, "__device__") || tokens.is(i, "__host__"));
  }
  bool is_renamed(uint32_t i) const {
    return !renamed.empty() && tokens.is_identifier(i) && renamed.count(tokens.spelling(i)) != 0 &&
           !(i > 0 && (tokens.is(i - 1, '.') || tokens.is_arrow(i - 1)));
  }
  bool names_parameter(uint32_t i) const;
  uint32_t behind_angles(uint32_t open, uint32_t end) const;

  const bool is_device_;  // __device__ and __host__ are still in it.
};

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The token behind the `>` of a template's parameters.
uint32_t Source::behind_angles(uint32_t open, uint32_t end) const {
  int depth = 0;
  for (uint32_t t = open; t < end; ++t) {
    const char c = tokens[t].first;
    if (c == '(' || c == '[' || c == '{') {
      if (tokens[t].match == kNone) return open + 1;
      t = tokens[t].match;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>' && --depth == 0) {
      return t + 1;
    } else if (c == ';') {
      break;
    }
  }
  return open + 1;
}

Item Source::item(uint32_t first, uint32_t end) const {
  Item item;
  item.first = first;
  bool has_parameters = false, is_assigned = false, has_initializers = false, is_group = false;
  uint32_t t = first;
  const auto finish = [&](Item::Kind kind, uint32_t body, uint32_t last) {
    item.kind = kind;
    item.body = body;
    item.last = std::min(last, end - 1);
    if (item.head_end == 0) item.head_end = body == kNone ? item.last + 1 : body;
    item.hash = hash(item.first, item.last, false);
    item.head = hash(item.first, item.head_end - 1, true);
    return item;
  };
  while (t < end) {
    const char c = tokens[t].first;
    if (c == ';') return finish(Item::kOther, kNone, t);
    if (tokens.is(t, "operator")) {
      ++t;
      if (tokens.is(t, '(') && tokens.is(t + 1, ')')) t += 2;
      while (t < end && !tokens.is(t, '(')) ++t;
      continue;
    }
    if (tokens.is(t, "template") && tokens.is(t + 1, '<')) {
      t = behind_angles(t + 1, end);
      continue;
    }
    is_group |= tokens.is(t, "namespace") || tokens.is(t, "class") || tokens.is(t, "struct") ||
                tokens.is(t, "union") || (tokens.is(t, "extern") && tokens.is(t + 2, '{'));
    if (tokens.is(t, "enum")) {
      is_group = false;
      if (tokens.is(t + 1, "class") || tokens.is(t + 1, "struct")) ++t;
    }
    const bool opens = c == '(' || c == '[' || c == '{';
    if (opens && tokens[t].match == kNone) return finish(Item::kOther, kNone, end - 1);
    if (c == '(') {
      const bool is_attribute =
          t > first &&
          is_any_of(tokens.spelling(t - 1), {"__attribute__", "alignas", "decltype", "noexcept",
                                             "explicit", "requires", "throw", "__declspec"});
      has_parameters |= !is_attribute;
    } else if (c == '=') {
      is_assigned = true;
    } else if (c == ':' && !tokens.is_scope(t) && has_parameters && !is_assigned) {
      if (!has_initializers) item.head_end = t;
      has_initializers = true;
    } else if (c == '{' && !is_assigned) {
      if (!has_parameters && is_group) return finish(Item::kGroup, t, tokens[t].match);
      const bool of_member =
          has_initializers && (tokens.is_identifier(t - 1) || tokens.is(t - 1, '>'));
      if (has_parameters && !of_member) return finish(Item::kFunction, t, tokens[t].match);
    }
    t = opens ? tokens[t].match + 1 : t + 1;
  }
  return finish(Item::kOther, kNone, end - 1);
}

std::vector<Item> Source::items(uint32_t first, uint32_t end) const {
  std::vector<Item> result;
  for (uint32_t t = first; t < end;) {
    const Item next = item(t, end);
    if (!tokens.locate(tokens[next.first].begin).is_system_header) result.push_back(next);
    t = next.last + 1;
  }
  return result;
}

// Is token t the name of a parameter? It does not make a function another one.
bool Source::names_parameter(uint32_t t) const {
  if (t == 0 || !tokens.is_identifier(t) || tokens[t].parent == kNone || !tokens.is(tokens[t].parent, '(')) return false;
  const bool ends = tokens.is(t + 1, ',') || tokens.is(t + 1, ')') || tokens.is(t + 1, '=') || tokens.is(t + 1, '[');
  const bool has_type = tokens.is_identifier(t - 1) || tokens.is(t - 1, '*') || tokens.is(t - 1, '&') ||
                        tokens.is(t - 1, '>');
  return ends && has_type &&
         !is_any_of(tokens.spelling(t), {"int", "float", "double", "char", "bool", "long", "short", "signed",
                                         "unsigned", "const", "volatile", "auto"}) &&
         !is_any_of(tokens.spelling(t - 1),
                    {"const", "volatile", "struct", "class", "enum", "union", "typename", "signed", "unsigned"});
}

std::vector<std::string_view> Source::parameters(const Item& item) const {
  std::vector<std::string_view> names;
  for (uint32_t t = item.first; t < item.head_end; ++t) {
    if (tokens.is(t, "__attribute__") && tokens.is(t + 1, '(') && tokens[t + 1].match != kNone)
      t = tokens[t + 1].match;
    else if (names_parameter(t))
      names.push_back(tokens.spelling(t));
  }
  return names;
}

// Words before a function's name that do not make it another one do not count in a head, nor do the names of
// its parameters.
size_t Source::hash(uint32_t first, uint32_t last, bool is_head) const {
  size_t result = 0;
  for (uint32_t t = first; t <= last && t < tokens.size(); ++t) {
    if (is_mark(t)) continue;
    std::string_view word = tokens.spelling(t);
    if (is_head && is_any_of(word, {"inline", "static", "constexpr", "extern", "__inline__"}))
      continue;
    if (is_head && word == "__attribute__" && tokens.is(t + 1, '(') &&
        tokens[t + 1].match != kNone) {
      t = tokens[t + 1].match;
      continue;
    }
    if (is_head && names_parameter(t)) continue;
    // A checked run counts the constants, and the two texts may hold different numbers of them.
    if (word == "\"cpu_device_constant_\"") ++t;
    std::string other;
    if (!is_head && is_renamed(t)) word = other = std::string(word) + "_on_device";
    result = result * 1099511628211u + std::hash<std::string_view>()(word) + 1;
  }
  return result;
}

bool Source::has(const Item& item, std::string_view word) const {
  for (uint32_t t = item.first; t < item.head_end; ++t)
    if (tokens.is(t, word)) return true;
  return false;
}

std::string_view Source::name(const Item& item) const {
  std::string_view found;
  for (uint32_t t = item.first; t <= item.last; ++t) {
    const char c = tokens[t].first;
    if (tokens.is(t, "__attribute__") && tokens.is(t + 1, '(') && tokens[t + 1].match != kNone) {
      t = tokens[t + 1].match;
    } else if (c == '<') {
      t = behind_angles(t, item.last) - 1;
    } else if (c == '=' || c == '[' || c == '{' || c == '(' || c == ';') {
      break;
    } else if (tokens.is_identifier(t)) {
      found = tokens.spelling(t);
    }
  }
  return found;
}

bool Source::same_place(const Item& item, const Source& other, const Item& others) const {
  const Position here = tokens.locate(tokens[item.first].begin);
  const Position there = other.tokens.locate(other.tokens[others.first].begin);
  return here.file == there.file && here.line == there.line && here.column == there.column;
}

std::string Source::slice(uint32_t first, uint32_t last) const {
  std::string result;
  uint32_t at = tokens[first].begin;
  for (uint32_t t = first; t <= last; ++t) {
    const bool mark = is_mark(t);
    if (!mark && !is_renamed(t)) continue;
    result += tokens.text().substr(at, tokens[t].begin - at);
    result += mark ? std::string() : std::string(tokens.spelling(t)) + "_on_device";
    at = tokens[t].end;
  }
  result += tokens.text().substr(at, tokens[last].end - at);
  return result;
}

class Merger {
 public:
  Merger(std::string_view host, std::string_view device, std::vector<std::string>& warnings)
      : host_(host, false), device_(device, true), warnings_(warnings) {}

  std::string run() {
    merge_all();
    if (!device_.renamed.empty()) {  // Once more, now that it is known what is renamed.
      edits_.clear();
      warnings_.clear();
      merge_all();
    }
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string result;
    uint32_t at = 0;
    for (const Edit& edit : edits_) {
      result += host_.tokens.text().substr(at, edit.begin - at);
      result += edit.text;
      at = edit.end;
    }
    return result += host_.tokens.text().substr(at);
  }

 private:
  struct Edit {
    uint32_t begin, end;  // Bytes of the host's text.
    std::string text;
  };

  void merge_all() { merge(0, host_.tokens.size(), 0, device_.tokens.size()); }
  void merge(uint32_t host, uint32_t host_end, uint32_t device, uint32_t device_end);
  void merge_run(const std::vector<Item>& host, size_t i, size_t i_end,
                 const std::vector<Item>& device, size_t j, size_t j_end, uint32_t byte_behind);
  void merge_pair(const Item& host, const Item& device);
  std::string with_names_of(const Item& host, const Item& device, const std::string& body) const;
  bool leave_to_host(const std::vector<Item>& host, size_t i, size_t i_end, const Item& device);
  void warn(const Source& source, const Item& item);

  // Line marker and blanks, so that what follows stands where its file has it.
  static std::string place(const Position& position) {
    std::string text = "\n# " + std::to_string(position.line);
    if (!position.file.empty()) text += " " + std::string(position.file);
    if (position.is_system_header) text += " 3";
    return text + "\n" + std::string(std::min(position.column, kLongestIndent), ' ');
  }
  std::string place(const Source& source, uint32_t byte) const {
    return place(source.tokens.locate(byte));
  }

  const Source host_;
  Source device_;
  std::vector<std::string>& warnings_;
  std::vector<Edit> edits_;
};

void Merger::warn(const Source& source, const Item& item) {
  const Position position = source.tokens.locate(source.tokens[item.first].begin);
  warnings_.push_back(unquote(position.file) + ":" + std::to_string(position.line) +
                      ": warning: this depends on __CUDA_ARCH__. On the CPU device, kernels get the version for host code");
}

// Walks both lists; where they differ, up to the nearest items that are equal again.
void Merger::merge(uint32_t host_first, uint32_t host_end, uint32_t device_first,
                   uint32_t device_end) {
  const std::vector<Item> host = host_.items(host_first, host_end);
  const std::vector<Item> device = device_.items(device_first, device_end);
  size_t i = 0, j = 0;
  while (i < host.size() || j < device.size()) {
    if (i < host.size() && j < device.size() && host[i].hash == device[j].hash) {
      ++i, ++j;
      continue;
    }
    size_t i_next = host.size(), j_next = device.size();
    const size_t most = std::min(kNearestMatch, i_next - i + j_next - j);
    for (size_t distance = 1; distance < most && i_next == host.size(); ++distance)
      for (size_t a = 0; a <= distance; ++a)
        if (i + a < host.size() && j + distance - a < device.size() &&
            host[i + a].hash == device[j + distance - a].hash) {
          i_next = i + a;
          j_next = j + distance - a;
          break;
        }
    if (i_next == host.size()) j_next = device.size();
    const uint32_t behind = i_next < host.size() ? host_.tokens[host[i_next].first].begin
                            : host_end < host_.tokens.size()
                                ? host_.tokens[host_end].begin
                                : static_cast<uint32_t>(host_.tokens.text().size());
    merge_run(host, i, i_next, device, j, j_next, behind);
    i = i_next;
    j = j_next;
  }
}

// Items that differ, between others that do not.
void Merger::merge_run(const std::vector<Item>& host, size_t i, size_t i_end,
                       const std::vector<Item>& device, size_t j, size_t j_end,
                       uint32_t byte_behind) {
  const size_t run = i;
  for (; j < j_end; ++j) {
    size_t partner = i;
    while (partner < i_end &&
           (device[j].kind == Item::kOther || host[partner].kind != device[j].kind ||
            host[partner].head != device[j].head))
      ++partner;
    if (partner < i_end) {
      merge_pair(host[partner], device[j]);
      i = partner + 1;
    } else if (!leave_to_host(host, run, i_end, device[j])) {
      const uint32_t at = i < i_end ? host_.tokens[host[i].first].begin : byte_behind;
      edits_.push_back({at, at,
                        place(device_, device_.tokens[device[j].first].begin) +
                            device_.slice(device[j].first, device[j].last) + place(host_, at)});
    }
  }
}

// The device's text declares something that the host's declares, too, in another way.
bool Merger::leave_to_host(const std::vector<Item>& host, size_t i, size_t i_end,
                           const Item& device) {
  if (device.kind == Item::kFunction) return false;
  const std::string_view name = device_.name(device);
  if (name.empty()) return false;
  if (device_.renamed.count(name) != 0) return false;
  for (; i < i_end; ++i) {
    if (host[i].kind != device.kind || host_.name(host[i]) != name) continue;
    const bool is_type = device.kind == Item::kGroup || device_.has(device, "typedef") ||
                         device_.has(device, "using") || device_.has(device, "enum");
    const bool is_prototype = host[i].head == device.head;
    if (is_type)
      warn(device_, device);
    else if (!is_prototype)
      device_.renamed.emplace(name);
    return true;
  }
  return false;
}

// The device's body in the host's function, whose parameters may be called differently.
std::string Merger::with_names_of(const Item& host, const Item& device, const std::string& body) const {
  const std::vector<std::string_view> names = host_.parameters(host), others = device_.parameters(device);
  if (names == others || names.size() != others.size()) return body;
  std::string known, inner;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == others[i]) continue;
    const std::string between = "cpu_device_parameter_" + std::to_string(i);
    known += " auto& " + between + " = " + std::string(names[i]) + ";";
    inner += " [[maybe_unused]] auto& " + std::string(others[i]) + " = " + between + ";";
  }
  return "{" + known + " {" + inner + body + " } }";
}

void Merger::merge_pair(const Item& host, const Item& device) {
  const Tokens& tokens = host_.tokens;
  if (host.kind == Item::kGroup) {
    merge(host.body + 1, tokens[host.body].match, device.body + 1,
          device_.tokens[device.body].match);
    return;
  }
  if (host_.hash(host.head_end, host.body - 1, false) !=
      device_.hash(device.head_end, device.body - 1, false))
    warn(device_, device);  // What a constructor initializes.
  const bool only_device = device_.has(device, "__global__") ||
                           (device_.has(device, "__device__") && !device_.has(device, "__host__") &&
                            device_.same_place(device, host_, host));
  const uint32_t body = tokens[host.body].begin, end = tokens[host.last].end;
  if (only_device && host_.parameters(host).size() != device_.parameters(device).size()) {  // Some have no names.
    edits_.push_back({tokens[host.first].begin, end,
                      place(device_, device_.tokens[device.first].begin) +
                          device_.slice(device.first, device.last) + place(host_, end)});
    return;
  }
  const std::string text = with_names_of(host, device, place(device_, device_.tokens[device.body].begin) +
                                                           device_.slice(device.body, device.last));
  if (only_device) {
    edits_.push_back({body, end, text + place(host_, end)});
    return;
  }
  edits_.push_back({body, body,
                    "{ if (::cpu_device::on_device())" +
                        text + " else" + place(host_, body)});
  edits_.push_back({end, end, " }"});
}

// Is there a line with __CUDA_ARCH__ and without __CPU_DEVICE__?
bool file_asks(const std::string& name) {
  std::FILE* file = std::fopen(name.c_str(), "rb");
  if (file == nullptr) return false;
  std::string text;
  char piece[1 << 14];
  while (const size_t count = std::fread(piece, 1, sizeof piece, file)) text.append(piece, count);
  std::fclose(file);
  static constexpr std::string_view kName = "__CUDA_ARCH__";
  for (size_t at = text.find(kName); at != text.npos; at = text.find(kName, at + 1)) {
    const size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string line = text.substr(begin, text.find('\n', at) - begin);
    if (line.find("__CPU_DEVICE__") == line.npos) return true;
  }
  return false;
}

}  // namespace

bool asks_for_architecture(std::string_view preprocessed) {
  std::set<std::string_view> seen;
  for (size_t at = 0; at < preprocessed.size();) {
    size_t end = preprocessed.find('\n', at);
    if (end == preprocessed.npos) end = preprocessed.size();
    const std::string_view line = preprocessed.substr(at, end - at);
    at = end + 1;
    if (line.substr(0, 2) != "# ") continue;
    const size_t quote = line.find('"'), close = line.rfind('"');
    if (quote == line.npos || close == quote) continue;
    const bool is_system = line.find(" 3", close) != line.npos;
    const std::string_view name = line.substr(quote, close + 1 - quote);
    if (!is_system && seen.insert(name).second && file_asks(unquote(name))) return true;
  }
  return false;
}

std::string merge_architectures(std::string_view host, std::string_view device,
                                std::vector<std::string>& warnings) {
  return Merger(host, device, warnings).run();
}

}  // namespace cpu_device
