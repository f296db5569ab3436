// Files are written whole or not at all.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "options.h"

namespace course {

// Keeps Ctrl-C and its like from ending the program as long as this object lives; whatever arrived
// is delivered at the end. For the whole process, since a mask would hold for one thread only. A
// full quota becomes an error of write() instead of a signal.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    arrived() = 0;
    struct sigaction hold = {};
    for (size_t i = 0; i < kCount; i++) {
      hold.sa_handler = kSignals[i] == SIGXFSZ ? SIG_IGN : remember;
      hold.sa_flags = SA_RESTART;
      sigaction(kSignals[i], &hold, &before_[i]);
    }
  }
  ~SignalsHeldBack() {
    for (size_t i = 0; i < kCount; i++) sigaction(kSignals[i], &before_[i], nullptr);
    if (arrived() != 0) raise(arrived());
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
  static constexpr size_t kCount = sizeof kSignals / sizeof kSignals[0];
  static volatile sig_atomic_t& arrived() {
    static volatile sig_atomic_t signal = 0;
    return signal;
  }
  static void remember(int signal) { arrived() = signal; }
  struct sigaction before_[kCount];
};

// Writes a whole file or nothing: under a temporary name first, so that neither a full disk nor
// Ctrl-C leaves half a file behind. Ends the program with exit code 2 and one line if it cannot.
// Anything but an ordinary file, such as /dev/null, is written directly.
inline void write_file(const std::string& path, const void* data, size_t bytes) {
  int problem = 0;
  {
    const SignalsHeldBack held_back;
    struct stat status;
    const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    const std::string target = special ? path : temporary_name(path);
    const int file = open(target.c_str(), special ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0) problem = errno;
    for (size_t done = 0; problem == 0 && done < bytes;) {
      const ssize_t part = write(file, static_cast<const char*>(data) + done, bytes - done);
      if (part < 0 && errno != EINTR) problem = errno;
      if (part == 0) problem = EIO;
      if (part > 0) done += static_cast<size_t>(part);
    }
    if (file >= 0 && close(file) != 0 && problem == 0) problem = errno;  // full, says NFS only now
    if (!special && problem == 0 && rename(target.c_str(), path.c_str()) != 0) problem = errno;
    if (!special && problem != 0 && file >= 0) unlink(target.c_str());
  }
  if (problem != 0) bad_usage("cannot write '" + path + "': " + strerror(problem));
}

}  // namespace course
