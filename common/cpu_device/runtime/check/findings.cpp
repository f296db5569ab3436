// The findings: each once, on stderr as they are found; the summary at the end.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "../device/lasting.h"
#include "../watch/watch.h"
#include "observer.h"
#include "findings.h"
#include "active_lanes.h"
#include "coverage.h"
#include "launches.h"
#include "leaks.h"
#include "places.h"
#include "sarif.h"
#include "schedules.h"
#include "shadow.h"
#include "source_lines.h"
#include "uninitialized_reads.h"
#include "unread_results.h"
#include "variables.h"

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
      {"race-warp", "race", "races", "two lanes of a warp access the same memory without synchronization"},
      {"race-block", "race", "races", "two threads of a block access the same memory without synchronization"},
      {"race-grid", "race", "races", "threads of two blocks access the same memory without synchronization"},
      {"race-fence", "missing fence", "missing fences",
       "an atomic orders only its own word; other memory needs a fence"},
      {"race-scope", "scope too narrow", "scopes too narrow",
       "the scope of a fence or an atomic does not include the other thread"},
      {"race-atomic", "race", "races", "a non-atomic access to memory that other threads update atomically"},
      {"race-volatile", "missing fence", "missing fences",
       "a volatile flag orders only its own word; other memory needs a fence"},
      {"race-same-value", "race", "races",
       "several threads write the same value to the same address without synchronization"},
      {"race-exclusion", "race", "races",
       "a lock or a flag lets two threads in at the same time under another schedule"},
      {"lost-update", "lost update", "lost updates", "a thread loses or overwrites an update"},
      {"warp-sync", "warp-synchronous code", "places with warp-synchronous code",
       "the code assumes that the lanes of a warp run in lockstep"},
      {"race-kernels", "missing stream order", "missing stream orders",
       "two operations of different streams access the same memory in no defined order"},
      {"race-host", "race", "races", "host code and the device access the same memory at the same time"},
      {"out-of-bounds", "out-of-bounds access", "out-of-bounds accesses", "an access beyond an array"},
      {"misaligned", "misaligned access", "misaligned accesses",
       "the address of an access is not a multiple of its size"},
      {"uninitialized", "uninitialized read", "uninitialized reads",
       "memory is read before it is initialized"},
      {"unwritten-copy", "unwritten result", "unwritten results",
       "the host reads a result that no kernel or copy wrote"},
      {"wrong-side", "wrong memory space", "wrong memory spaces",
       "a kernel uses host memory, or host code uses device memory"},
      {"use-after-free", "use after free", "uses after free", "memory is used after it was freed"},
      {"freed-in-use", "memory freed while in use", "pieces of memory freed while in use",
       "memory is freed while the device may still use it"},
      {"arithmetic", "arithmetic error", "arithmetic errors",
       "overflow, a shift by too many bits, or division by zero"},
      {"wrong-pointer", "wrong argument", "wrong arguments", "a call gets an argument that does not fit"},
      {"unsupported", "unsupported call", "unsupported calls",
       "the CPU device does not support this call; the program may be correct"},
      {"no-progress", "endless kernel", "endless kernels", "threads wait or run forever"},
      {"lock-order", "lock order", "lock orders",
       "threads take two locks in opposite orders, so they may wait for each other forever"},
      {"call-order", "wrong call order", "wrong call orders",
       "a call comes before another call that it depends on"},
      {"unchecked", "unchecked error", "unchecked errors",
       "a launch failed, and the program did not check for errors"},
      {"barrier", "divergent barrier", "divergent barriers", "some threads do not reach a barrier"},
      {"shuffle", "incomplete warp operation", "incomplete warp operations",
       "some lanes do not reach a warp operation"},
      {"unread-result", "unread result", "unread results", "a kernel writes to memory that nothing ever reads"},
      {"leak", "leak", "leaks", "memory or an object that the program never releases"},
      {"launch", "failed launch", "failed launches", "a launch that is not possible"},
      {"other", "other error", "other errors", "an error that the CPU device explains"},
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
  return one == other ? format("line %d", one)
                      : format("lines %d and %d", std::min(one, other), std::max(one, other));
}

// Where else the same mistake shows: first in the same array, then in others.
std::string joined_in_words(const Finding& f) {
  std::string same, others;
  for (const Finding& one : f.joined) {
    if (one.array == f.array) {
      same += (same.empty() ? "" : ", ") + lines_of(one);
      continue;
    }
    const std::string name = one.array_name.empty() ? "other memory" : one.array_name;
    others += "\n    race on " + name + ": " + lines_of(one);
  }
  const char* more = is_race(f.kind) ? "other races on this array: " : "the same error on this array: ";
  return (same.empty() ? "" : std::string("\n    ") + more + same) + others;
}

void print(const Finding& f) {
  std::string text;
  if (f.place.line > 0) text = f.place.file + ":" + std::to_string(f.place.line) + ": ";
  text += "CPU device: " + std::string(is_error(f) ? "" : "note: ") + f.title + f.details;
  text += joined_in_words(f);
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
    text = format("%llu %s in child processes: ",
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
      text += format(" (and %llu in child processes)",
                     static_cast<unsigned long long>(children.findings));
    text += "; " + launched;
  }
  const double n = static_cast<double>(accesses_checked + children.accesses);
  text += n == 1    ? "1 access checked"
          : n < 1e3 ? format("%.0f accesses checked", n)
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
  if (hidden > 0) text = format("CPU device: %zu more findings are not printed\n", hidden);
  text += "CPU device: checked run: " + summary() + "\n";
  const Totals children = totals_of_children();
  if (launches_checked + children.launches + children.findings == 0)
    text += "  no kernel was launched, so no kernel was checked\n";
  else if (children.launches == 0)
    text += not_covered();
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

// A setting of the user's; the program ends if it is no exit code.
int exit_code(const char* name, int otherwise) {
  const char* text = getenv(name);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const long value = strtol(text, &end, 10);
  if (*end == '\0' && value >= 0 && value <= 255) return static_cast<int>(value);
  fprintf(stderr, "CPU device: %s must be a whole number from 0 to 255, not '%s'\n", name, text);
  _exit(2);
}

// Runs after everything else that was registered for the end of the program.
void at_end(int status, void*) {
  if (observing()) {
    flush_findings();  // what the runtime explains anyway
    return observer->program_ends();
  }
  tell_late();
  tell_unset_constants();
  note_unchecked_errors();
  note_active_lanes(status);
  if (!is_child()) note_unread_results(), note_leaks();
  sum_up();
  write_report(findings());
  const bool wrong = std::any_of(findings().begin(), findings().end(), is_error);
  if (!wrong && totals_of_children().findings == 0) return;
  const bool mild = wrong && totals_of_children().findings == 0 &&
                    std::all_of(findings().begin(), findings().end(),
                                [](const Finding& f) { return !is_error(f) || (strcmp(f.level, "warning") == 0 && !f.values_matter); });
  const int code = exit_code("CPU_DEVICE_CHECK_EXIT", 1);
  const int chosen = mild ? exit_code("CPU_DEVICE_SAME_VALUE_EXIT", code) : code;
  if (mild && chosen == 0) return;
  fflush(nullptr);
  _exit(chosen);
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

__attribute__((constructor(kFirst))) void start() {
  exit_code("CPU_DEVICE_CHECK_EXIT", 1);
  exit_code("CPU_DEVICE_SAME_VALUE_EXIT", 1);
  for (const char* setting : {"CPU_DEVICE_LEAKS", "CPU_DEVICE_UNREAD"}) told_as(setting);
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

bool write_races_open = false;

namespace {

struct WriteRace {
  Key key;
  uintptr_t address;
  unsigned bytes;
  unsigned char before[4];
};
std::vector<WriteRace>& write_races() {
  static auto* all = new std::vector<WriteRace>;
  return *all;
}

}  // namespace

void note_write_race(const Finding& finding, uintptr_t address, unsigned bytes) {
  WriteRace race{key_of(finding), address, std::min(bytes, 4u), {}};
  memcpy(race.before, reinterpret_cast<const void*>(address), race.bytes);
  write_races().push_back(std::move(race));
  write_races_open = true;
}

void settle_write_races() {
  if (!write_races_open) return;
  write_races_open = false;
  const Muted quiet;
  for (const WriteRace& race : write_races()) {
    const auto known = index().find(race.key);
    if (known != index().end() && memcmp(race.before, reinterpret_cast<const void*>(race.address), race.bytes) != 0)
      findings()[known->second].values_matter = true;
  }
  write_races().clear();
}

bool count_again(const Finding& finding) {
  const auto known = index().find(key_of(finding));
  if (known == index().end()) return false;
  Finding& f = findings()[known->second];
  f.values_matter |= finding.values_matter;
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

uint64_t findings_known() {
  uint64_t sum = 0;
  for (const Finding& f : findings()) sum += is_error(f) ? f.count : 0;
  return sum;
}

void add_finding(Finding finding) {
  const Muted quiet;
  if (count_again(finding)) return;
  if (is_error(finding)) finding.details += finding.found_under ? *finding.found_under : schedule_in_words();
  const auto known = index().find(key_of(finding));
  if (known != index().end()) {
    findings()[known->second].variants.push_back(std::move(finding));
    return;
  }
  index()[key_of(finding)] = findings().size();
  findings().push_back(std::move(finding));
}

// A barrier that is missing between two lines is that of the counter, too, which one of them changes with
// atomics.
static const Finding* missing_barrier_of(const std::vector<Finding>& all) {
  const Finding* barrier = nullptr;
  for (const Finding& one : all) {
    if (!one.in_block) return nullptr;
    if (strcmp(one.kind, "race-block") == 0 && one.title.compare(0, 15, "missing barrier") == 0)
      barrier = &one;
    else if (strcmp(one.kind, "race-atomic") != 0 && strcmp(one.kind, "race-warp") != 0)
      return nullptr;
  }
  return barrier;
}

// Of the kinds of race between two lines: a barrier that is missing; what atomics order, if that is most of
// it; else the widest.
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
  const Finding* barrier = missing_barrier_of(all);
  const bool atomics = barrier == nullptr && by_atomics * 2 >= total;
  const Finding* best = nullptr;
  for (const Finding& one : all) {
    if ((rank(one) == 10) != atomics) continue;
    if (best == nullptr || rank(one) > rank(*best) ||
        (rank(one) == rank(*best) && one.count > best->count))
      best = &one;
  }
  Finding chosen = barrier != nullptr ? *barrier : *best;
  if (barrier != nullptr)
    for (const Finding& one : all)
      if (strcmp(one.kind, "race-atomic") == 0 && one.array != chosen.array) chosen.joined.push_back(one);
  chosen.count = total;
  chosen.read_met_write = f.read_met_write;
  chosen.write_met_write = f.write_met_write;
  chosen.values_matter = f.values_matter;
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
      f.hint = std::string("x = x + 1 reads, adds and writes. If two threads read the same old value, one update is "
                           "lost. Use atomicAdd(&x, 1). ") +
               (strcmp(kind, "race-grid") == 0
                    ? "If each thread should have its own element, check the index."
                    : "If one access should come before the other, put a barrier between them.");
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

// Numbers that grow beyond their type where a race is: the race is the mistake. What a wrong index reads
// within the array's memory. And reads that an atomicCAS() makes sure of.
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
  const auto leaves_array_at = [&](const std::string& line) {
    return std::any_of(all.begin(), all.end(), [&](const Finding& f) {
      return strcmp(f.kind, "out-of-bounds") == 0 && name(f.place) == line;
    });
  };
  const auto is_consequence = [&](const Finding& f) {
    return (strcmp(f.kind, "arithmetic") == 0 && is_race_at(name(f.place))) ||
           (strcmp(f.kind, "uninitialized") == 0 && leaves_array_at(name(f.place)));
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

static bool is_atomic_race(const Finding& f) { return strcmp(f.kind, "race-atomic") == 0; }

// As far as they are known: those of atomics are not.
static bool is_one_function(const SourcePlace& a, const SourcePlace& b) {
  return a.function.empty() || b.function.empty() || a.function == b.function;
}

// The lines of a race that it spans, if both are in one function.
static bool span_of(const Finding& f, int* low, int* high) {
  const SourcePlace &one = f.place, &other = f.others[0].place;
  if (one.file != other.file || !is_one_function(one, other)) return false;
  *low = std::min(one.line, other.line);
  *high = std::max(one.line, other.line);
  return true;
}

// A counter that is changed with atomics, and an array: would one barrier be between the lines of both?
static bool lacks_same_barrier(const Finding& a, const Finding& b) {
  if (!a.in_block || !b.in_block || is_atomic_race(a) == is_atomic_race(b)) return false;
  const Finding& plain = is_atomic_race(a) ? b : a;
  int low_a, high_a, low_b, high_b;
  return strcmp(plain.kind, "race-block") == 0 && is_one_function(a.place, b.place) &&
         span_of(a, &low_a, &high_a) && span_of(b, &low_b, &high_b) &&
         std::max(low_a, low_b) < std::min(high_a, high_b);
}

// A lock that is taken with an atomic and left with a plain write does not guard what is in between. Nor are
// the places different that such a counter gives away.
static bool follows_from(const Finding& f, const Finding& atomic) {
  int low, high, first, last;
  if (!is_atomic_race(atomic) || atomic.plain_read != 0 || !is_one_function(f.place, atomic.place) ||
      !span_of(atomic, &low, &high) || !span_of(f, &first, &last))
    return false;
  const bool guarded = is_plain_race(f) && low < first && last < high;
  const bool given = strcmp(f.kind, "race-fence") == 0 && first == last && (first == low || first == high);
  return guarded || given;
}

static bool is_one_mistake(const Finding& a, const Finding& b) {
  if (a.kernel.empty() || a.kernel != b.kernel || a.array.empty() || b.array.empty()) return false;
  if (!is_race(a.kind) || !is_race(b.kind)) return strcmp(a.kind, b.kind) == 0 && a.array == b.array;
  const auto joins = [](const Finding& f) { return is_plain_race(f) || is_atomic_race(f); };
  if (a.array == b.array && joins(a) && joins(b)) {
    const auto places = places_of(a);
    return places.count(name(b.place)) + places.count(name(b.others[0].place)) > 0;
  }
  return lacks_same_barrier(a, b) || follows_from(a, b) || follows_from(b, a);
}

// Which of two races says what the mistake is: of one with atomics and one without, the missing barrier.
static bool says_more(const Finding& a, const Finding& b) {
  if (!is_race(a.kind)) return a.place.line < b.place.line;
  if (is_atomic_race(a) == is_atomic_race(b)) return importance(a) < importance(b);
  const Finding& plain = is_atomic_race(a) ? b : a;
  const bool barrier = plain.in_block && is_plain_race(plain) && !std::get<0>(importance(plain));
  return barrier != is_atomic_race(a);
}

// Races of a kernel on one array that share lines are one finding, with the lines of the others; and those
// of two arrays that one barrier would order.
static void join_findings() {
  auto& all = findings();
  for (size_t i = printed; i < all.size(); i++)
    for (size_t k = i + 1; k < all.size();) {
      Finding &a = all[i], &b = all[k];
      if (!is_one_mistake(a, b)) {
        k++;
        continue;
      }
      if (says_more(b, a)) std::swap(a, b);
      for (Finding& one : b.joined) a.joined.push_back(std::move(one));
      b.joined.clear();
      a.joined.push_back(std::move(b));
      all.erase(all.begin() + static_cast<long>(k));
      k = i + 1;  // it may share lines with those that did not share any before
    }
  for (size_t i = printed; i < all.size(); i++)
    std::sort(all[i].joined.begin(), all[i].joined.end(), [](const Finding& a, const Finding& b) {
      return is_race(a.kind) ? importance(a) < importance(b) : a.place.line < b.place.line;
    });
  index_all();
}

// All wrote the same value, as in found = true: its own kind, because the result is right on every GPU.
static void name_same_value(Finding& f) {
  const auto is_one = [](const Finding& one) { return is_plain_race(one) && !one.values_matter; };
  const size_t colon = f.title.find(": race in kernel ");
  if (!is_one(f) || !std::all_of(f.joined.begin(), f.joined.end(), is_one) || colon == std::string::npos) return;
  f.kind = "race-same-value";
  f.level = "warning";
  f.title = "several threads write the same value" + f.title.substr(colon);
  f.hint = "the result of a race is undefined. GPUs store the value correctly if all threads write the same one. Let one "
           "thread write, or use atomicExch(). With CPU_DEVICE_SAME_VALUE_EXIT=0, the program keeps its own exit code "
           "if it has no other finding.";
}

void flush_findings() {
  const Muted quiet;
  settle_write_races();
  if (printed == findings().size()) return;
  drop_consequences();
  for (size_t i = printed; i < findings().size(); i++) {
    choose_kind(findings()[i]);
    name_lost_update(findings()[i]);
  }
  join_findings();
  for (size_t i = printed; i < findings().size(); i++) name_same_value(findings()[i]);
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
  // Threads that read what a race has left go different ways.
  const bool by_race = strcmp(kind, "barrier") == 0 &&
                       std::any_of(findings().begin(), findings().end(), [](const Finding& f) {
                         return f.in_block && f.launch == launches_checked;
                       });
  const bool note = what.compare(0, 6, "note: ") == 0 || strcmp(kind, "launch") == 0 || by_race;
  Finding finding;
  finding.kind = kind;
  finding.level = note ? "note" : "error";
  finding.place = place_of_call(site);
  finding.title = what.compare(0, 6, "note: ") == 0 ? what.substr(6) : what;
  finding.hint = by_race ? "fix the race first. After a race, threads may take different branches." : hint;
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
