// A progress bar for work that takes longer than a second, if the output is a terminal.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace course {

// "[##########          ": `done` of `total`, 40 characters wide.
inline std::string bar(double done, double total) {
  constexpr int kWidth = 40;
  const double share = total > 0 ? done / total : 1;
  const int filled = share >= 1 ? kWidth : static_cast<int>(kWidth * share);
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "]";
}

// For work in steps that the host counts.
class Progress {
 public:
  // `total` is the number of steps; `wanted` says whether a bar may appear at all.
  explicit Progress(int total, bool wanted = isatty(STDERR_FILENO) != 0)
      : total_(total), wanted_(wanted) {}
  ~Progress() {
    if (shown_) fprintf(stderr, "\r\033[K");  // the bar leaves no trace
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called after every step, with the number of steps done so far.
  void update(int done) {
    if (!wanted_) return;
    const double now = seconds();
    if (now < next_) return;  // at first after a second, then ten times a second
    next_ = now + 0.1;
    shown_ = true;
    fprintf(stderr, "\r%s\033[K", line(done, now).c_str());
    fflush(stderr);
  }

  // The text of the bar after `done` steps and `elapsed` seconds.
  std::string line(int done, double elapsed) const {
    const double left = done > 0 ? elapsed / done * (total_ - done) : 0;
    char numbers[64];
    snprintf(numbers, sizeof numbers, " %d of %d, %.0f s left", done, total_, left);
    return bar(done, total_) + numbers;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  int total_;
  bool wanted_;
  bool shown_ = false;
  double next_ = 1;
  Clock::time_point start_ = Clock::now();
};

}  // namespace course
