// The findings as a SARIF 2.1.0 file, of a program and of the processes that it forks.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "findings.h"
#include "source_lines.h"
#include "sarif.h"
#include "whole_file.h"

namespace cpu_device::check {

namespace {

const char* report_file() {
  static const char* path = getenv("CPU_DEVICE_REPORT");
  return path != nullptr && *path != '\0' ? path : nullptr;
}

// How many bytes the UTF-8 character at this place has; 0 if there is none. Neither longer forms than needed, nor
// surrogates, nor what is beyond Unicode.
size_t utf8_length(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xc2 && first < 0xe0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool is_wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return is_wrong ? 0 : length;
}

// A name may have any bytes, but JSON is UTF-8: a byte that belongs to no character becomes U+FFFD.
std::string as_utf8(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text, i);
    out += length == 0 ? "\xef\xbf\xbd" : text.substr(i, length);
    i += std::max<size_t>(1, length);
  }
  return out;
}

// A path as the reference that RFC 3986 describes. A name with other bytes than UTF-8 is whole in it.
std::string uri(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (isalnum(byte) != 0 || strchr("-._~/", c) != nullptr))
      out += c;
    else
      out += format("%%%02X", byte);
  }
  return out;
}

std::string json(const std::string& text) {
  std::string out = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += format("\\u%04x", c);
    else
      out += c;
  }
  return out + "\"";
}

std::string location(const SourcePlace& at, const std::string& more) {
  return "{\"physicalLocation\": {\"artifactLocation\": {\"uri\": " + json(uri(at.file)) +
         "}, \"region\": {\"startLine\": " + std::to_string(std::max(1, at.line)) + "}}" + more +
         "}";
}

// One element of `results`.
std::string result(const Finding& f) {
  std::string text = "\n      {\"ruleId\": " + json(f.kind) + ", \"level\": " + json(f.level) +
                     ", \"message\": {\"text\": " +
                     json(f.title + f.details + (f.hint.empty() ? "" : "\nhint: " + f.hint)) +
                     "}, \"occurrenceCount\": " + std::to_string(f.count) +
                     ",\n       \"locations\": [" +
                     (f.place.line > 0 ? location(f.place, "") : std::string()) +
                     "],\n       \"relatedLocations\": [";
  std::vector<Second> others = f.others;
  for (const Finding& one : f.joined) {
    others.push_back({one.place, "access", "the same array"});
    others.insert(others.end(), one.others.begin(), one.others.end());
  }
  for (size_t i = 0; i < others.size(); i++) {
    const Second& other = others[i];
    text += std::string(i == 0 ? "" : ", ") +
            location(other.place, ", \"id\": " + std::to_string(i + 1) +
                                      ", \"message\": {\"text\": " + json(other.words) +
                                      "}, \"properties\": {\"role\": " + json(other.role) + "}");
  }
  return text + "]}";
}

// ---- processes that the program forks ----
//
// A child has a copy of everything, so what it finds would be lost: its numbers go into memory that
// all share, its findings into a file without a name.

struct Family {
  std::atomic<uint64_t> findings{0}, launches{0}, accesses{0};
};
Family* family = nullptr;
int found_by_children = -1;
bool child = false;
size_t inherited_launches = 0, inherited_accesses = 0;

void after_fork() {
  child = true;
  inherited_launches = launches_checked;
  inherited_accesses = accesses_checked;
}

std::string results_of_children() {
  std::string text;
  struct stat status;
  if (found_by_children < 0 || fstat(found_by_children, &status) != 0) return text;
  text.resize(static_cast<size_t>(status.st_size));
  const ssize_t got = pread(found_by_children, &text[0], text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return text;
}

}  // namespace

void begin_family() {
  void* shared =
      mmap(nullptr, sizeof(Family), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  family = new (shared) Family;
  if (report_file() != nullptr) found_by_children = memfd_create("findings", MFD_CLOEXEC);
  fcntl(found_by_children, F_SETFL, O_APPEND);  // or two children that write at once would write to the same place
  pthread_atfork(nullptr, nullptr, after_fork);
}

bool is_child() { return child; }

void child_found(const Finding& finding) {
  if (family == nullptr) return;
  if (is_error(finding)) family->findings++;
  if (found_by_children < 0) return;
  const std::string text = result(finding) + ",";
  if (write(found_by_children, text.data(), text.size()) < 0) return;  // then the file lacks it
}

void count_child() {
  if (family == nullptr) return;
  family->launches += launches_checked - inherited_launches;
  family->accesses += accesses_checked - inherited_accesses;
  after_fork();
}

Totals totals_of_children() {
  if (family == nullptr || child) return {};
  return {family->findings, family->launches, family->accesses};
}

void write_report(const std::vector<Finding>& findings) {
  const char* path = report_file();
  if (path == nullptr) return;
  std::string text =
      "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": "
      "\"2.1.0\",\n"
      "  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": \"CPU device\", \"rules\": [";
  for (const Kind& kind : kinds())
    text += std::string(&kind == &kinds().front() ? "" : ", ") +
            "\n      {\"id\": " + json(kind.id) +
            ", \"shortDescription\": {\"text\": " + json(kind.about) + "}}";
  text += "]}},\n    \"results\": [";
  std::string results = results_of_children();
  // A child's own are among those already.
  if (!child)
    for (const Finding& f : findings) results += result(f) + ",";
  if (!results.empty()) results.pop_back();
  text += results + "]\n  }]\n}\n";
  write_whole_file(path, text);
}

void check_report_file() {
  const char* path = report_file();
  if (path == nullptr) return;
  struct stat status;
  const bool exists = stat(path, &status) == 0;
  int error = 0;
  if (exists && S_ISDIR(status.st_mode)) {
    error = EISDIR;
  } else if (exists && !S_ISREG(status.st_mode)) {
    if (access(path, W_OK) != 0) error = errno;
  } else {
    const std::string partial = path + format(".%d.partial", static_cast<int>(getpid()));
    FILE* file = fopen(partial.c_str(), "w");
    if (file == nullptr) error = errno;
    if (file != nullptr) fclose(file);
    unlink(partial.c_str());
  }
  if (error == 0) return;
  fprintf(stderr, "CPU device: CPU_DEVICE_REPORT: cannot write '%s': %s\n", path, strerror(error));
  _exit(2);
}

}  // namespace cpu_device::check
