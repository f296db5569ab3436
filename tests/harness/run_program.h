// Runs programs the way a user does, and keeps what they did: for tests.
//
//   course::TemporaryFolder folder;
//   course::RunOptions options;
//   options.working_directory = folder.path();
//   const course::RunResult result = course::run_program({"--size", "abc"}, options);
//   CHECK(result.exit_code == 2);
//   CHECK(course::count_lines(result.err) == 1);
//
// What takes no template is compiled once, in run_program.cpp.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

namespace course {

struct RunOptions {
  double timeout_s = 60;
  std::string working_directory;                   // empty: the caller's
  std::string input;                               // what the program reads from stdin
  std::map<std::string, std::string> environment;  // set in addition to the caller's
  std::vector<std::string> unset;                  // removed from the caller's
  double interrupt_after_s = 0;                    // 0: never; otherwise Ctrl-C (SIGINT) by then
};

struct RunResult {
  int exit_code = -1;      // -1 if it ended by a signal
  std::string out, err;    // all of stdout and stderr
  bool signalled = false;  // ended by `signal`: a crash, or the kill after a timeout
  int signal = 0;
  bool timed_out = false;
  double elapsed_s = 0;
};

namespace run_detail {

// Throws std::runtime_error with errno's message.
[[noreturn]] void fail(const std::string& what);

// Closes a file descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
  Pipe();
};

// What exec() wants: pointers into the strings, and a null pointer.
std::vector<char*> pointers(std::vector<std::string>& strings);

}  // namespace run_detail

// Runs args[0] (searched for in PATH if it has no slash) without a shell, waits for its end, and
// kills it and its children after the time limit. Throws std::runtime_error if it cannot start.
RunResult run(std::vector<std::string> args, const RunOptions& options = {});

// Whether this build's kernels run on the CPU device, as ctest says.
bool on_cpu_device();

// The executable under test: ctest puts its path into COURSE_PROGRAM.
std::string program_path();

// Runs the executable under test.
RunResult run_program(const std::vector<std::string>& args, const RunOptions& options = {});

// Lines of text; a last one without a line break counts.
int count_lines(const std::string& text);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The whole file; throws if it cannot be read.
std::string read_file(const std::string& path);
void write_text(const std::string& path, const std::string& text);

// A new, empty folder that is removed with all that it holds at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  // The path of a file in the folder.
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // The names of what is in the folder, sorted.
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

// What work() writes to this process's stdout or stderr.
template <typename Work>
std::string written_to(FILE* stream, const Work& work) {
  const TemporaryFolder folder;
  const std::string path = folder.file("written");
  fflush(stream);
  const int before = dup(fileno(stream));
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, fileno(stream));
  close(file);
  work();
  fflush(stream);
  dup2(before, fileno(stream));
  close(before);
  return read_file(path);
}
template <typename Work>
std::string messages_of(const Work& work) {
  return written_to(stderr, work);
}

}  // namespace course
