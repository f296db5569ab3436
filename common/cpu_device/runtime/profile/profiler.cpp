// Counts what each kernel and line asks of the machine, and writes it as JSON:
// CPU_DEVICE_PROFILE=FILE.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "../check/source_lines.h"
#include "../check/workers.h"
#include "../check/observer.h"
#include "../check/whole_file.h"
#include "profile.h"
#include "warp_replay.h"
#include "memory_requests.h"

namespace cpu_device::check {

namespace {

// What is counted of a line's accesses of one kind.
struct Counts {
  uint64_t requests = 0, lanes = 0;
  uint64_t sectors = 0, fewest = 0, bytes = 0;  // global memory; bytes: different ones
  uint64_t conflicts = 0;                       // shared memory
  uint64_t addresses = 0;                       // constant memory and atomics: different ones
  uint64_t most_on_one = 0;                     // atomics: the most lanes in any request
  int64_t distance = 0;                         // bytes from lane to lane, if always the same
  bool distances_differ = false;
  unsigned access_bytes = 0;  // of one lane; 0: of several sizes
};

using Line = std::pair<std::string, int>;

// Launches of one kernel with one configuration.
struct Kernel {
  uint64_t launches = 0, warps = 0, barriers = 0, threads = 0;
  std::map<std::pair<Line, std::string>, Counts> counts;
  std::map<Line, uint64_t> divergent;
  std::set<std::pair<uintptr_t, size_t>> shared;  // variables that are used
};

// What was queued in one stream.
struct StreamCounts {
  int device;
  uint64_t kernels = 0, copies = 0;  // copies: and fills
  uint64_t overlapping = 0;  // of both: what nothing keeps behind all that other streams did before
  uint64_t last_step = 0;
};

struct Configuration {
  std::string name;
  dim3 grid, block;
  size_t shared_bytes;
  Site site;

  auto key() const {
    return std::make_tuple(name, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
  }
  bool operator<(const Configuration& other) const { return key() < other.key(); }
};

// Memory of a kernel's parameter, and how elements in it are aligned.
struct Array {
  Range range;
  size_t alignment;
};

std::string json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

const char* kind_of(Note note) {
  const bool reads = is_read(access_of(note));
  const Space space = space_of(note);
  if (space == Space::constant) return "constant_load";
  if (access_of(note) == Access::atomic) {
    if (space == Space::shared) return "shared_atomic";
    return result_used(note) ? "global_atomic" : "global_reduction";
  }
  if (space == Space::shared) return reads ? "shared_load" : "shared_store";
  return reads ? "global_load" : "global_store";
}

class Profiler : public Observer, private Consumer {
 public:
  explicit Profiler(std::string path) : path_(std::move(path)) {}

  void operation_begins(const Operation& operation) override {
    const bool moves = strcmp(operation.what, "copy") == 0 || strcmp(operation.what, "memset") == 0;
    if (!operation.is_kernel && !moves) return;
    const Moment& moment = operation.moment;
    StreamCounts& own = streams_[moment.timeline];
    own.device = operation.device;
    (operation.is_kernel ? own.kernels : own.copies)++;
    own.last_step = moment.step;
    for (const auto& [timeline, other] : streams_) {
      const uint64_t known = timeline < moment.before.size() ? moment.before[timeline] : 0;
      if (timeline == moment.timeline || other.last_step <= known) continue;
      own.overlapping++;
      break;
    }
  }

  void launch_begins(const Launch& launch) override {
    const Configuration configuration{launch.type.name, launch.grid, launch.block,
                                      launch.shared_bytes, launch.site};
    kernel_ = &kernels_[configuration];
    kernel_->launches++;
    const uint64_t threads = uint64_t(launch.block.x) * launch.block.y * launch.block.z;
    const uint64_t blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    kernel_->threads += threads * blocks;
    kernel_->warps += (threads + 31) / 32 * blocks;
    arrays_.clear();
    for (const NamedPointer& p : launch.named)
      if (const Block* block = find_block(p.pointer))
        arrays_.push_back({{block->base, block->base + block->bytes}, p.alignment});
    warps_.clear();
    last_worker_ = nullptr;
    counts_at_.clear();
    divergent_at_.clear();
    last_shared_ = {0, 0};
  }

  void block_begins(Worker& worker) override {
    Warps& warps = warps_of(worker);
    const unsigned count = (worker.threads + 31) / 32;
    for (unsigned i = 0; i < count; i++) {
      if (i == warps.size()) warps.push_back(std::make_unique<Warp>());
      warps[i]->begin(std::min(32u, worker.threads - 32 * i));
    }
  }

  Log& log_of(const Running& r) override { return lane_of(r).log; }

  void thread_ends(const Running& r) override {
    Warp& warp = warp_of(r);
    warp.end(r.lane());
    warp.replay(this);
  }

  void thread_waits(const Running& r) override {
    const WaitKind kind = r.worker->states[r.thread].kind;
    if (kind == WaitKind::barrier) note(r, make_note(What::barrier));
    warp_of(r).wait(r.lane(), kind == WaitKind::spinning || kind == WaitKind::yielding);
    warp_of(r).replay(this);
  }

  void shared_variable(Worker&, const SharedVariable& v) override {
    if (v.name == nullptr) return;
    for (SharedVariable& known : shared_)
      if (known.base == v.base) {
        known = v;
        return;
      }
    shared_.push_back(v);
  }

  void note(const Running& r, Note note) override {
    Lane& lane = lane_of(r);
    const bool is_way = what_of(note) == What::block || what_of(note) == What::comparison;
    if (what_of(note) != What::comparison) lane.let_all_go();
    if (is_way && lane.log.way_bytes == 0) return;
    make_way(lane);
    lane.note(note);
  }

  void block_ends(const Running& r) override { lane_of(r).let_all_go(); }

  void access(const Running& r, const Seen& seen, KnownPlace* known) override {
    Lane& lane = lane_of(r);
    make_way(lane);
    const size_t alignment = alignment_at(seen.address, seen.space, &known->memory);
    const auto note_of = [&](size_t bytes) {
      return access_note(seen.place, seen.access, seen.space, bytes, seen.result_used);
    };
    if (is_one_access(seen)) {
      known->note = note_of(seen.bytes);
      known->alignment = to_join(known->note, alignment);
      return add(lane, known->note, seen.address, known->alignment);
    }
    // What the compiler hands over as a range, a lane of a GPU loads in pieces. They need not be
    // told the next time if there is nothing to find out about any of them.
    const size_t piece = piece_of(seen, alignment);
    bool simple = seen.bytes % piece == 0 && piece == piece_for(alignment);
    for (size_t at = 0; at < seen.bytes; at += piece) {
      const Note note = note_of(std::min(piece, seen.bytes - at));
      const size_t of_piece =
          to_join(note, alignment_at(seen.address + at, seen.space, &known->memory));
      simple = simple && of_piece == 0;
      add(lane, note, seen.address + at, of_piece);
    }
    if (simple) known->note = note_of(piece);
  }

  void known_access(const Running& r, const KnownPlace& place, uintptr_t address) override {
    Lane& lane = lane_of(r);
    make_way(lane);
    add(lane, place.note, address, place.alignment);
  }

  void program_ends() override {
    if (written_) return;
    written_ = true;
    // The parent of a process that has launched kernels leaves its file alone.
    if (kernels_.empty() && ::access(path_.c_str(), F_OK) == 0) return;
    write();
  }

 private:
  static constexpr size_t kFurthest = 16;  // accesses back to which another is joined
  using Warps = std::vector<std::unique_ptr<Warp>>;

  static bool is_power_of_2(size_t n) { return (n & (n - 1)) == 0; }
  static bool is_one_access(const Seen& seen) {
    const bool is_range = place(seen.place).bytes == 0;
    return seen.bytes <= 16 && is_power_of_2(seen.bytes) && !is_range;
  }

  Warps& warps_of(Worker& worker) {
    if (&worker != last_worker_) {
      last_worker_ = &worker;
      last_warps_ = &warps_[&worker];
    }
    return *last_warps_;
  }
  Warp& warp_of(const Running& r) { return *warps_of(*r.worker)[r.warp()]; }
  Lane& lane_of(const Running& r) { return warp_of(r).lane(r.lane()); }

  // The other lanes may catch up, before this one fills the memory.
  static void make_way(const Lane& lane) {
    constexpr size_t kMostPending = 1 << 13;
    const size_t pending = lane.log.notes.pending();
    if (pending > 0 && pending % kMostPending == 0) let_others_catch_up();
  }

  // How elements at the address are aligned; makes `where` no larger than where that holds.
  size_t alignment_at(uint64_t address, Space space, Range* where) const {
    size_t best = 0;
    const auto look_at = [&](Range range, size_t alignment) {
      if (range.contains(address)) {
        best = std::max(best, alignment);
        *where = {std::max(where->low, range.low), std::min(where->high, range.high)};
      } else if (range.low > address) {
        where->high = std::min(where->high, range.low);
      } else {
        where->low = std::max(where->low, range.high);
      }
    };
    if (space == Space::shared) {
      for (const SharedVariable& v : shared_)
        look_at({v.base, v.base + v.bytes}, v.element & -v.element);  // 4 of a float3's 12
    } else {
      for (const Array& a : arrays_) look_at(a.range, a.alignment);
    }
    return best;
  }

  // In which pieces a structure is loaded: by its type's alignment.
  static size_t piece_for(size_t alignment) {
    const size_t piece = std::min<size_t>(alignment, 16);
    return piece == 0 || !is_power_of_2(piece) ? 4 : piece;
  }
  static size_t piece_of(const Seen& seen, size_t alignment) {
    size_t piece = piece_for(alignment);
    while (piece > 1 && (seen.bytes % piece != 0 || seen.address % piece != 0)) piece /= 2;
    return piece;
  }

  // The alignment of elements there, if such an access may be a part of a larger one; otherwise 0.
  size_t to_join(Note note, size_t alignment) {
    const unsigned bytes = bytes_of(note);
    const bool may_be = is_plain(access_of(note)) && space_of(note) != Space::constant &&
                        bytes <= 8 && (alignment > bytes || in_header(place_of_note(note)));
    return may_be ? std::max<size_t>(alignment, 1) : 0;
  }

  // `alignment`: see to_join().
  void add(Lane& lane, Note note, uint64_t address, size_t alignment) {
    if (alignment == 0 && lane.held.empty()) return lane.access(note, address);
    if (alignment != 0 && join(lane, note, address, alignment)) return;
    constexpr size_t kMostHeld = 64;
    if (lane.held.size() == kMostHeld) lane.let_go(kMostHeld - kFurthest);
    lane.hold(note, address);
  }

  // The components of a float4 or uchar4 that are read or written one by one in a basic block: nvcc
  // makes one access of them where nothing in between may touch the same memory.
  bool join(Lane& lane, Note note, uint64_t address, size_t alignment) {
    const unsigned bytes = bytes_of(note), line = place_of_note(note);
    const Access access = access_of(note);
    const auto same_vector = [&](const Held& e) {
      return space_of(e.note) == space_of(note) && alignment > bytes &&
             (e.address ^ address) < alignment;  // a power of 2
    };
    for (size_t back = 1; back <= std::min(kFurthest, lane.held.size()); back++) {
      Held& before = lane.held[lane.held.size() - back];
      const unsigned other = place_of_note(before.note);
      const bool beside =
          access_of(before.note) == access && space_of(before.note) == space_of(note) &&
          (before.address + bytes_of(before.note) == address || address + bytes == before.address);
      const auto made_together = [&] {
        return back == 1 && in_header(other) && in_header(line) && line_of(other) == line_of(line);
      };
      const size_t joined = bytes_of(before.note) + bytes;
      if (beside && joined <= 16 && (same_vector(before) || made_together())) {
        before.address = std::min(before.address, address);
        before.note += uint64_t(bytes) << kBytesAt;
        return true;
      }
      const bool both_read = access == Access::read && access_of(before.note) == Access::read;
      if (!same_vector(before) && !both_read) return false;
    }
    return false;
  }

  // ---- what the replay gives ----

  // Components that were joined: a load takes all of the vector that there is room for, stores come
  // in pieces that are aligned.
  void request(Note note, Request& r) override {
    const uint64_t first = r.address[0];
    if (space_of(note) == Space::shared) note_shared(first);
    unsigned left = bytes_of(note);
    if (is_power_of_2(left) && first % left == 0) return count(note, left, r);
    if (access_of(note) == Access::read) {
      unsigned whole = 4;
      while (whole < 16 && first / whole != (first + left - 1) / whole) whole *= 2;
      for (unsigned i = 0; i < r.count; i++) r.address[i] -= first % whole;
      left = whole;
    }
    while (left > 0) {
      unsigned piece = 16;
      while (piece > left || r.address[0] % piece != 0) piece /= 2;
      count(note, piece, r);
      for (unsigned i = 0; i < r.count; i++) r.address[i] += piece;
      left -= piece;
    }
  }

  void count(Note note, unsigned bytes, Request& r) {
    r.bytes = bytes;
    const Pattern pattern(r);
    Counts& c = counts_at(note);
    c.access_bytes = c.requests == 0 || c.access_bytes == bytes ? bytes : 0;
    if (r.count > 1) {
      if (c.requests == c.lanes) c.distance = pattern.distance;  // the first with a second lane
      c.distances_differ |= !pattern.even || pattern.distance != c.distance;
    }
    c.requests++;
    c.lanes += r.count;
    if (space_of(note) == Space::global) {
      c.sectors += access_of(note) == Access::atomic ? pattern.atomic_sectors : pattern.sectors;
      c.fewest += pattern.fewest_sectors;
      c.bytes += pattern.bytes;
    }
    if (space_of(note) == Space::shared) c.conflicts += bank_conflicts(r, access_of(note) == Access::write);
    c.addresses += pattern.addresses;
    c.most_on_one = std::max<uint64_t>(c.most_on_one, pattern.most_on_one);
  }

  // A place mostly accesses in one way, so that it is looked for once in a launch.
  Counts& counts_at(Note note) {
    const unsigned number = place_of_note(note);
    if (counts_at_.size() <= number) counts_at_.resize(number + 1, {nullptr, nullptr});
    auto& [kind, counts] = counts_at_[number];
    if (kind != kind_of(note)) {
      kind = kind_of(note);
      counts = &kernel_->counts[{line_of(number), kind}];
    }
    return *counts;
  }

  void note_shared(uint64_t address) {
    if (last_shared_.contains(address)) return;
    for (const SharedVariable& v : shared_)
      if (address - v.base < v.bytes && v.base != reinterpret_cast<uintptr_t>(dynamic_shared())) {
        kernel_->shared.insert({v.base, v.bytes});
        last_shared_ = {v.base, v.base + v.bytes};
      }
  }

  void barrier(unsigned lanes) override { kernel_->barriers += lanes; }

  void divergence(uint32_t comparison, uint32_t block) override {
    const uint32_t code = comparison != 0 ? comparison : block;
    uint64_t*& count = divergent_at_[code];
    if (count == nullptr)
      count = &kernel_->divergent[line_at(code == 0 ? nullptr : counter_of(code))];
    ++*count;
  }

  // ---- lines ----

  static Line line_at(const void* counter) {
    const SourcePlace at = source_place({counter, {nullptr, 0}, Access::read, Scope::system, 0});
    return {at.file, at.line};
  }
  const Line& line_of(unsigned number) {
    if (lines_.size() <= number) lines_.resize(number + 1, {"", -1});
    if (lines_[number].second < 0) {
      const SourcePlace at = source_place(place(number));
      lines_[number] = {at.file, at.line};
    }
    return lines_[number];
  }
  bool in_header(unsigned number) {
    enum : char { unknown, no, yes };
    if (in_header_.size() <= number) in_header_.resize(number + 1, unknown);
    if (in_header_[number] == unknown)
      in_header_[number] =
          place(number).counter != nullptr && is_own_header(place(number)) ? yes : no;
    return in_header_[number] == yes;
  }

  // ---- the file ----

  static std::string text_of(const std::pair<const std::pair<Line, std::string>, Counts>& entry) {
    const Counts& c = entry.second;
    std::string text = "        {\"file\": " + json(entry.first.first.first) +
                       ", \"line\": " + std::to_string(entry.first.first.second) +
                       ", \"kind\": " + json(entry.first.second);
    const auto add = [&](const char* name, int64_t value) {
      text += std::string(", \"") + name + "\": " + std::to_string(value);
    };
    add("requests", static_cast<int64_t>(c.requests));
    add("lanes", static_cast<int64_t>(c.lanes));
    add("access_bytes", c.access_bytes);
    add("sectors", static_cast<int64_t>(c.sectors));
    add("fewest_sectors", static_cast<int64_t>(c.fewest));
    add("bytes_used", static_cast<int64_t>(c.bytes));
    add("bank_conflicts", static_cast<int64_t>(c.conflicts));
    add("addresses", static_cast<int64_t>(c.addresses));
    add("most_lanes_on_one_address", static_cast<int64_t>(c.most_on_one));
    if (!c.distances_differ && c.lanes > c.requests) add("lane_distance_bytes", c.distance);
    return text + "}";
  }

  static std::string text_of(const Configuration& k, const Kernel& kernel) {
    size_t shared = k.shared_bytes;
    for (const auto& variable : kernel.shared) shared += variable.second;
    std::string text = format(
        "    {\"kernel\": %s, \"launched_at\": %s, \"grid\": [%u, %u, %u], \"block\": [%u, %u, "
        "%u],\n"
        "      \"launches\": %llu, \"threads\": %llu, \"warps\": %llu, \"barriers_per_thread\": "
        "%.6g, "
        "\"shared_bytes_per_block\": %zu,\n      \"accesses\": [",
        json(k.name).c_str(),
        json(std::string(k.site.file == nullptr ? "" : k.site.file) + ":" +
             std::to_string(k.site.line))
            .c_str(),
        k.grid.x, k.grid.y, k.grid.z, k.block.x, k.block.y, k.block.z,
        static_cast<unsigned long long>(kernel.launches),
        static_cast<unsigned long long>(kernel.threads),
        static_cast<unsigned long long>(kernel.warps),
        static_cast<double>(kernel.barriers) / static_cast<double>(kernel.threads), shared);
    const char* separator = "\n";
    for (const auto& entry : kernel.counts) {
      text += separator + text_of(entry);
      separator = ",\n";
    }
    text += "],\n      \"divergent_branches\": [";
    separator = "\n";
    for (const auto& [line, count] : kernel.divergent) {
      text += separator + ("        {\"file\": " + json(line.first)) +
              ", \"line\": " + std::to_string(line.second) +
              ", \"count\": " + std::to_string(count) + "}";
      separator = ",\n";
    }
    return text + "]}";
  }

  void write() const {
    const cudaDeviceProp& p = properties();
    std::string text = format(
        "{\n  \"device\": {\"threads_per_multiprocessor\": %d, \"blocks_per_multiprocessor\": %d, "
        "\"shared_bytes_per_multiprocessor\": %zu, \"reserved_shared_bytes_per_block\": %zu},\n"
        "  \"kernels\": [",
        p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor, p.sharedMemPerMultiprocessor,
        p.reservedSharedMemPerBlock);
    const char* separator = "\n";
    for (const auto& [configuration, kernel] : kernels_) {
      text += separator + text_of(configuration, kernel);
      separator = ",\n";
    }
    text += "],\n  \"streams\": [";
    separator = "\n";
    for (const auto& [timeline, stream] : streams_) {
      text += separator;
      text += "    {\"device\": " + std::to_string(stream.device) +
              ", \"kernels\": " + std::to_string(stream.kernels) +
              ", \"copies\": " + std::to_string(stream.copies) +
              ", \"overlapping\": " + std::to_string(stream.overlapping) + "}";
      separator = ",\n";
    }
    text += "]\n}\n";
    if (write_whole_file(path_, text)) return;
    fprintf(stderr, "CPU device: CPU_DEVICE_PROFILE: cannot write '%s': %s\n", path_.c_str(),
            strerror(errno));
  }

  const std::string path_;
  bool written_ = false;
  std::map<Configuration, Kernel> kernels_;
  std::map<unsigned, StreamCounts> streams_;  // by their timelines, see check::Moment
  Kernel* kernel_ = nullptr;
  std::vector<Array> arrays_;
  std::vector<SharedVariable> shared_;

  std::map<Worker*, Warps> warps_;  // of the blocks that run
  Worker* last_worker_ = nullptr;
  Warps* last_warps_ = nullptr;

  // Of this launch: what is counted where, by the number of the place, by the code.
  std::vector<std::pair<const char*, Counts*>> counts_at_;
  std::unordered_map<uint32_t, uint64_t*> divergent_at_;
  Range last_shared_{0, 0};

  std::vector<Line> lines_;  // by the number of the place
  std::vector<char> in_header_;
};

}  // namespace

Observer* make_profiler(const char* path) {
  char whole[PATH_MAX];  // the program may change its folder
  if (path[0] != '/' && getcwd(whole, sizeof whole - strlen(path) - 2) != nullptr) {
    strcat(whole, "/");
    strcat(whole, path);
    path = whole;
  }
  check_writable("CPU_DEVICE_PROFILE", path);
  if (!has_branches()) {
    fprintf(stderr, "CPU device: CPU_DEVICE_PROFILE: compile the program with nvcc --branches\n");
    _exit(2);
  }
  return new Profiler(path);
}

}  // namespace cpu_device::check
