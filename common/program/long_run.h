// Runs that take long say so before they start, and show on a terminal how far they are.
//
//   const double seconds = course::estimate_s(n, 1 << 20, [] { add_and_verify(1 << 20); });
//   course::LongRun long_run(seconds, bytes);
//   const bool right = add_and_verify(n);
//   long_run.hide();
//   printf("...");
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "device.h"
#include "progress.h"
#include "timing.h"

namespace course {

constexpr double kLongRunSeconds = 5;  // what takes less is not worth a line

// "40 s", "12 min", "3.5 h": two or three digits.
inline std::string time_in_words(double seconds) {
  const struct {
    double seconds;
    const char* name;
  } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  for (const auto& unit : units) {
    if (seconds < 1.95 * unit.seconds && unit.seconds > 1) continue;
    char text[32];
    const double count = seconds / unit.seconds;
    snprintf(text, sizeof text, count < 10 ? "%.1f %s" : "%.0f %s", count, unit.name);
    return text;
  }
  return "0 s";
}

// What is said before a run of so many seconds that needs so many bytes; "" if it is short. 0
// bytes: nothing to speak of.
inline std::string announcement(double seconds, double bytes) {
  if (seconds < kLongRunSeconds) return "";
  return "this will take about " + time_in_words(seconds) +
         (bytes > 0 ? " and " + bytes_in_words(bytes) : "") + " here";
}

inline void announce(double seconds, double bytes) {
  const std::string text = announcement(seconds, bytes);
  if (text.empty()) return;
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, text.c_str());
}

// Seconds that `whole` units of work will take, by the time of `part` units, which run_part() does.
// It is called twice, since the first time warms up. 0 if the whole is less than 8 parts: then it
// is not worth it. The part should keep all of the device busy, or the whole will seem slower than
// it is.
inline double estimate_s(double whole, double part, const std::function<void()>& run_part) {
  if (whole < 8 * part) return 0;
  run_part();
  const Stopwatch watch;
  run_part();
  return watch.elapsed_ms() * 1e-3 * whole / part;
}

// The same for a picture of size x size pixels: draw(part) does one of part x part.
inline double estimate_picture_s(int size, const std::function<void(int)>& draw, int part = 256) {
  return estimate_s(1.0 * size * size, 1.0 * part * part, [&] { draw(part); });
}

// How many threads the current device runs at a time: a part for estimate_s().
inline int device_threads() {
  int device = 0, each = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&each, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  return multiprocessors() * each;
}

// Announces the run. As long as the object lives, a terminal shows how much of the time has passed,
// because a kernel cannot report its progress.
class LongRun {
 public:
  LongRun(double seconds, double bytes, bool terminal = isatty(STDERR_FILENO) != 0)
      : seconds_(seconds) {
    announce(seconds, bytes);
    if (terminal && seconds >= kLongRunSeconds) thread_ = std::thread([this] { show(); });
  }
  ~LongRun() { done(); }
  LongRun(const LongRun&) = delete;
  LongRun& operator=(const LongRun&) = delete;

  // Before anything is printed: takes the bar away for a moment.
  void hide() {
    const std::lock_guard<std::mutex> lock(mutex_);
    clear();
  }

  // Takes it away for good: before a window, which may stay open for hours.
  void done() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    wake_.notify_one();
    thread_.join();
    clear();
  }

  // The text of the bar after `elapsed` of `seconds`.
  static std::string line(double elapsed, double seconds) {
    if (elapsed <= seconds)
      return bar(elapsed, seconds) + " " + time_in_words(elapsed) + " of about " +
             time_in_words(seconds);
    return bar(1, 1) + " " + time_in_words(elapsed) + ", longer than expected";
  }

 private:
  void show() {
    const Stopwatch watch;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return over_; })) {
      shown_ = true;
      fprintf(stderr, "\r%s\033[K", line(watch.elapsed_ms() * 1e-3, seconds_).c_str());
      fflush(stderr);
    }
  }

  void clear() {
    if (shown_) fprintf(stderr, "\r\033[K");
    shown_ = false;
  }

  double seconds_;
  bool over_ = false, shown_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace course
