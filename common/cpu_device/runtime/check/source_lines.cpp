// Files, lines and functions of the program's accesses and calls, from its debug information.
#include "source_lines.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

extern char** environ;

namespace cpu_device::check {

namespace {

// addr2line as a process that answers one address after the other.
class LineReader {
 public:
  // The frames at an address, innermost first.
  std::vector<SourcePlace> frames(const void* counter) {
    std::vector<SourcePlace> found;
    Dl_info info;
    if (dladdr(counter, &info) == 0 || info.dli_fbase == nullptr || !start()) return found;
    auto address = reinterpret_cast<uintptr_t>(counter) - 1;
    const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
    if (base > 0x10000000u) address -= base;
    // Each answer begins with its address. The second address is nowhere: its answer ends that of the first.
    fprintf(to_, "0x%zx\n0\n", static_cast<size_t>(address));
    fflush(to_);
    std::string function, file, line;
    bool in_frame = false;
    next_line(&line);  // the address
    while (next_line(&line) && !is_address_zero(line)) {
      if (!in_frame) {
        function = line;
        in_frame = true;
        continue;
      }
      file += line;
      const size_t number = number_at_end(file);
      if (number == std::string::npos) {  // a name with a line end goes on
        file += '\n';
        continue;
      }
      if (file.compare(0, 2, "??") != 0 || number != 3)
        found.push_back({file.substr(0, number - 1), atoi(file.c_str() + number), function});
      file.clear();
      in_frame = false;
    }
    next_line(&line);
    next_line(&line);
    return found;
  }

 private:
  // A line of an answer, of any length, without its end.
  bool next_line(std::string* line) {
    line->clear();
    for (int c = getc(from_); c != EOF; c = getc(from_)) {
      if (c == '\n') return true;
      *line += static_cast<char>(c);
    }
    return false;
  }

  static bool is_address_zero(const std::string& line) {
    return line.compare(0, 2, "0x") == 0 && line.size() > 2 && line.find_first_not_of('0', 2) == std::string::npos;
  }

  // Where the number begins in "FILE:12", "FILE:12 (discriminator 3)" and "??:?".
  static size_t number_at_end(const std::string& text) {
    const size_t colon = text.rfind(':');
    if (colon == std::string::npos) return colon;
    size_t end = colon + 1;
    while (end < text.size() && isdigit(static_cast<unsigned char>(text[end])) != 0) end++;
    const std::string rest = text.substr(end);
    const bool is_end = (end > colon + 1 && rest.empty()) || rest == "?" || rest.compare(0, 15, " (discriminator") == 0;
    return is_end ? colon + 1 : std::string::npos;
  }

  bool start() {
    if (to_ != nullptr) return true;
    char executable[4096];
    const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    int in[2], out[2];
    if (length <= 0 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return false;
    executable[length] = '\0';
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "addr2line", a[] = "-a", f[] = "-f", i[] = "-i", e[] = "-e";
    char* arguments[] = {name, a, f, i, e, executable, nullptr};
    pid_t child = 0;
    const bool started = posix_spawnp(&child, name, &actions, nullptr, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (!started) return false;
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
    return to_ != nullptr && from_ != nullptr;
  }

  FILE *to_ = nullptr, *from_ = nullptr;
};

bool ends_in_own_header(const std::string& file) {
  return file.find("/cpu_device/include/") != std::string::npos ||
         file.find("/cpu_device/libraries/") != std::string::npos ||
         file.find("/include/cccl/") != std::string::npos ||
         file.find("/cpu_device/runtime/") != std::string::npos;
}
bool is_system(const std::string& file) { return file.compare(0, 5, "/usr/") == 0; }

const std::vector<SourcePlace>& frames_of(const void* counter) {
  static auto* reader = new LineReader;  // asked at the very end, too
  static auto* known = new std::map<const void*, std::vector<SourcePlace>>;
  const auto [at, is_new] = known->try_emplace(counter);
  if (is_new) at->second = reader->frames(counter);
  return at->second;
}

}  // namespace

// The name as the compiler was given it: relative to the folder where it ran, if that is this one.
std::string as_compiled(const std::string& file) {
  char here[4096];
  if (getcwd(here, sizeof here) == nullptr) return file;
  const std::string folder = std::string(here) + "/";
  return file.compare(0, folder.size(), folder) == 0 ? file.substr(folder.size()) : file;
}

std::string in_words(Site site) {
  const SourcePlace at = place_of_call(site);
  return format("%s:%d", at.file.c_str(), at.line);
}

SourcePlace place_of_call(Site site) {
  return {site.file == nullptr ? "" : as_compiled(site.file), site.line};
}

bool is_own_header(const Program& p) {
  const Muted quiet;
  const auto& frames = frames_of(p.counter);
  return !frames.empty() && (ends_in_own_header(frames[0].file) || is_system(frames[0].file));
}

namespace {

bool is_users(const SourcePlace& frame) { return !ends_in_own_header(frame.file) && !is_system(frame.file); }

}  // namespace

// The user's line: the innermost that is neither ours nor the system's.
SourcePlace source_place(const Program& p) {
  if (p.counter == nullptr) return place_of_call(p.site);
  const auto& frames = frames_of(p.counter);
  SourcePlace found;
  for (const SourcePlace& frame : frames) {
    if (!is_users(frame)) continue;
    const SourcePlace place{as_compiled(frame.file), frame.line, frame.function};
    if (found.line == 0)
      found = place;
    else
      found.callers.push_back(place);
  }
  return found.line > 0 || frames.empty() ? found : frames[0];
}

// The callers of functions that were not inlined, of an access that is just being made.
void add_callers(SourcePlace* at, const Program& p) {
  constexpr int kMost = 64;
  void* stack[kMost];
  const int depth = backtrace(stack, kMost);
  int i = static_cast<int>(std::find(stack, stack + depth, p.counter) - stack) + 1;
  for (bool known = true; known && i < depth; i++) {
    known = false;
    for (const SourcePlace& frame : frames_of(stack[i])) {
      if (!is_users(frame)) continue;
      at->callers.push_back({as_compiled(frame.file), frame.line, frame.function});
      known = true;
    }
  }
}

// Of an access that is just being made: where the user called what a header of the system does.
SourcePlace users_place(const Program& p) {
  SourcePlace at = source_place(p);
  if (p.counter == nullptr || is_users(at)) return at;
  add_callers(&at, p);
  return at.callers.empty() ? at : at.callers[0];
}

static Site lasting(const SourcePlace& at) {
  static auto* files = new std::set<std::string>;
  return {files->insert(at.file).first->c_str(), at.line};
}
Site lasting_site(const Program& p) {
  const Muted quiet;
  return lasting(source_place(p));
}

Site site_of_caller() {
  const Muted quiet;
  const Guard guard(host_lock());
  constexpr int kMost = 64;
  void* stack[kMost];
  const int depth = backtrace(stack, kMost);
  for (int i = 0; i < depth; i++)
    for (const SourcePlace& frame : frames_of(stack[i]))
      if (is_users(frame)) return lasting({as_compiled(frame.file), frame.line});
  return {"", 0};
}

std::string source_text(const SourcePlace& at) {
  std::ifstream file(at.file);
  std::string line;
  for (int i = 0; i < at.line; i++)
    if (!std::getline(file, line)) return "";
  const size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return "";
  line = line.substr(start, 120);
  const size_t end = line.find_last_not_of(" \t\r");
  return line.substr(0, end + 1);
}

}  // namespace cpu_device::check
