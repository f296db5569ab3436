// Errors in words: messages, source lines, CUDA's names of errors.
#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <vector>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "error_messages.h"

namespace cpu_device {

std::string format(const char* text, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

std::string in_words(dim3 index) { return format("(%u,%u,%u)", index.x, index.y, index.z); }

static std::string source_line(Site site) {
  std::ifstream file(site.file);
  std::string line;
  for (int i = 0; i < site.line; i++)
    if (!std::getline(file, line)) return "";
  const size_t start = line.find_first_not_of(" \t");
  return start == std::string::npos ? "" : line.substr(start, 160);
}

void explain(Site site, const std::string& what, const std::string& hint, const char* kind) {
  if (check::on) {
    check::explained(kind, site, what, hint);
    return;
  }
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> guard(one_at_a_time);
  std::string text;
  if (site.file != nullptr && site.line > 0) {
    text = format("%s:%d: ", site.file, site.line);
    text += "CPU device: " + what + "\n";
    const std::string line = source_line(site);
    if (!line.empty()) text += format("  %5d | ", site.line) + line + "\n";
  } else {
    text = "CPU device: " + what + "\n";
  }
  if (!hint.empty()) text += "  hint: " + hint + "\n";
  fflush(stdout);
  fwrite(text.data(), 1, text.size(), stderr);
}

static thread_local cudaError_t last_error = cudaSuccess;

// Of a kernel; not once the program has asked what went wrong.
static std::mutex failure_lock;
static Site failure{nullptr, 0};
void note_failure(Site site) {
  const std::lock_guard<std::mutex> guard(failure_lock);
  failure = site;
}
Site unnoticed_failure() {
  const std::lock_guard<std::mutex> guard(failure_lock);
  return failure;
}
static void note_asked(cudaError_t error) {
  if (error != cudaSuccess) note_failure({nullptr, 0});
}

cudaError_t fail(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  if (error != cudaSuccess && error != cudaErrorNotReady) check::call_failed();
  return error;
}

cudaError_t fail(cudaError_t error, Site site, const std::string& what, const std::string& hint,
                 const char* kind) {
  explain(site, what, hint, error == cudaErrorNotSupported ? "unsupported" : kind);
  return fail(error);
}

cudaError_t refuse_flags(const char* function, unsigned int flags, const char* allowed, Site site) {
  return fail(cudaErrorInvalidValue, site, format("%s: the flags are %u, but must be %s", function, flags, allowed));
}

static std::string& remembered_path() {
  static auto* path = new std::string;
  return *path;
}
void remember_path() {
  const char* path = getenv("PATH");
  remembered_path() = path == nullptr ? "" : path;
}

// What a command prints, without a shell; empty if it cannot be run.
static std::string output_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  char* no_environment[] = {nullptr};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  bool started = false;
  std::istringstream folders(remembered_path() + ":/usr/bin");
  for (std::string folder; !started && std::getline(folders, folder, ':');)
    started = posix_spawn(&child, (folder + "/" + words[0]).c_str(), &actions, nullptr,
                          arguments.data(), no_environment) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  if (started) {
    char buffer[4096];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) output.append(buffer, got);
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
  return output;
}

// Whether the file is one of the device's own or of the system's, where no learner looks.
static bool is_foreign(const std::string& file) {
  for (const char* part : {"/cpu_device/include/", "/cpu_device/runtime/", "/usr/include/", "/usr/lib/"})
    if (file.find(part) != std::string::npos) return true;
  return file.empty() || file[0] == '?';
}

// As it was given to the compiler: debug information holds the folder where that ran, and addr2line
// puts it before the name.
static std::string as_compiled(const std::string& executable, const std::string& file) {
  std::istringstream units(output_of({"readelf", "--debug-dump=info", "--dwarf-depth=1", executable}));
  std::string folder, name;
  for (std::string line; std::getline(units, line);) {
    const size_t colon = line.rfind(": ");
    if (colon == std::string::npos) continue;
    const std::string value = line.substr(colon + 2, line.find_last_not_of(' ') - colon - 1);
    if (line.find("DW_AT_name") != std::string::npos) name = value;
    if (line.find("DW_AT_comp_dir") == std::string::npos || is_foreign(name)) continue;
    if (file.compare(0, value.size() + 1, value + "/") == 0 && value.size() >= folder.size())
      folder = value + "/";
  }
  return file.substr(folder.size());
}

Place place_of(const void* const* program_counters, int count) {
  char executable[4096];
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  if (length <= 0) return {};
  executable[length] = '\0';
  std::vector<std::string> command{"addr2line", "-i", "-e", executable};
  for (int i = 0; i < count; i++) {
    Dl_info info;
    if (dladdr(program_counters[i], &info) == 0 || info.dli_fname == nullptr) continue;
    struct stat of_object, of_executable;
    if (stat(info.dli_fname, &of_object) == 0 && stat(executable, &of_executable) == 0 &&
        of_object.st_ino != of_executable.st_ino)
      continue;  // a library
    // A return address is one past the call: the line of the call is wanted.
    auto address = reinterpret_cast<uintptr_t>(program_counters[i]) - 1;
    const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
    // Position-independent programs are linked at 0; others at the address where they are loaded,
    // which is the 4 MB mark or so, far below where the system puts the former.
    if (base > 0x10000000u) address -= base;
    command.push_back(format("0x%zx", static_cast<size_t>(address)));
  }
  if (command.size() == 4) return {};
  // Innermost first. The first that is the learner's; else the first that is known at all.
  std::istringstream output(output_of(std::move(command)));
  Place first;
  for (std::string line; std::getline(output, line);) {
    const size_t colon = line.rfind(':');
    if (colon == std::string::npos || line[0] == '?') continue;
    const Place here{line.substr(0, colon), atoi(line.c_str() + colon + 1)};
    if (here.line == 0) continue;  // of what has no debug information, only the symbols' file is known
    if (!is_foreign(here.file)) return {as_compiled(executable, here.file), here.line};
    if (first.file.empty()) first = here;
  }
  return first;
}

}  // namespace cpu_device

const char* cudaGetErrorString(cudaError_t error) {
  cpu_device::note_asked(error);
  switch (error) {
#define CPU_DEVICE_ERROR(name, value, text) \
  case name:                                \
    return text;
    CPU_DEVICE_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorName(cudaError_t error) {
  cpu_device::note_asked(error);
  switch (error) {
#define CPU_DEVICE_ERROR(name, value, text) \
  case name:                                \
    return #name;
    CPU_DEVICE_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
  }
  return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() {
  cpu_device::check::error_asked();
  cpu_device::calls::asked();
  const cudaError_t error = cpu_device::last_error;
  cpu_device::note_asked(error);
  return error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  cpu_device::last_error = cudaSuccess;
  return error;
}
