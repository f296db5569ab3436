// The order in which threads take locks.
//
// A thread that swaps a word from one value to another and later puts the first value back has held a lock. Two
// locks that a thread holds at the same time make an edge from the one that it took first. A circle of edges of
// different threads may become a deadlock. Locks that threads take by tickets are found by ticket_locks.cpp.
#include "lock_order.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "findings.h"
#include "hand_made_barriers.h"
#include "memory_names.h"
#include "messages.h"
#include "places.h"
#include "schedules.h"
#include "source_lines.h"

namespace cpu_device::check {

bool locks_held = false;

namespace {

constexpr size_t kMostEdges = 20000, kMostOfPair = 3, kLongestCircle = 8;
constexpr unsigned kLooksInVain = 2000;  // so often a thread has looked at a lock before it counts as stuck

std::deque<ThreadLocks>& pool() {
  static auto* all = new std::deque<ThreadLocks>(1);  // number 0 is nobody's
  return *all;
}
std::vector<unsigned>& spare() {
  static auto* all = new std::vector<unsigned>;
  return *all;
}
using Edges = std::map<Lock, std::map<Lock, std::vector<Edge>>>;
Edges& edges() {
  static auto* all = new Edges;
  return *all;
}
size_t edge_count = 0;
// Places where a thread has waited until it got the lock, and where one has gone on without the lock.
std::set<unsigned>& waiting_places() {
  static auto* all = new std::set<unsigned>;
  return *all;
}
std::set<unsigned>& trying_places() {
  static auto* all = new std::set<unsigned>;
  return *all;
}

std::set<Lock>& words_of_locks() {
  static auto* all = new std::set<Lock>;
  return *all;
}

}  // namespace

uint64_t next_moment() {
  static uint64_t moment = 0;
  return ++moment;
}
bool is_lock(const Lock& word) { return words_of_locks().count(word) != 0; }
Lock lock_at(const Context& c, uintptr_t address) { return {address, c.local.contains(address) ? c.block : kEverywhere}; }

ThreadLocks& locks_of(Context& c) {
  const unsigned self = c.who & 1023;
  unsigned& number = c.threads[self].locks;
  if (number == 0) {
    if (spare().empty()) {
      number = static_cast<unsigned>(pool().size());
      pool().emplace_back();
    } else {
      number = spare().back();
      spare().pop_back();
    }
    ThreadLocks& fresh = pool()[number];
    fresh.in_use = true;
    fresh.block = c.block;
    fresh.thread = self;
  }
  return pool()[number];
}

namespace {

bool same_attempt(const Attempt& a, const Attempt& b) {
  return a.address == b.address && (a.is_exchange || a.expected == b.expected) && a.desired == b.desired && a.place == b.place;
}

// It does something else than to look at the same lock again.
void stop_looking(ThreadLocks& t) {
  if (t.looks > 0) trying_places().insert(t.waits.place);
  t.looks = 0;
}

Edge make_edge(const ThreadLocks& t, const Taken& from, const Taken& to) {
  Edge edge;
  edge.from = from;
  edge.to = to;
  const Taking& when = to.when;
  for (size_t i = 0; i < when.other_count; i++)
    if (!(when.others[i] == from.lock)) edge.guards.push_back(when.others[i]);
  edge.block = t.block;
  edge.thread = t.thread;
  edge.epoch = when.epoch;
  edge.segment = when.segment;
  edge.floor = when.floor;
  edge.moment = when.moment;
  edge.waits = when.waits;
  edge.run = when.run;
  return edge;
}

// "locks[3]", also of a variable whose type is not known.
std::string lock_in_words(const Context& c, const HeldLock& lock) {
  const uintptr_t address = lock.lock.address;
  const std::string words = address_in_words(&c, address, lock.bytes);
  uintptr_t base = 0;
  if (words.find('[') == std::string::npos && find_variable(address, &base) && variable_left(base) > lock.bytes)
    return variable_name(base) + format("[%zu]", static_cast<size_t>((address - base) / lock.bytes));
  return words;
}

void keep(Context& c, Edge edge) {
  if (edge_count >= kMostEdges) return;
  std::vector<Edge>& known = edges()[edge.from.lock][edge.to.lock];
  size_t alike = 0;  // with the same barriers before them
  for (const Edge& one : known) {
    if (one.epoch != edge.epoch || one.floor != edge.floor || one.waits != edge.waits) continue;
    if ((one.block == edge.block && one.thread == edge.thread) || ++alike == kMostOfPair) return;
  }
  const Muted quiet;
  edge.who = thread_in_words(edge.block, edge.thread, true);
  edge.from_name = lock_in_words(c, edge.from);
  edge.to_name = lock_in_words(c, edge.to);
  known.push_back(std::move(edge));
  edge_count++;
}

void drop(ThreadLocks& t, size_t index) {
  const Lock lock = t.held[index].lock;
  t.held.erase(t.held.begin() + static_cast<std::ptrdiff_t>(index));
  t.open.erase(std::remove_if(t.open.begin(), t.open.end(),
                              [&](const Edge& e) { return e.from.lock == lock || e.to.lock == lock; }),
               t.open.end());
}

void take(Context& c, ThreadLocks& t, const HeldLock& lock) {
  for (const Taken& one : t.held)
    if (one.lock == lock.lock) return;
  if (t.held.size() == kMostHeld) drop(t, 0);
  Taken taken;
  static_cast<HeldLock&>(taken) = lock;
  Taking& when = taken.when;
  for (const Taken& one : t.held) when.others[when.other_count++] = one.lock;
  when.epoch = c.epoch;
  when.segment = c.who >> 10;
  when.floor = c.floor;
  when.moment = next_moment();
  when.waits = t.times_waited;
  when.run = schedule;
  t.held.push_back(taken);
  locks_held = true;
}

// ---- circles ----

bool ordered_by_barriers(const Edge& a, const Edge& b) {
  if (a.block == b.block && a.epoch != b.epoch) return true;
  return (a.run == b.run && (a.segment < b.floor || b.segment < a.floor)) || meeting_between(a, b);
}
// Whether two threads may be between their two locks at the same time.
bool may_meet(const Edge& a, const Edge& b) {
  if (a.block == b.block && a.thread == b.thread) return false;
  for (const Lock& guard : a.guards)
    if (std::find(b.guards.begin(), b.guards.end(), guard) != b.guards.end()) return false;
  return !ordered_by_barriers(a, b);
}

using Circle = std::vector<const Edge*>;

void report_circle(const Launch& launch, const Circle& circle, bool stuck) {
  bool waits = true;
  for (const Edge* edge : circle) waits &= stuck || waiting_places().count(edge->to.place) != 0;
  const Muted quiet;
  Finding finding;
  finding.kind = "lock-order";
  finding.level = waits ? "error" : "note";
  finding.place = source_place(place(circle[0]->to.place));
  add_callers(&finding.place, place(circle[0]->to.place));
  finding.kernel = launch.type.name;
  finding.launch = launches_checked;
  finding.title = circle.size() == 2 ? "two locks are taken in opposite orders"
                                     : std::to_string(circle.size()) + " locks are taken in an order that forms a circle";
  finding.title += " in kernel " + finding.kernel + (stuck ? ": the threads wait for each other forever"
                                                           : ": threads may wait for each other forever");
  for (const Edge* edge : circle) {
    const SourcePlace first = source_place(place(edge->from.place)), second = source_place(place(edge->to.place));
    finding.others.push_back({first, "access", "took " + edge->from_name});
    if (edge != circle[0]) finding.others.push_back({second, "access", "takes " + edge->to_name});
    finding.details += "\n    " + edge->who + " holds " + edge->from_name +
                       format(" (taken in line %d) and %s ", first.line, stuck ? "waits for" : "takes") + edge->to_name +
                       format(" in line %d", second.line);
  }
  if (!stuck) finding.details += "\n    they did not meet in this run";
  finding.hint = waits ? "if each thread holds one lock, none of them gets the other. Take the locks in the same order in all "
                         "threads, for example the one with the smaller index first."
                       : "if the threads wait for the second lock while they hold the first one, they may wait forever. Take the "
                         "locks in the same order in all threads, for example the one with the smaller index first.";
  add_finding(std::move(finding));
}

// Looks for a way back to the first lock, along edges of threads that may all meet.
bool close_circle(Circle& circle, int& steps) {
  const auto next = edges().find(circle.back()->to.lock);
  if (next == edges().end()) return false;
  for (const auto& [lock, several] : next->second) {
    const bool closes = lock == circle[0]->from.lock;
    if (!closes && circle.size() + 1 == kLongestCircle) continue;
    for (const Edge& edge : several) {
      if (steps-- <= 0) return false;
      if (trying_places().count(edge.to.place) != 0) continue;
      if (!std::all_of(circle.begin(), circle.end(), [&](const Edge* other) { return may_meet(*other, edge); })) continue;
      circle.push_back(&edge);
      if (closes || close_circle(circle, steps)) return true;
      circle.pop_back();
    }
  }
  return false;
}

// ---- threads that wait for each other now ----

const ThreadLocks* owner_of(const Lock& lock) {
  for (const ThreadLocks& t : pool())
    if (t.in_use)
      for (const HeldLock& held : t.held)
        if (held.lock == lock) return &t;
  return nullptr;
}

// What it waits for; null if it has not looked often.
const Attempt* wanted_by(const ThreadLocks& t) {
  return t.looks >= kLooksInVain ? &t.waits : t.ticket_looks >= kLooksInVain ? &t.ticket_waits : nullptr;
}

bool report_stuck(Context& c, const ThreadLocks& me) {
  const Muted quiet;
  std::vector<Edge> waits;
  const ThreadLocks* t = &me;
  while (waits.size() < kLongestCircle) {
    const Attempt* const attempt = wanted_by(*t);
    if (attempt == nullptr) return false;
    const Lock wanted = lock_at(c, attempt->address);
    const ThreadLocks* owner = owner_of(wanted);
    if (owner == nullptr || owner == t) return false;
    Edge edge;
    edge.to = {wanted, attempt->bytes, 0, attempt->place};
    edge.block = t->block;
    edge.thread = t->thread;
    edge.who = thread_in_words(edge.block, edge.thread, true);
    edge.to_name = lock_in_words(c, edge.to);
    waits.push_back(edge);
    t = owner;
    if (t == &me) break;
  }
  if (t != &me) return false;
  Circle circle;
  for (size_t i = 0; i < waits.size(); i++) {
    const Edge& before = waits[(i + waits.size() - 1) % waits.size()];  // this one waits for what that thread holds ...
    waits[i].from_name = before.to_name;
    for (const HeldLock& held : owner_of(before.to.lock)->held)
      if (held.lock == before.to.lock) waits[i].from = held;
  }
  for (const Edge& one : waits) circle.push_back(&one);
  report_circle(*current_launch(), circle, true);
  flush_findings();
  return true;
}

}  // namespace

void note_attempt(Context& c, const Attempt& attempt) {
  if (!attempt.is_exchange && attempt.expected == attempt.desired) return;  // a way to read
  ThreadLocks& t = locks_of(c);
  const bool again = t.looks > 0 && same_attempt(t.waits, attempt);
  if (!again) stop_looking(t);
  const uint64_t now = word_at(attempt.address, attempt.bytes);
  if (attempt.is_exchange ? now != attempt.desired : now == attempt.expected) {
    if (again) waiting_places().insert(attempt.place);
    t.looks = 0;
    return take(c, t, {lock_at(c, attempt.address), attempt.bytes, now, attempt.place});
  }
  t.waits = attempt;
  t.looks++;
  end_if_stuck(c, t, t.looks);
}

void end_if_stuck(Context& c, const ThreadLocks& t, unsigned looks) {
  if (looks % kLooksInVain == 0 && report_stuck(c, t)) c.worker->abort_grid(cudaErrorLaunchTimeout, Failure{});
}

void take_by_ticket(Context& c, ThreadLocks& t, const Attempt& attempt) {
  waiting_places().insert(attempt.place);  // with a number in hand, a thread must wait
  HeldLock taken{lock_at(c, attempt.address), attempt.bytes, attempt.desired, attempt.place};
  taken.by_ticket = true;
  take(c, t, taken);
}

void drop_ticket_lock(const Context& c, ThreadLocks& t, uintptr_t address) {
  const Lock lock = lock_at(c, address);
  for (size_t i = 0; i < t.held.size(); i++)
    if (t.held[i].by_ticket && t.held[i].lock == lock) return drop(t, i);
}

void note_release(Context& c, uintptr_t address, bool is_volatile) {
  const unsigned number = c.threads[c.who & 1023].locks;
  if (number == 0) return;
  ThreadLocks& t = pool()[number];
  const Lock lock = lock_at(c, address);
  const auto found = std::find_if(t.held.begin(), t.held.end(), [&](const Taken& one) { return one.lock == lock; });
  if (found == t.held.end() || (!is_volatile && word_at(address, found->bytes) != found->after)) return;
  words_of_locks().insert(lock);
  stop_looking(t);
  for (size_t i = 0; i < t.open.size();) {
    Edge& edge = t.open[i];
    edge.from.released |= edge.from.lock == lock;
    edge.to.released |= edge.to.lock == lock;
    if (edge.from.released && edge.to.released) {
      keep(c, std::move(edge));
      t.open.erase(t.open.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      i++;
    }
  }
  found->released = true;
  for (auto other = t.held.begin(); other != t.held.end(); other++)
    if (other != found) t.open.push_back(other < found ? make_edge(t, *other, *found) : make_edge(t, *found, *other));
  t.held.erase(found);
}

void forget_locks_of_thread(Context& c, unsigned thread) {
  if (c.threads.unchanged(thread).locks == 0) return;
  unsigned& number = c.threads[thread].locks;
  stop_looking(pool()[number]);
  stop_looking_at_word(pool()[number]);
  pool()[number] = ThreadLocks{};
  spare().push_back(number);
  number = 0;
}

void begin_launch_locks() {
  pool().resize(1);
  spare().clear();
  begin_meetings();
  locks_held = false;
  if (schedule != 0) return;
  edges().clear();
  edge_count = 0;
  waiting_places().clear();
  trying_places().clear();
  words_of_locks().clear();
}

void end_run_locks() {
  for (ThreadLocks& t : pool())
    if (t.in_use) stop_looking_at_word(t);
  end_meetings();
  for (auto& [first, all] : edges())
    for (auto& [second, several] : all)
      for (Edge& edge : several)
        if (!edge.has_turns) set_turns(edge);
}

void tell_lock_orders(const Launch& launch) {
  int steps = 1000000;
  for (const auto& [first, all] : edges())
    for (const auto& [second, several] : all)
      for (const Edge& edge : several) {
        if (trying_places().count(edge.to.place) != 0) continue;
        Circle circle{&edge};
        if (close_circle(circle, steps)) return report_circle(launch, circle, false);
      }
}

}  // namespace cpu_device::check
