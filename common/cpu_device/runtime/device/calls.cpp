// The file of CPU_DEVICE_CALLS, see calls.h.
#include "calls.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "lasting.h"
#include "settings.h"

namespace cpu_device::calls {

static FILE* open_file() {
  const char* const path = getenv("CPU_DEVICE_CALLS");
  if (path == nullptr || *path == '\0') return nullptr;
  FILE* const file = fopen(path, "ae");
  if (file == nullptr) {
    fprintf(stderr, "CPU device: cannot write CPU_DEVICE_CALLS=%s: %s\n", path, strerror(errno));
    exit(2);
  }
  setvbuf(file, nullptr, _IOLBF, 0);  // the program may end in any way
  return file;
}
static FILE* file() {
  static FILE* const opened = open_file();
  return opened;
}

bool wanted() { return file() != nullptr; }

static unsigned thread_number() {
  static std::atomic<unsigned> threads{0};
  static thread_local const unsigned mine = threads++;
  return mine;
}

void note(const char* format, ...) {
  if (!wanted()) return;
  char words[500];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  fprintf(file(), "%u %s\n", thread_number(), words);
}

static std::map<const void*, std::string>& names() {
  static auto* all = new std::map<const void*, std::string>;
  return *all;
}

const char* name(const char* kind, const void* object) {
  if (!wanted()) return "";
  if (object == nullptr) return "default stream";
  static thread_local OfThread<std::map<std::string, unsigned>> numbers;
  std::string& known = names()[object];
  if (known.empty()) known = std::string(kind) + " " + std::to_string(++(*numbers)[kind]);
  return known.c_str();
}
void forget(const void* object) {
  if (wanted()) names().erase(object);
}

static thread_local unsigned launches_not_asked_about = 0;
static void ends() {
  if (launches_not_asked_about > 0) note("no error is asked for after the last launch");
}
void launched() {
  if (!wanted()) return;
  static const int registered = atexit(ends);
  static_cast<void>(registered);
  launches_not_asked_about++;
}
void asked() {
  if (launches_not_asked_about > 1) note("an error is asked for once after several launches");
  launches_not_asked_about = 0;
}

static int read_damaged_bit() {
  const char* const text = getenv("CPU_DEVICE_CALLS_DAMAGE");
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long bit = strtol(text, &end, 10);
  if (*end == '\0' && bit >= 0 && bit < 32) return static_cast<int>(bit);
  fprintf(stderr, "CPU device: CPU_DEVICE_CALLS_DAMAGE must be a bit from 0 to 31, not '%s'\n", text);
  exit(2);
}
void damage(void* copied, size_t bytes) {
  static const int bit = read_damaged_bit();
  if (bit < 0 || bytes < 4) return;
  char* const place = static_cast<char*>(copied) + bytes / 4 * 4 - 4;
  uint32_t word = 0;
  memcpy(&word, place, sizeof word);
  word ^= uint32_t{1} << bit;
  memcpy(place, &word, sizeof word);
}

static std::atomic<uint64_t> steps_of[kMostDevices];
void step(int device) { steps_of[device]++; }
uint64_t steps(int device) { return steps_of[device]; }

static float read_step_ms() {
  const char* const text = getenv("CPU_DEVICE_CALLS_STEP_MS");
  if (text == nullptr || *text == '\0') return 0.01f;
  char* end = nullptr;
  const float ms = strtof(text, &end);
  if (*end == '\0' && ms >= 0.001f && ms <= 1000) return ms;
  fprintf(stderr, "CPU device: CPU_DEVICE_CALLS_STEP_MS must be a number from 0.001 to 1000, not '%s'\n", text);
  exit(2);
}
float step_ms() {
  static const float ms = read_step_ms();
  return ms;
}

}  // namespace cpu_device::calls
