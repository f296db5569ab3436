// Options on the command line, parsed by the C library's getopt_long.
//
//   long long size = 10;
//   course::Options options("Adds two vectors, one block per element.");
//   options.number("size", &size, 0, 1000, "elements");
//   options.parse(argc, argv);
//
// Anything wrong ends the program with exit code 2 and one line on stderr; --help prints the
// options and their defaults and ends with 0.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <list>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace course {

// Exit codes of all programs. 0: the result was verified.
constexpr int kExitWrong = 1;     // the result is wrong, or a CUDA call failed
constexpr int kExitUsage = 2;     // the command line requires something impossible
constexpr int kExitSkipped = 77;  // the machine lacks something, such as a second GPU

// Ends the program because of its command line: one line on stderr, exit code 2.
[[noreturn]] inline void bad_usage(const std::string& message) {
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, message.c_str());
  exit(kExitUsage);
}

// Ends the program because the machine lacks something: one line on stdout, exit code 77.
[[noreturn]] inline void skip(const std::string& reason) {
  printf("skipped: %s\n", reason.c_str());
  fflush(stdout);
  exit(kExitSkipped);
}

// Options::parse() calls this first. If output is lost (a full disk, a closed pipe), the program
// prints one line about it at its end, and its exit code is not 0.
inline void watch_output() {
  static bool watched = false;
  if (watched) return;
  watched = true;
  signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes an error of printf()
  signal(SIGXFSZ, SIG_IGN);  // and so does the limit on the size of files (ulimit -f)
  const auto check = [](int status, void*) {
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (!lost || status != 0) return;
    fprintf(stderr, "%s: the output could not be written: %s\n", program_invocation_short_name,
            errno != 0 ? strerror(errno) : "the disk is full, or the pipe is closed");
    fflush(stderr);
    _exit(kExitWrong);
  };
  on_exit(check, nullptr);
}

// "1 step", "2 steps": a number and what is counted, whose plural takes an s.
inline std::string count_of(long long number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// What the command line says about pictures. Options::picture() and Options::animation() fill it.
struct PictureRequest {
  std::string save;  // file to write; empty: a window, or the program's name without a display
  int frames = 0;    // frames of an animation; 0: the program's default
};

inline PictureRequest& picture_request() {
  static PictureRequest request;
  return request;
}

// The name under which write_file() writes a file before it has its own.
inline std::string temporary_name(const std::string& path) {
  return path + ".part" + std::to_string(getpid());
}

class Options {
 public:
  explicit Options(std::string purpose) : purpose_(std::move(purpose)) {}

  // A whole number, `low` to `high` inclusive; `*value` is the default.
  template <typename Integer>
  Options& number(const char* name, Integer* value, long long low, long long high,
                  const char* help) {
    return add_number(name, static_cast<long long>(*value), low, high, help, value,
                      [](void* place, long long parsed) {
                        *static_cast<Integer*>(place) = static_cast<Integer>(parsed);
                      });
  }

  // A real number, `low` to `high` inclusive; `*value` is the default.
  template <typename Real>
  Options& real(const char* name, Real* value, double low, double high, const char* help) {
    return add_real(name, *value, low, high, help, value, [](void* place, double parsed) {
      *static_cast<Real*>(place) = static_cast<Real>(parsed);
    });
  }

  // Any text but the empty one; `*value` is the default.
  Options& text(const char* name, const char* placeholder, std::string* value, const char* help) {
    return add(name, placeholder, help, [=](const char* text) {
      if (*text == '\0') bad_usage("--" + std::string(name) + " needs a value; try --help");
      *value = text;
    });
  }

  // A file that the program will write; refused at once if that is impossible.
  Options& output(const char* name, std::string* value, const char* help) {
    return add(name, "FILE", help, [=](const char* text) {
      if (*text == '\0') bad_usage("--" + std::string(name) + " needs a value; try --help");
      require_writable(text);
      *value = text;
    });
  }

  // One of several words; `*value` is the default.
  Options& choice(const char* name, std::string* value, const std::vector<std::string>& words,
                  const char* help) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : "|") + word;
    return add(
        name, list.c_str(), std::string(help) + " (default " + *value + ")", [=](const char* text) {
          for (const std::string& word : words)
            if (word == text) {
              *value = word;
              return;
            }
          bad_usage("--" + std::string(name) + " must be one of " + list + ", not '" + text + "'");
        });
  }

  // An option without a value.
  Options& flag(const char* name, bool* value, const char* help) {
    return add(name, "", help, [=](const char*) { *value = true; });
  }

  // --save FILE, for programs that draw a still picture.
  Options& picture() {
    return add("save", "FILE", "write the picture (.png) instead of opening a window",
               [](const char* text) { request_file(text, {".png"}); });
  }

  // --save FILE and --frames N, for programs that draw an animation.
  Options& animation() {
    add("save", "FILE", "write the animation (.webp) or its last frame (.png), without a window",
        [](const char* text) {
          request_file(text, {".webp", ".png"});
        });
    return number("frames", &picture_request().frames, 0, 1000000,
                  "frames to draw, 0: until the window is closed, or the default for a file");
  }

  void parse(int argc, char** argv) {
    watch_output();
    // From here on a size that the memory does not hold is no crash, either.
    std::set_new_handler([] { bad_usage("there is not enough host memory; take a smaller size"); });
    std::vector<option> table(entries_.size() + 2);  // the last one, all 0, is its end
    size_t i = 0;
    for (const Entry& entry : entries_)
      table[i++] = {entry.name.c_str(), entry.placeholder.empty() ? no_argument : required_argument,
                    nullptr, 0};
    table[i] = {"help", no_argument, nullptr, 'h'};
    opterr = 0;  // our own messages are shorter
    optind = 0;  // start again: tests parse more than once
    int index = 0;
    int found = 0;
    // ..._only: -size is taken for --size, and not for -s -i -z -e.
    while ((found = getopt_long_only(argc, argv, ":h", table.data(), &index)) != -1) {
      if (found == 'h') {
        print_help();
        exit(0);
      }
      if (found == ':') bad_usage(std::string(argv[optind - 1]) + " needs a value; try --help");
      if (found == '?')
        bad_usage("there is no option '" + std::string(argv[optind - 1]) + "'; try --help");
      std::next(entries_.begin(), index)->set(optarg);
    }
    if (optind < argc)
      bad_usage("there is nothing to do with '" + std::string(argv[optind]) + "'; try --help");
  }

 private:
  struct Entry {
    std::string name, placeholder, help;
    std::function<void(const char*)> set;
  };

  Options& add(const char* name, const char* placeholder, const std::string& help,
               std::function<void(const char*)> set) {
    entries_.push_back({name, placeholder, help, std::move(set)});
    return *this;
  }

  // What number() and real() do for every type. `store` converts to the type of `*place`.
  Options& add_number(const char* name, long long standard, long long low, long long high,
                      const char* help, void* place, void (*store)(void*, long long)) {
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    return add(
        name, "N", std::string(help) + " (" + range + ", default " + std::to_string(standard) + ")",
        [=](const char* text) {
          char* end = nullptr;
          errno = 0;
          const long long parsed = strtoll(text, &end, 10);
          if (end == text || *end != '\0' || errno == ERANGE || parsed < low || parsed > high)
            bad_usage("--" + std::string(name) + " must be a whole number, " + range + ", not '" +
                      text + "'");
          store(place, parsed);
        });
  }

  Options& add_real(const char* name, double standard, double low, double high, const char* help,
                    void* place, void (*store)(void*, double)) {
    const std::string range = shortest(low) + " to " + shortest(high);
    return add(name, "X",
               std::string(help) + " (" + range + ", default " + shortest(standard) + ")",
               [=](const char* text) {
                 char* end = nullptr;
                 const double parsed = strtod(text, &end);
                 if (end == text || *end != '\0' || !(parsed >= low && parsed <= high))
                   bad_usage("--" + std::string(name) + " must be a number, " + range + ", not '" +
                             text + "'");
                 store(place, parsed);
               });
  }

  static std::string shortest(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", value);
    return text;
  }

  // Refuses a file that cannot be written before anything is computed for it.
  static void request_file(const std::string& path, const std::vector<std::string>& endings) {
    std::string list;
    bool known = false;
    for (const std::string& ending : endings) {
      list += (list.empty() ? "" : " or ") + ending;
      known = known || (path.size() > ending.size() &&
                        path.compare(path.size() - ending.size(), ending.size(), ending) == 0);
    }
    if (!known) bad_usage("--save needs a file that ends in " + list + ", not '" + path + "'");
    require_writable(path);
    picture_request().save = path;
  }

  // A file is written under another name first, so that name is what is tried; what is no ordinary
  // file, such as /dev/null, is written directly.
  static void require_writable(const std::string& path) {
    struct stat status;
    const bool exists = stat(path.c_str(), &status) == 0;
    int problem = 0;
    if (exists && S_ISDIR(status.st_mode)) {
      problem = EISDIR;
    } else if (exists && access(path.c_str(), W_OK) != 0) {
      problem = errno;
    } else if (!exists || S_ISREG(status.st_mode)) {
      const std::string name = temporary_name(path);
      const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file < 0) problem = errno;
      if (file >= 0) close(file);
      if (file >= 0) unlink(name.c_str());
    }
    if (problem != 0) bad_usage("cannot write '" + path + "': " + strerror(problem));
  }

  void print_help() const {
    printf("%s\n\nusage: %s [options]\n", purpose_.c_str(), program_invocation_short_name);
    for (const Entry& entry : entries_)
      printf("  %-18s %s\n", ("--" + entry.name + " " + entry.placeholder).c_str(),
             entry.help.c_str());
    printf("  %-18s %s\n", "--help", "print this");
  }

  std::string purpose_;
  std::list<Entry> entries_;
};

}  // namespace course
