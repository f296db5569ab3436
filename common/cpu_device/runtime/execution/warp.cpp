// Lanes that exchange values, see warp.h. The first lane to arrive with a mask opens an exchange,
// the last closes it and wakes the others. An exchange lives until each of its lanes has come to
// its next one, since they read it after they have been woken.
#include "../check/check.h"
#include "../device/device.h"
#include "../faults/error_messages.h"
#include "engine.h"

namespace cpu_device {

struct OpenExchange : WarpExchange {
  unsigned int arrived = 0;
  int readers = 0;
};

// Lanes of a warp that have come to the same __activemask() and wait for more of them.
struct Gathering {
  Site site;
  unsigned int lanes, to_go;  // `to_go`: those that still have to read `lanes` once it is closed
  bool closed;
};

struct WarpState {
  std::vector<OpenExchange*> open[kMaxThreads / 32];  // of each warp; seldom more than one
  OpenExchange* held[kMaxThreads] = {};               // what each thread took part in last
  std::vector<OpenExchange*> unused;
  std::vector<Gathering> gatherings[kMaxThreads / 32];  // of each warp

  OpenExchange* take() {
    if (unused.empty()) return new OpenExchange;
    OpenExchange* exchange = unused.back();
    unused.pop_back();
    return exchange;
  }
  void let_go(unsigned thread) {
    OpenExchange*& exchange = held[thread];
    if (exchange != nullptr && --exchange->readers == 0) unused.push_back(exchange);
    exchange = nullptr;
  }
};

void Worker::reset_warps() {
  for (unsigned i = 0; i < kMaxThreads; i++) warps->let_go(i);
  for (auto& open : warps->open) open.clear();
  for (auto& gatherings : warps->gatherings) gatherings.clear();
  warps_used = false;
}

static unsigned int existing_lanes(const Worker& w, unsigned warp) {
  const unsigned lanes = std::min(32u, w.threads - 32 * warp);
  return lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
}

// A mask of 0 names no lane, which CUDA leaves undefined. On GPUs the lanes that come together exchange their values.
static unsigned int lanes_for_no_mask(Site site) {
  Worker& w = *this_worker;
  if (!w.grid->is_noted)
    w.note(failure_at(site,
                      format("note: warp operation with an empty mask (0) in kernel %s",
                             w.grid->launch->type.name),
                      "the result is undefined. The CPU device and most GPUs use the lanes that arrive together. Name the "
                      "lanes in the mask, such as 0xffffffff. A checked run (nvcc --check) reports this as an error.",
                      "shuffle"));
  return active_lanes(site);
}

const WarpExchange& exchange(unsigned int mask, uint64_t value, Site site, bool is_barrier) {
  if (!in_kernel()) {
    explain(site, "host code calls a warp operation");
    exit(EXIT_FAILURE);
  }
  Worker& w = *this_worker;
  if (w.warps == nullptr) w.warps = new WarpState;
  WarpState& state = *w.warps;
  w.warps_used = true;
  const unsigned thread = w.current, warp = thread / 32, bit = 1u << thread % 32;
  if (mask == 0 && !check::on) mask = lanes_for_no_mask(site);
  // Lanes beyond the end of a block that is no multiple of 32 do not exist: no lane waits for them.
  mask &= existing_lanes(w, warp);
  if ((mask & bit) == 0)
    w.abort_grid(cudaErrorIllegalInstruction, site,
                 format("the mask 0x%08x of a warp operation does not contain the calling lane %u,", mask, thread % 32) +
                     where_in_kernel(),
                 "each lane that calls a warp operation must be in its mask. Set the bit of this lane.", "shuffle");
  w.lockstep[thread].meetings++;
  state.let_go(thread);
  auto& open = state.open[warp];
  auto found = std::find_if(open.begin(), open.end(), [&](const OpenExchange* candidate) {
    return candidate->mask == mask && (candidate->arrived & bit) == 0;
  });
  if (found == open.end()) {
    OpenExchange* fresh = state.take();
    fresh->mask = mask;
    fresh->arrived = 0;
    fresh->readers = 0;
    found = open.insert(open.end(), fresh);
  }
  OpenExchange* mine = *found;
  mine->value[thread % 32] = value;
  mine->arrived |= bit;
  mine->readers++;
  state.held[thread] = mine;
  if (mine->arrived == mask) {
    open.erase(found);
    if (is_barrier) check::lanes_met(w, warp, mask, site);
    for (unsigned lane = 0; lane < 32; lane++)
      if ((mask >> lane & 1) != 0 && (1u << lane) != bit) w.push_ready(32 * warp + lane);
  } else {
    w.wait(WaitKind::warp, site);
  }
  return *mine;
}

// Operations that wait only for lanes which have left the kernel go on without them.
bool Worker::release_warps_of_exited() {
  if (!warps_used) return false;
  bool any = false;
  for (unsigned warp = 0; 32 * warp < threads; warp++) {
    auto& open = warps->open[warp];
    for (size_t i = 0; i < open.size();) {
      OpenExchange& one = *open[i];
      bool all_left = true;
      for (unsigned lane = 0; lane < 32; lane++)
        if (((one.mask & ~one.arrived) >> lane & 1) != 0 && states[32 * warp + lane].kind != WaitKind::ended)
          all_left = false;
      if (!all_left) {
        i++;
        continue;
      }
      if (!any) note_exited("warp operation");
      any = true;
      one.mask = one.arrived;
      for (unsigned lane = 0; lane < 32; lane++)
        if ((one.arrived >> lane & 1) != 0) push_ready(32 * warp + lane);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return any;
}

unsigned int lane() { return this_worker == nullptr ? 0 : this_worker->current % 32; }

// CUDA promises no more than that the caller is active, and a checked run holds programs to it. On
// a GPU the lanes that come here together are active together, and many programs count on that: a
// lane that arrives lets the others run until no more of them come.
unsigned int active_lanes(Site site) {
  const unsigned int bit = 1u << lane();
  if (!in_kernel()) return bit;
  Worker& w = *this_worker;
  if (check::on) {
    if (existing_lanes(w, w.current / 32) != bit) check::only_caller_is_active(site, w.grid->launch->type.name);
    return bit;
  }
  if (w.warps == nullptr) w.warps = new WarpState;
  w.warps_used = true;
  const unsigned warp = w.current / 32;
  auto& gatherings = w.warps->gatherings[warp];
  const auto find = [&](bool closed) {
    return std::find_if(gatherings.begin(), gatherings.end(), [&](const Gathering& gathering) {
      return gathering.site.line == site.line && gathering.site.file == site.file &&
             gathering.closed == closed && (!closed || (gathering.to_go & bit) != 0);
    });
  };
  auto mine = find(false);
  if (mine == gatherings.end()) mine = gatherings.insert(mine, {site, 0, 0, false});
  mine->lanes |= bit;
  unsigned int seen = 0;
  while ((mine = find(true)) == gatherings.end()) {
    mine = find(false);
    if (mine->lanes == seen || mine->lanes == existing_lanes(w, warp)) {
      mine->closed = true;
      mine->to_go = mine->lanes;
      break;
    }
    seen = mine->lanes;
    w.let_others_run(WaitKind::yielding, site);
  }
  const unsigned int lanes = mine->lanes;
  mine->to_go &= ~bit;
  if (mine->to_go == 0) gatherings.erase(mine);
  return lanes;
}

}  // namespace cpu_device
