// What a checked run did not cover: kernels that were never launched, and lines of kernels that no
// thread came to. The rewriter puts the marks.
#include <algorithm>
#include <map>

#include "coverage.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

struct Marks {
  const unsigned char* reached;
  const Mark* marks;
  unsigned count;
};
std::vector<Marks>& all_marks() {
  static auto* all = new std::vector<Marks>;
  return *all;
}

struct Body {
  std::string file, kernel;
  int first_line, last_line;
  bool operator<(const Body& other) const {
    return std::tie(file, first_line, last_line, kernel) <
           std::tie(other.file, other.first_line, other.last_line, other.kernel);
  }
};
// Whether it was reached, of the kernels and of their bodies: a header's stand in several files.
using Reached = std::map<Body, bool>;

constexpr size_t kMostNamed = 4;  // of each kind

std::string short_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string lines(const Body& body) {
  return body.first_line == body.last_line
             ? format("line %d", body.first_line)
             : format("lines %d to %d", body.first_line, body.last_line);
}

// `if (i >= n) return;`, which only some sizes come to.
bool is_guard(const Body& body) {
  if (body.first_line != body.last_line) return false;
  const std::string text = source_text({body.file, body.first_line});
  return text.find("return;") != std::string::npos;
}

// "a, b, c and 3 more"
std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < std::min(words.size(), kMostNamed); i++)
    text += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kMostNamed) text += format(" and %zu more", words.size() - kMostNamed);
  return text;
}

}  // namespace

std::string not_covered() {
  Reached kernels, bodies;
  for (const Marks& file : all_marks())
    for (unsigned i = 0; i < file.count; i++) {
      const Mark& mark = file.marks[i];
      const Body body{mark.file, mark.kernel, mark.first_line, mark.last_line};
      (mark.is_kernel ? kernels : bodies)[body] |= file.reached[i] != 0;
    }
  std::vector<std::string> never_launched, never_reached;
  std::vector<Body> idle;
  for (const auto& [kernel, reached] : kernels) {
    if (reached) continue;
    idle.push_back(kernel);
    // A header also has kernels for other programs.
    const size_t length = kernel.file.size();
    if (length < 3 || kernel.file.compare(length - 3, 3, ".cu") != 0) continue;
    never_launched.push_back(format("%s (%s:%d)", kernel.kernel.c_str(),
                                    short_name(kernel.file).c_str(), kernel.first_line));
  }
  const Body* last = nullptr;
  std::map<std::string, size_t> more;  // bodies of a function beyond the first
  for (const auto& [body, reached] : bodies) {
    const auto holds = [&body = body](const Body& kernel) {
      return kernel.file == body.file && kernel.first_line <= body.first_line &&
             body.last_line <= kernel.last_line;
    };
    if (reached || std::any_of(idle.begin(), idle.end(), holds)) continue;
    if (last != nullptr && last->file == body.file && body.last_line <= last->last_line) continue;
    last = &body;
    if (is_guard(body)) continue;
    const std::string where = body.kernel + " (" + short_name(body.file) + ")";
    if (more.count(where) != 0) {
      more[where]++;
      continue;
    }
    more[where] = 0;
    never_reached.push_back(lines(body) + " of " + where);
  }
  for (std::string& text : never_reached)
    if (const size_t count = more[text.substr(text.find(" of ") + 4)]; count > 0)
      text += format(" and %zu more %s there", count, count == 1 ? "place" : "places");
  std::string text;
  if (!never_launched.empty())
    text += "  not covered, never launched: " + list(never_launched) + "\n";
  if (!never_reached.empty()) text += "  not covered, never reached: " + list(never_reached) + "\n";
  return text;
}

}  // namespace cpu_device::check

namespace cpu_device {

void reached(unsigned char* mark) { *mark = 1; }

bool tell_marks(const unsigned char* reached, const Mark* marks, unsigned count) {
  check::all_marks().push_back({reached, marks, count});
  return true;
}

}  // namespace cpu_device
