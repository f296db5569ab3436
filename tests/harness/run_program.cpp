#include "run_program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace course {

namespace run_detail {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + strerror(errno));
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  read.reset(ends[0]);
  write.reset(ends[1]);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& string : strings) result.push_back(&string[0]);
  result.push_back(nullptr);
  return result;
}

}  // namespace run_detail

using run_detail::fail;

namespace {

// A file that holds the program's input, and has no name.
int input_file(const std::string& text) {
  if (text.empty()) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  FILE* file = tmpfile();
  if (file == nullptr) fail("tmpfile");
  fwrite(text.data(), 1, text.size(), file);
  rewind(file);
  const int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
  fclose(file);
  return fd;
}

}  // namespace

RunResult run(std::vector<std::string> args, const RunOptions& options) {
  if (args.empty()) throw std::runtime_error("run(): no program");

  // All memory is allocated before fork(): another thread may hold the allocator's lock.
  std::map<std::string, std::string> merged;
  for (char** entry = environ; *entry != nullptr; entry++) {
    const char* const text = *entry;
    const char* const equals = strchr(text, '=');
    if (equals != nullptr) merged[std::string(text, equals)] = equals + 1;
  }
  for (const std::string& name : options.unset) merged.erase(name);
  for (const auto& [name, value] : options.environment) merged[name] = value;
  std::vector<std::string> environment;
  for (const auto& [name, value] : merged) environment.push_back(name + "=" + value);
  const std::vector<char*> argument_pointers = run_detail::pointers(args);
  const std::vector<char*> environment_pointers = run_detail::pointers(environment);

  run_detail::Descriptor input(input_file(options.input));
  if (input.get() < 0) fail("stdin");
  run_detail::Pipe out, err, start;
  const pid_t parent = getpid();
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    setpgid(0, 0);                     // so that its children can be killed along with it
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // and it does not outlive a test that is killed
    if (getppid() != parent) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);  // as in a terminal, whatever the tests were started by:
    signal(SIGINT, SIG_DFL);   // a shell's background job, for one, ignores Ctrl-C
    if (dup2(input.get(), 0) >= 0 && dup2(out.write.get(), 1) >= 0 &&
        dup2(err.write.get(), 2) >= 0 &&
        (options.working_directory.empty() || chdir(options.working_directory.c_str()) == 0))
      execvpe(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    const int problem = errno;
    if (write(start.write.get(), &problem, sizeof problem) < 0) _exit(126);
    _exit(127);
  }
  setpgid(child, child);  // in both processes: whoever comes first
  out.write.reset();
  err.write.reset();
  start.write.reset();

  int problem = 0;
  if (read(start.read.get(), &problem, sizeof problem) == sizeof problem) {
    waitpid(child, nullptr, 0);
    errno = problem;
    fail("cannot run '" + args[0] + "'");
  }

  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  RunResult result;
  pollfd ends[] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
  std::string* texts[] = {&result.out, &result.err};
  bool interrupted = options.interrupt_after_s <= 0;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const double now = elapsed();
    if (now >= options.timeout_s) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      break;
    }
    if (!interrupted && now >= options.interrupt_after_s) {
      interrupted = true;
      kill(-child, SIGINT);
    }
    double wait_s = options.timeout_s - now;
    if (!interrupted) wait_s = std::min(wait_s, options.interrupt_after_s - now);
    if (poll(ends, 2, static_cast<int>(std::min(wait_s, 3600.0) * 1000) + 1) < 0 && errno != EINTR)
      fail("poll");
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t bytes = read(ends[i].fd, buffer, sizeof buffer);
      if (bytes > 0) texts[i]->append(buffer, static_cast<size_t>(bytes));
      if (bytes == 0 || (bytes < 0 && errno != EINTR)) ends[i].fd = -1;
    }
  }
  // It may have closed its output and go on: the time limit holds all the same.
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!result.timed_out && elapsed() >= options.timeout_s) {
      result.timed_out = true;
      kill(-child, SIGKILL);
    }
    usleep(500);
  }
  result.elapsed_s = elapsed();
  result.signalled = WIFSIGNALED(status);
  if (result.signalled) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

bool on_cpu_device() {
  const char* device = getenv("COURSE_DEVICE");
  return device != nullptr && std::string(device) == "cpu";
}

std::string program_path() {
  const char* path = getenv("COURSE_PROGRAM");
  if (path == nullptr || *path == '\0')
    throw std::runtime_error("COURSE_PROGRAM is not set: run this test with ctest");
  return path;
}

RunResult run_program(const std::vector<std::string>& args, const RunOptions& options) {
  std::vector<std::string> all = {program_path()};
  all.insert(all.end(), args.begin(), args.end());
  return run(all, options);
}

int count_lines(const std::string& text) {
  const auto breaks = std::count(text.begin(), text.end(), '\n');
  return static_cast<int>(breaks) + (!text.empty() && text.back() != '\n');
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

TemporaryFolder::TemporaryFolder() {
  const char* parent = getenv("TMPDIR");
  path_ = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/course_XXXXXX";
  if (mkdtemp(&path_[0]) == nullptr) fail("mkdtemp " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace course
