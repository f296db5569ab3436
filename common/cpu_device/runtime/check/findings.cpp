// The findings: each once, on stderr as they are found; the summary at the end.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "../observe/observer.h"
#include "../watch/watch.h"
#include "internal_check.h"

namespace cpu_device::check {

namespace {

std::vector<Finding>& findings() {
  static auto* all = new std::vector<Finding>;
  return *all;
}
size_t printed = 0;
constexpr size_t kMostPrinted = 20;

}  // namespace

const std::vector<Kind>& kinds() {
  static const auto* all = new std::vector<Kind>{
      {"race-warp", "race", "races", "two lanes of a warp touch the same bytes, unordered"},
      {"race-block", "race", "races", "two threads of a block touch the same bytes, unordered"},
      {"race-grid", "race", "races", "threads of two blocks touch the same bytes, unordered"},
      {"race-fence", "missing fence", "missing fences", "what an atomic publishes needs a fence"},
      {"race-scope", "scope too narrow", "scopes too narrow",
       "a fence or an atomic that does not reach the other thread"},
      {"race-atomic", "race", "races", "a plain access to what others change with atomics"},
      {"warp-sync", "warp-synchronous code", "pieces of warp-synchronous code",
       "lanes of a warp rely on running together"},
      {"race-kernels", "missing order", "missing orders",
       "two operations of streams touch the same bytes, unordered"},
      {"race-host", "race", "races", "host code and the device touch the same bytes, unordered"},
      {"out-of-bounds", "out of bounds", "out of bounds", "an access beyond an array"},
      {"misaligned", "misaligned access", "misaligned accesses",
       "an address that is no multiple of the size of the access"},
      {"uninitialized", "uninitialized read", "uninitialized reads",
       "memory is read before it is written"},
      {"unwritten-copy", "unwritten result", "unwritten results",
       "the host reads what nobody wrote"},
      {"wrong-side", "wrong side", "wrong sides",
       "a kernel follows a host pointer, or host code a device pointer"},
      {"use-after-free", "use after free", "uses after free", "memory is used after it was freed"},
      {"freed-in-use", "freed in use", "freed in use",
       "memory is freed while the device may use it"},
      {"arithmetic", "arithmetic mistake", "arithmetic mistakes",
       "overflow, a shift beyond the width, division by zero"},
      {"wrong-pointer", "wrong argument", "wrong arguments", "a call is given what does not fit"},
      {"no-progress", "endless kernel", "endless kernels", "threads wait for what never comes"},
      {"call-order", "wrong order of calls", "wrong orders of calls",
       "a call comes before the one that it needs"},
      {"unchecked", "unchecked error", "unchecked errors", "a launch failed and nobody asked"},
      {"barrier", "divergent barrier", "divergent barriers",
       "a barrier that some threads do not reach"},
      {"shuffle", "incomplete warp operation", "incomplete warp operations",
       "a warp operation that not all its lanes reach"},
      {"launch", "failed launch", "failed launches", "a launch that cannot be"},
      {"other", "mistake", "mistakes", "a mistake that the CPU device explains"},
  };
  return *all;
}

namespace {

const Kind& kind_of(const Finding& f) {
  for (const Kind& kind : kinds())
    if (strcmp(kind.id, f.kind) == 0) return kind;
  return kinds().back();
}

}  // namespace

bool is_error(const Finding& f) { return strcmp(f.level, "note") != 0; }

namespace {

bool is_race(const char* kind) { return strncmp(kind, "race-", 5) == 0; }

// The runtime's own explanations may name the same file by another path.
std::string name(const SourcePlace& at) {
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

// Two findings are one if they are of one kind at the same places, in either order. All races
// between two lines are one: where some threads meet within a warp, others meet within a block.
using Key = std::pair<std::string, std::vector<std::string>>;
Key key_of(const Finding& f) {
  Key key{is_race(f.kind) ? "race" : f.kind, {name(f.place)}};
  for (const Second& other : f.others)
    if (strcmp(other.role, "access") == 0) key.second.push_back(name(other.place));
  std::sort(key.second.begin(), key.second.end());
  return key;
}
std::map<Key, size_t>& index() {
  static auto* all = new std::map<Key, size_t>;
  return *all;
}

// "lines 14 and 17", of a race.
std::string lines_of(const Finding& f) {
  const int one = f.place.line, other = f.others.empty() ? one : f.others[0].place.line;
  return one == other ? format("line %d with itself", one)
                      : format("lines %d and %d", std::min(one, other), std::max(one, other));
}

void print(const Finding& f) {
  std::string text;
  if (f.place.line > 0) text = f.place.file + ":" + std::to_string(f.place.line) + ": ";
  text += "CPU device: " + std::string(is_error(f) ? "" : "note: ") + f.title + f.details;
  for (const Finding& one : f.joined)
    text += (&one == &f.joined.front() ? "\n    the same array also races in " : ", ") + lines_of(one);
  if (f.count > 1)
    text += format("\n    %llu times in all", static_cast<unsigned long long>(f.count));
  text += "\n";
  const std::string line = source_text(f.place);
  if (!line.empty() && f.others.empty()) text += format("  %5d | ", f.place.line) + line + "\n";
  if (!f.hint.empty()) text += "  hint: " + f.hint + "\n";
  fflush(stdout);
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

// ---- beginning and end ----

std::string summary() {
  std::map<std::string, std::pair<size_t, const Kind*>> counts;
  size_t all = 0;
  for (const Finding& f : findings()) {
    if (!is_error(f)) continue;
    auto& entry = counts[kind_of(f).one];
    entry.first++;
    entry.second = &kind_of(f);
    all++;
  }
  const Totals children = totals_of_children();
  const uint64_t launches = launches_checked + children.launches;
  const std::string launched =
      std::to_string(launches) + (launches == 1 ? " launch, " : " launches, ");
  std::string text;
  if (all == 0 && children.findings == 0) {
    text = "no findings: " + launched;
  } else if (all == 0) {
    text = format("%llu %s in the processes that it started: ",
                  static_cast<unsigned long long>(children.findings),
                  children.findings == 1 ? "finding" : "findings") +
           launched;
  } else {
    text = std::to_string(all) + (all == 1 ? " finding: " : " findings: ");
    bool first = true;
    for (const auto& [name, entry] : counts) {
      text += (first ? "" : ", ") + std::to_string(entry.first) + " " +
              (entry.first == 1 ? entry.second->one : entry.second->many);
      first = false;
    }
    if (children.findings > 0)
      text += format(" (and %llu in the processes that it started)",
                     static_cast<unsigned long long>(children.findings));
    text += "; " + launched;
  }
  const double n = static_cast<double>(accesses_checked + children.accesses);
  text += n < 1e3   ? format("%.0f accesses checked", n)
          : n < 1e6 ? format("%.1f thousand accesses checked", n / 1e3)
                    : format("%.1f million accesses checked", n / 1e6);
  return text;
}

bool summed_up = false;

void sum_up() {
  if (summed_up) return;
  summed_up = true;
  flush_findings();
  if (observing()) return observer->program_ends();
  if (is_child()) return count_child();  // its parent sums up
  const size_t hidden = printed > kMostPrinted ? findings().size() - kMostPrinted : 0;
  fflush(stdout);
  std::string text;
  if (hidden > 0) text = format("CPU device: and %zu more\n", hidden);
  text += "CPU device: checked run: " + summary() + "\n";
  const Totals children = totals_of_children();
  if (launches_checked + children.launches + children.findings == 0)
    text += "  no kernel was launched, so no kernel was checked\n";
  else if (children.launches == 0)
    text += not_covered();
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

int exit_code_of_findings() {
  const char* text = getenv("CPU_DEVICE_CHECK_EXIT");
  return text == nullptr || *text == '\0' ? 1 : atoi(text);
}

// Runs after everything else that was registered for the end of the program.
void at_end(int, void*) {
  if (observing()) {
    flush_findings();  // what the runtime explains anyway
    return observer->program_ends();
  }
  tell_late();
  note_unchecked_errors();
  sum_up();
  write_report(findings());
  const bool wrong = std::any_of(findings().begin(), findings().end(), is_error);
  if (!wrong && totals_of_children().findings == 0) return;
  fflush(nullptr);
  _exit(exit_code_of_findings());
}

void at_signal(int number) {
  // What it interrupted may hold a lock that is needed here: then without the rest.
  signal(SIGALRM, SIG_DFL);
  alarm(10);
  sum_up();
  write_report(findings());
  signal(number, SIG_DFL);
  raise(number);
}

__attribute__((constructor)) void start() {
  const char* text = getenv("CPU_DEVICE_CHECK_EXIT");
  if (text != nullptr && *text != '\0') {
    char* end = nullptr;
    const long value = strtol(text, &end, 10);
    if (*end != '\0' || value < 0 || value > 255) {
      fprintf(stderr,
              "CPU device: CPU_DEVICE_CHECK_EXIT must be a whole number from 0 to 255, not '%s'\n",
              text);
      _exit(2);
    }
  }
  check_report_file();
  begin_family();
  prepare_arena();
  prepare_variables();
  begin_observing();
  on_exit(at_end, nullptr);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGXCPU}) {
    struct sigaction before;
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      signal(number, at_signal);
  }
}

}  // namespace

bool count_again(const Finding& finding) {
  const auto known = index().find(key_of(finding));
  if (known == index().end()) return false;
  Finding& f = findings()[known->second];
  f.read_met_write |= finding.read_met_write;
  f.write_met_write |= finding.write_met_write;
  if (strcmp(f.kind, finding.kind) == 0 || !is_race(f.kind) || known->second < printed) {
    f.count++;
    return true;
  }
  for (Finding& variant : f.variants)
    if (strcmp(variant.kind, finding.kind) == 0) {
      variant.count++;
      return true;
    }
  return false;
}

void add_finding(Finding finding) {
  const Muted quiet;
  if (count_again(finding)) return;
  const auto known = index().find(key_of(finding));
  if (known != index().end()) {
    findings()[known->second].variants.push_back(std::move(finding));
    return;
  }
  index()[key_of(finding)] = findings().size();
  findings().push_back(std::move(finding));
}

// Of the kinds of race between two lines: what atomics order, if that is most of it; else the
// widest.
static void choose_kind(Finding& f) {
  if (f.variants.empty()) return;
  const auto rank = [](const Finding& one) {
    int at = 0;
    for (const char* kind : {"race-warp", "race-block", "race-grid", "race-kernels"}) {
      if (strcmp(one.kind, kind) == 0) return at;
      at++;
    }
    return 10;
  };
  std::vector<Finding> all;
  all.swap(f.variants);
  all.push_back(f);
  uint64_t total = 0, by_atomics = 0;
  for (const Finding& one : all) {
    total += one.count;
    if (rank(one) == 10) by_atomics += one.count;
  }
  const bool atomics = by_atomics * 2 >= total;
  const Finding* best = nullptr;
  for (const Finding& one : all) {
    if ((rank(one) == 10) != atomics) continue;
    if (best == nullptr || rank(one) > rank(*best) ||
        (rank(one) == rank(*best) && one.count > best->count))
      best = &one;
  }
  Finding chosen = *best;
  chosen.count = total;
  chosen.read_met_write = f.read_met_write;
  chosen.write_met_write = f.write_met_write;
  f = std::move(chosen);
}

// x = x + 1 by two threads: what they read others write, and they write it both. Atomics, fences and
// barriers of the other kinds of race say more.
static void name_lost_update(Finding& f) {
  const size_t colon = f.title.find(": race in kernel ");
  if (!f.read_met_write || !f.write_met_write || colon == std::string::npos) return;
  for (const char* kind : {"race-warp", "race-block", "race-grid"})
    if (strcmp(f.kind, kind) == 0) {
      f.title = "lost update" + f.title.substr(colon);
      f.hint = std::string("x = x + 1 reads, adds and writes, and two threads at once lose one of the sums; "
                           "atomicAdd(&x, 1) does not. ") +
               (strcmp(kind, "race-grid") == 0
                    ? "If they must not meet: look at the index"
                    : "If one is meant to come after the other: a barrier between them");
    }
}

// Finds them all by what they are known by.
static void index_all() {
  index().clear();
  for (size_t i = 0; i < findings().size(); i++) {
    index()[key_of(findings()[i])] = i;
    for (const Finding& one : findings()[i].joined) index()[key_of(one)] = i;
  }
}

// Numbers that grow beyond their type where a race is: the race is the mistake. And reads that an
// atomicCAS() makes sure of.
static void drop_consequences() {
  auto& all = findings();
  const auto is_race_at = [&](const std::string& line) {
    return std::any_of(all.begin(), all.end(), [&](const Finding& f) {
      return (is_race(f.kind) || strcmp(f.kind, "warp-sync") == 0) &&
             (name(f.place) == line ||
              std::any_of(f.others.begin(), f.others.end(),
                          [&](const Second& other) { return name(other.place) == line; }));
    });
  };
  const auto is_consequence = [&](const Finding& f) {
    return strcmp(f.kind, "arithmetic") == 0 && is_race_at(name(f.place));
  };
  for (size_t i = printed; i < all.size();) {
    if (is_consequence(all[i]) || is_guess(all[i].plain_read))
      all.erase(all.begin() + static_cast<long>(i));
    else
      i++;
  }
  index_all();
}

bool is_plain_race(const Finding& f) {
  for (const char* kind : {"race-warp", "race-block", "race-grid"})
    if (strcmp(f.kind, kind) == 0) return true;
  return false;
}

// One missing barrier makes a race of every two lines that touch the array. Which of them says most: a read in
// one line and a write in another; then that which comes first.
static std::tuple<int, int, int> importance(const Finding& f) {
  const int one = f.place.line, other = f.others[0].place.line;
  const bool says_little = one == other || f.title.compare(0, 7, "several") == 0;
  return {says_little, std::min(one, other), std::max(one, other)};
}

static std::set<std::string> places_of(const Finding& f) {
  std::set<std::string> places{name(f.place), name(f.others[0].place)};
  for (const Finding& one : f.joined) places.merge(places_of(one));
  return places;
}

// Races of a kernel on one array that share lines are one finding, with the lines of the others.
static void join_races() {
  auto& all = findings();
  for (size_t i = printed; i < all.size(); i++)
    for (size_t k = i + 1; k < all.size();) {
      Finding &a = all[i], &b = all[k];
      bool joins = !a.array.empty() && a.array == b.array && is_plain_race(a) && is_plain_race(b);
      if (joins) {
        const auto places = places_of(a);
        joins = places.count(name(b.place)) + places.count(name(b.others[0].place)) > 0;
      }
      if (!joins) {
        k++;
        continue;
      }
      if (importance(b) < importance(a)) {
        std::swap(a, b);
        a.joined.swap(b.joined);
      }
      a.joined.push_back(std::move(b));
      all.erase(all.begin() + static_cast<long>(k));
      k = i + 1;  // it may share lines with those that did not share any before
    }
  for (size_t i = printed; i < all.size(); i++)
    std::sort(all[i].joined.begin(), all[i].joined.end(),
              [](const Finding& a, const Finding& b) { return importance(a) < importance(b); });
  index_all();
}

void flush_findings() {
  const Muted quiet;
  if (printed == findings().size()) return;
  drop_consequences();
  for (size_t i = printed; i < findings().size(); i++) {
    choose_kind(findings()[i]);
    name_lost_update(findings()[i]);
  }
  join_races();
  for (; printed < findings().size(); printed++) {
    if (printed < kMostPrinted) print(findings()[printed]);
    watch::finding(findings()[printed]);
    if (is_child()) child_found(findings()[printed]);
  }
  write_report(findings());
}

// The program is about to be killed by a signal.
void end_by_signal() {
  sum_up();
  write_report(findings());
}

void explained(const char* kind, Site site, const std::string& what, const std::string& hint) {
  const Muted quiet;
  // A launch that failed is a finding only if nobody asks (note_unchecked_errors).
  const bool note = what.compare(0, 6, "note: ") == 0 || strcmp(kind, "launch") == 0;
  Finding finding;
  finding.kind = kind;
  finding.level = note ? "note" : "error";
  finding.place = {site.file == nullptr ? "" : site.file, site.line};
  finding.title = what.compare(0, 6, "note: ") == 0 ? what.substr(6) : what;
  finding.hint = hint;
  add_finding(std::move(finding));
  flush_findings();
}

std::string take_all() {
  tell_late();
  flush_findings();
  std::string text;
  std::vector<const Finding*> all;
  for (const Finding& f : findings()) {
    all.push_back(&f);
    for (const Finding& one : f.joined) all.push_back(&one);
  }
  for (const Finding* at : all) {
    const Finding& f = *at;
    if (!is_error(f)) continue;
    text += f.kind + (" " + f.place.file) + ":" + std::to_string(f.place.line);
    for (const Second& other : f.others)
      if (strcmp(other.role, "access") == 0)
        text += " " + other.place.file + ":" + std::to_string(other.place.line);
    text += "\n";
  }
  findings().clear();
  index().clear();
  printed = 0;
  return text;
}

}  // namespace cpu_device::check

namespace cpu_device {

std::string take_findings() {
  cudaDeviceSynchronize();
  return check::take_all();
}

}  // namespace cpu_device
