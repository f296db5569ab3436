#include "beginnings.h"

#include <sys/stat.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "headers.h"
#include "words.h"

namespace cpu_device {
namespace {

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
std::string_view first_word(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  size_t end = begin;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// Takes the first line, with its line break, off the text.
std::string_view take_line(std::string_view& text) {
  const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, size);
  text.remove_prefix(size);
  return line;
}

// ---- the source as people write it ----

struct SourceReader {
  std::string_view text;
  size_t at = 0;
  unsigned line = 1;

  void skip(size_t end) {
    for (; at < end; ++at) line += text[at] == '\n';
  }
  // Blanks and comments.
  void skip_blank() {
    while (at < text.size()) {
      if (starts_with(text.substr(at), "/*")) {
        const size_t end = text.find("*/", at + 2);
        skip(end == text.npos ? text.size() : end + 2);
      } else if (starts_with(text.substr(at), "//")) {
        skip_line();
      } else if (std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
        skip(at + 1);
      } else {
        return;
      }
    }
  }
  // With those that a backslash joins to it, and with comments that begin in it.
  void skip_line() {
    for (; at < text.size(); skip(at + 1)) {
      if (text[at] == '\n' && text[at - 1] != '\\' && !(text[at - 1] == '\r' && text[at - 2] == '\\')) break;
      if (starts_with(text.substr(at), "/*") && text.find("*/", at) < text.size()) skip(text.find("*/", at) + 1);
    }
    skip(std::min(at + 1, text.size()));
  }
};

// Does the text ask for what only a whole file has?
bool needs_whole_file(std::string_view text) {
  for (const std::string_view word : {"include", "__COUNTER__", "__BASE_FILE__", "__TIMESTAMP__", "__INCLUDE_LEVEL__", "import"})
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      if (word[0] == '_') return true;
      // `# include`, `__has_include`; a comment may say it.
      size_t before = at;
      while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
      if (before > 0 && (text[before - 1] == '#' || text[at - 1] == '_' || text[before - 1] == '/' || text[before - 1] == ':'))
        return true;
    }
  return false;
}

// ---- line markers: # 12 "dot.cu" 2 3 ----

constexpr std::string_view kCommandLine = "\"<command-line>\"";

struct Marker {
  unsigned line = 0;
  std::string_view file;  // with its quotes
  bool is_system = false;
};
bool read_marker(std::string_view line, Marker& marker) {
  if (!starts_with(line, "# ") || line.size() < 3 || line[2] < '0' || line[2] > '9') return false;
  marker.line = 0;
  for (size_t i = 2; i < line.size() && line[i] >= '0' && line[i] <= '9'; ++i)
    marker.line = marker.line * 10 + static_cast<unsigned>(line[i] - '0');
  const size_t quote = line.find('"'), last = line.rfind('"');
  if (quote == line.npos || last == quote) return true;
  marker.file = line.substr(quote, last + 1 - quote);
  marker.is_system = line.find('3', last) != line.npos;
  return true;
}

// What the first marker of preprocessed text names: the source.
std::string_view source_of(std::string_view text) {
  Marker marker;
  if (text.empty() || !read_marker(take_line(text), marker)) return {};
  return marker.file;
}

std::string marker_of_following(std::string_view source, unsigned line) {
  return "# " + std::to_string(line) + " " + std::string(source) + (line > 1 ? " 2\n" : "\n");
}

// ---- files ----

std::string state_of(const std::string& path) {
  struct stat state;
  if (stat(path.c_str(), &state) != 0) return "none";
  char text[96];
  std::snprintf(text, sizeof text, "%jd:%jd.%09ld:%ju", static_cast<intmax_t>(state.st_size),
                static_cast<intmax_t>(state.st_mtim.tv_sec), state.st_mtim.tv_nsec, static_cast<uintmax_t>(state.st_ino));
  return text;
}

std::string real_path(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  const std::string found = real ? real : path;
  std::free(real);
  return found;
}

bool says_once(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (starts_with(line, "#pragma once")) return true;
  return false;
}

std::string list_for_make(const std::set<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) {
    if (path.find_first_of(" \t#$:%") != path.npos) return {};
    list += " \\\n " + path;
  }
  return list + "\n";
}

std::string list_files(const std::set<std::string>& paths, const std::vector<std::string>& folders) {
  std::set<std::string> all = paths;
  // What would be found first if it were there.
  for (const std::string& path : paths)
    for (const std::string& folder : folders) all.insert(folder + "/" + path.substr(path.rfind('/') + 1));
  std::string list;
  for (const std::string& path : all) list += state_of(path) + " " + path + "\n";
  return list;
}

}  // namespace

Beginning beginning_of(std::string_view text) {
  SourceReader source{text};
  Beginning found;
  found.line = 1;
  int depth = 0;
  bool includes = false;
  for (;;) {
    source.skip_blank();
    if (source.at == text.size() || text[source.at] != '#') break;
    const size_t begin = source.at;
    source.skip_line();
    const std::string_view name = first_word(text.substr(begin + 1));
    if (starts_with(name, "if")) ++depth;
    if (name == "endif") --depth;
    if (name == "include" || name == "include_next") includes = true;
    if (name == "pragma" || name == "line" || depth < 0) break;
    if (includes && depth == 0 && (name == "endif" || starts_with(name, "include"))) {
      found = {source.at, source.line};
      includes = false;
    }
  }
  if (needs_whole_file(text.substr(found.end))) return {};
  return found;
}

std::string name_of_beginning(std::string_view text, std::string_view salt) {
  char name[20];
  std::snprintf(name, sizeof name, "%016" PRIx64, hash_of(text, hash_of(salt, 0)));
  return name;
}

KnownBeginning learn_beginning(std::string_view text, Beginning beginning, unsigned last_line,
                               const std::vector<std::string>& folders) {
  const std::string_view source = source_of(text);
  // Of the command line and the compiler; of what was read since, `of_system` also that of the system's headers.
  std::map<std::string_view, std::string_view> initial, macros;
  std::set<std::string_view> of_compiler, of_system, all_macros;
  std::set<std::string> files;
  std::string_view our_headers;  // the folder of cuda_runtime.h
  std::string own;
  Marker here;
  bool in_source = false, keeps = true;
  unsigned entered = 0;  // where the source went on after its last #include
  while (!text.empty() && !(in_source && here.file == source && here.line >= beginning.line)) {
    const std::string_view line = take_line(text);
    const std::string_view before = here.file;
    if (read_marker(line, here)) {
      if (here.file.size() < 2 || here.file.find('\\') != std::string_view::npos) return {};
      in_source |= here.file == kCommandLine;
      if (in_source && here.file == source && before != source) entered = here.line;
      const size_t name = here.file.find("/cuda_runtime.h\"");
      const bool is_first = our_headers.empty() && name != std::string_view::npos;
      if (is_first) our_headers = here.file.substr(0, name + 1);
      const bool is_file = here.file[1] != '<';
      keeps = is_file && !here.is_system && (our_headers.empty() || !starts_with(here.file, our_headers));
      const bool ends = in_source && here.file == source && here.line >= beginning.line;
      if ((keeps || is_first || (!is_file && here.file != before)) && !ends) own += line;
      const std::string path(here.file.substr(1, here.file.size() - 2));
      if (is_file && !path.empty() && path.back() != '/' && here.file != source) files.insert(path);
      continue;
    }
    ++here.line;
    const bool defines = starts_with(line, "#define ");
    if (!defines && !starts_with(line, "#undef ")) {
      if (keeps) own += line;
      continue;
    }
    if (keeps) own += '\n';
    const std::string_view name = first_word(line.substr(line.find(' ')));
    all_macros.insert(name);
    of_system.erase(name);
    macros.erase(name);
    if (defines) macros[name] = line;
    if (defines && here.is_system) of_system.insert(name);
    if (here.file != "\"<built-in>\"" && here.file != kCommandLine) continue;
    initial.erase(name);
    if (defines) initial[name] = line;
    if (here.file != kCommandLine) of_compiler.insert(name);
  }
  if (our_headers.empty() || entered != last_line) return {};
  std::string undefined, system, program, once;
  for (const auto& [name, line] : initial)
    if (macros.count(name) == 0 || macros[name] != line) undefined += "#undef " + std::string(name) + "\n";
  for (const auto& [name, line] : macros) {
    const auto same = initial.find(name);
    // The compiler takes no second definition of some.
    if (of_compiler.count(name) != 0 && same != initial.end() && same->second == line) continue;
    (of_system.count(name) != 0 ? system : program) += line;
  }
  if (beginning.end == 0) {
    for (const std::string& path : files)
      if (says_once(path)) once += "#include \"" + real_path(path) + "\"\n";
    for (const std::string_view name : all_macros)
      if (macros.count(name) == 0) once += "#undef " + std::string(name) + "\n";
  }
  return {undefined + "# 1 \"macros of the system\" 3\n" + system + "# 1 \"macros of the program\"\n" + program + once, own,
          list_files(files, folders), list_for_make(files)};
}

unsigned line_of_marker(std::string_view text) {
  Marker marker;
  return text.empty() || !read_marker(take_line(text), marker) ? 0 : marker.line;
}

bool is_unchanged(std::string_view files) {
  while (!files.empty()) {
    std::string_view line = take_line(files);
    line.remove_suffix(1);
    const size_t blank = line.find(' ');
    if (blank == line.npos || state_of(std::string(line.substr(blank + 1))) != line.substr(0, blank)) return false;
  }
  return true;
}

std::string join_beginning(std::string_view own, std::string_view following, unsigned line) {
  const std::string_view source = source_of(own);
  Marker marker;
  while (!following.empty())
    if (read_marker(take_line(following), marker) && marker.line == line && marker.file == source)
      return std::string(own) + marker_of_following(source, line) + std::string(following);
  return {};
}

std::string join_command_line(std::string_view own, std::string_view following) {
  const std::string source(source_of(following));
  take_line(own);  // It names the other source.
  return join_beginning("# 0 " + source + "\n" + std::string(own), following, 1);
}

std::string replace_beginning(std::string_view rewritten, unsigned line, std::string_view precompiled) {
  const std::string_view source = source_of(rewritten);
  std::string_view rest = rewritten;
  Marker marker;
  while (!rest.empty()) {
    const std::string_view one = take_line(rest);
    if (!read_marker(one, marker) || marker.file != kCommandLine) continue;
    const size_t begin = static_cast<size_t>(one.data() - rewritten.data());
    const size_t end = rewritten.find("\n" + marker_of_following(source, line), begin);
    if (end == rewritten.npos) return {};
    return std::string(rewritten.substr(0, begin)) + "#pragma GCC pch_preprocess \"" + std::string(precompiled) + "\"" +
           std::string(rewritten.substr(end));
  }
  return {};
}

}  // namespace cpu_device
