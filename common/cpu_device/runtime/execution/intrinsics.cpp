// What intrinsics need of the machine: rounding, the clock, which kind of memory an address is of;
// and math functions that the C library lacks.
#include <fenv.h>
#include <link.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../../include/cpu_device/intrinsics.h"
#include "../../include/cpu_device/ptx.h"
#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_time.h"
#include "engine.h"

namespace cpu_device {

unsigned int multiprocessors() { return static_cast<unsigned int>(properties().multiProcessorCount); }
// Blocks wander over the workers; a GPU's first blocks, too, are spread over its multiprocessors in turn.
unsigned int multiprocessor() {
  const uint64_t row = static_cast<uint64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
  return static_cast<unsigned int>((row * gridDim.x + blockIdx.x) % multiprocessors());
}
uint64_t global_timer() {
  cpu_device_changes++;  // a thread that reads the clock may wait for time to pass, which is progress
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

int begin_rounding(Rounding how) {
  const int before = fegetround();
  fesetround(how == Rounding::down ? FE_DOWNWARD : how == Rounding::up ? FE_UPWARD : FE_TOWARDZERO);
  return before;
}
void end_rounding(int before) { fesetround(before); }

// Where this thread's thread-local variables are, __shared__ ones among them.
static int find_thread_local(dl_phdr_info* module, size_t, void* data) {
  auto* found = static_cast<std::pair<uintptr_t, uintptr_t>*>(data);
  const auto inside = reinterpret_cast<uintptr_t>(&threadIdx);
  for (int i = 0; i < module->dlpi_phnum; i++) {
    if (module->dlpi_phdr[i].p_type != PT_TLS || module->dlpi_tls_data == nullptr) continue;
    const auto begin = reinterpret_cast<uintptr_t>(module->dlpi_tls_data);
    const uintptr_t end = begin + module->dlpi_phdr[i].p_memsz;
    if (inside >= begin && inside < end) *found = {begin, end};
  }
  return 0;
}
bool is_shared(const void* pointer) {
  static thread_local std::pair<uintptr_t, uintptr_t> area{0, 0};
  if (area.second == 0) dl_iterate_phdr(find_thread_local, &area);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  return address >= area.first && address < area.second;
}

bool is_on_stack(const void* pointer) {
  if (!in_kernel()) return false;
  const Fiber* fiber = this_worker->running;
  const auto* address = static_cast<const unsigned char*>(pointer);
  return address >= fiber->stack && address < fiber->stack + fiber->stack_bytes;
}

long long PassedTime::ticks(uint64_t block, uint64_t thread, long long now) {
  const bool is_other = block != block_ || thread != thread_;
  if (block != block_) longest_ = 0;
  block_ = block;
  thread_ = thread;
  if (is_other) shift_ = 0;
  if (is_other || now - last_ > kAtOnce) {
    asked_ = 0;
    first_ = now + shift_;
  } else if (++asked_ == kWaits) {
    shift_ += longest_;
  }
  last_ = now;
  // A thread for which enough has passed says nothing new: it would be a little longer each time.
  if (asked_ > kWaits) longest_ = std::max(longest_, now + shift_ - first_);
  return now + shift_;
}

long long clock_ticks() {
  cpu_device_changes++;  // a thread that reads the clock may wait for time to pass, which is progress
#if defined(__x86_64__)
  const auto now = static_cast<long long>(__builtin_ia32_rdtsc());
#else
  const long long now = host_time().time_since_epoch().count();
#endif
  Worker* const w = this_worker;
  if (w == nullptr || check::on || (w->in_loops && threadIdx.x == kNoThread)) return now;
  const uint64_t thread =
      w->in_loops ? (uint64_t(threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x : w->current;
  return w->passed_time.ticks(w->blocks_begun, thread, now);
}

}  // namespace cpu_device

// In a kernel clock() counts the device's ticks, as clock64() does; on the host it is the C library's:
// processor time.
extern "C" clock_t clock() noexcept {
  if (cpu_device::in_kernel()) return static_cast<clock_t>(cpu_device::clock_ticks());
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return static_cast<clock_t>(-1);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

// exp(x * x) * erfc(x). Beyond 5, where erfc is small, by a continued fraction from its end.
double erfcx(double x) {
  if (x < 5) return std::exp(x * x) * std::erfc(x);
  double fraction = x;
  for (int k = 60; k >= 1; k--) fraction = x + k / 2.0 / fraction;
  return 1 / (std::sqrt(M_PI) * fraction);
}

// The x with erfc(x) = y, by Newton's method (Halley's variant) from a rough start.
double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (y == 0 || y == 2) return y == 0 ? HUGE_VAL : -HUGE_VAL;
  if (y > 1) return -erfcinv(2 - y);
  const double t = std::sqrt(-2 * std::log(y / 2));
  double x = 0.70711 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 4; i++) {
    // (erfc(x) - y) / exp(-x * x), so that neither is lost where both are small.
    const double error = erfcx(x) - y * std::exp(x * x);
    const double step = error / (2 / std::sqrt(M_PI) - x * error);
    if (!std::isfinite(step)) break;
    x += step;
  }
  return x;
}

double erfinv(double y) {
  if (!(y >= -1 && y <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(y) > 0.5) return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
  double x = y * std::sqrt(M_PI) / 2;
  for (int i = 0; i < 6; i++) {
    const double step = (std::erf(x) - y) * std::exp(x * x) * std::sqrt(M_PI) / 2;
    x -= step / (1 + x * step);
  }
  return x;
}
