// Errors in words.
#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>
#include <fstream>

#include "internal.h"

extern char** environ;

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

cudaError_t fail(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t fail(cudaError_t error, Site site, const std::string& what, const std::string& hint,
                 const char* kind) {
  explain(site, what, hint, kind);
  return fail(error);
}

// Runs addr2line on this program. Used only once something has gone wrong, so it may be slow.
Place place_of(const void* program_counter) {
  Dl_info info;
  if (dladdr(program_counter, &info) == 0 || info.dli_fname == nullptr) return {};
  // A return address is one past the call: the line of the call is wanted.
  auto address = reinterpret_cast<uintptr_t>(program_counter) - 1;
  const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
  char executable[4096];
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  if (length <= 0) return {};
  executable[length] = '\0';
  // Position-independent programs are linked at 0; others at the address where they are loaded,
  // which is the 4 MB mark or so, far below where the system puts the former.
  if (base > 0x10000000u) address -= base;
  char text[32];
  snprintf(text, sizeof text, "0x%zx", static_cast<size_t>(address));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char name[] = "addr2line", e[] = "-e";
  char* arguments[] = {name, e, executable, text, nullptr};
  pid_t child = 0;
  const bool started = posix_spawnp(&child, name, &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  if (started) {
    char buffer[512];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) output.append(buffer, got);
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
  const size_t colon = output.rfind(':');
  if (colon == std::string::npos || output[0] == '?') return {};
  return {output.substr(0, colon), atoi(output.c_str() + colon + 1)};
}

}  // namespace cpu_device

const char* cudaGetErrorString(cudaError_t error) {
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
  const cudaError_t broken = cpu_device::device(cpu_device::current_device()).broken;
  return broken != cudaSuccess ? broken : cpu_device::last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  cpu_device::last_error = cudaSuccess;
  return error;
}
