// State of the runtime, from before a program's first static object to after its last one. Constructors of static objects
// may call CUDA, so nothing here may wait for a constructor of the runtime's own. Destructors of static objects may, too
// (a class that frees its memory), and then the report at the very end is still to come. So
//
//   - shared state is a `static auto* all = new T;` in a function: made at first use, never destroyed;
//   - state of a host thread is an OfThread<T>.
//
// tests/cpu_device/lasting_check.sh asks the compiled runtime.
#pragma once

#include <unistd.h>

namespace cpu_device {

// __attribute__((constructor(kFirst))): before those of static objects.
constexpr int kFirst = 101;

// A T of each host thread, made at first use, and destroyed with the thread. That of the main thread stays: static
// objects are destroyed after what belongs to that thread.
template <typename T>
class OfThread {
 public:
  constexpr OfThread() = default;
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;
  ~OfThread() {
    if (gettid() == getpid()) return;
    delete own_;
    own_ = nullptr;
  }
  T& operator*() {
    if (own_ == nullptr) own_ = new T;
    return *own_;
  }
  T* operator->() { return &**this; }

 private:
  T* own_ = nullptr;
};

}  // namespace cpu_device
