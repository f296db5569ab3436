// One lock for all that the host shares: queues, memory, devices.
#pragma once

#include <mutex>

#include "../check/check.h"

namespace cpu_device {

class HostLock {
 public:
  void lock() {
    // A kernel's thread that has its turn: the host holds the lock for it, and waits.
    if (check::on && check::runs_in_turns) return;
    mutex_.lock();
    depth_++;
  }
  void unlock() {
    if (check::on && check::runs_in_turns) return;
    depth_--;
    mutex_.unlock();
  }
  bool try_lock() {
    if (!mutex_.try_lock()) return false;
    depth_++;
    return true;
  }
  // Calls the function while other threads can take the lock, which the caller holds at any depth.
  template <typename Function>
  void without(Function function) {
    const unsigned depth = depth_;
    for (unsigned i = 0; i < depth; i++) unlock();
    function();
    for (unsigned i = 0; i < depth; i++) lock();
  }

 private:
  std::recursive_mutex mutex_;
  unsigned depth_ = 0;
};
HostLock& host_lock();
using Guard = std::lock_guard<HostLock>;

}  // namespace cpu_device
