// Counts what each kernel and line asks of the machine, and writes it as JSON: CPU_DEVICE_PROFILE=FILE.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "../check/internal_check.h"
#include "profile.h"
#include "replay.h"
#include "requests.h"

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
  unsigned access_bytes = 0;                    // of one lane; 0: of several sizes
};

struct Branch {
  uint64_t divergent = 0;
};

using Line = std::pair<std::string, int>;

// Launches of one kernel with one configuration.
struct Kernel {
  uint64_t launches = 0, warps = 0, barriers = 0, threads = 0;
  std::map<std::pair<Line, std::string>, Counts> counts;
  std::map<Line, Branch> branches;
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
  uintptr_t low, high;
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

const char* kind_of(const Event& e) {
  const bool reads = is_read(e.access);
  if (e.space == Space::constant) return "constant_load";
  if (is_atomic(e.access) && e.access == Access::atomic) {
    if (e.space == Space::shared) return "shared_atomic";
    return e.result_used ? "global_atomic" : "global_reduction";
  }
  if (e.space == Space::shared) return reads ? "shared_load" : "shared_store";
  return reads ? "global_load" : "global_store";
}

class Profiler : public Observer, private Consumer {
 public:
  explicit Profiler(std::string path) : path_(std::move(path)) { block_counter_.push_back(0); }

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
        arrays_.push_back({block->base, block->base + block->bytes, p.alignment});
    blocks_.clear();
  }

  void block_begins(Worker& worker, uint64_t) override {
    BlockOfWorker& block = blocks_[&worker];
    block.warps.resize((worker.threads + 31) / 32);
    for (unsigned i = 0; i < block.warps.size(); i++) {
      if (block.warps[i] == nullptr) block.warps[i] = std::make_unique<Warp>();
      block.warps[i]->begin(std::min(32u, worker.threads - 32 * i), &block_counter_);
    }
    last_worker_ = nullptr;
  }

  void thread_ends(const Running& r) override {
    Warp& warp = warp_of(r);
    warp.end(r.lane());
    warp.replay(this);
  }

  void thread_waits(const Running& r) override {
    Warp& warp = warp_of(r);
    if (r.worker->states[r.thread].kind == WaitKind::barrier) {
      Event event{};
      event.what = What::barrier;
      warp.add(r.lane(), event);
    }
    warp.replay(this);
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

  void basic_block(const Running& r, const void* counter, uintptr_t stack) override {
    Event event{};
    event.what = What::block;
    event.place = block_number(counter);
    event.value = reinterpret_cast<uintptr_t>(r.worker->running->stack) +
                  r.worker->running->stack_bytes - stack;
    add(r, event);
  }

  void comparison(const Running& r, const void* counter) override {
    warp_of(r).compares(r.lane(), block_number(counter));
  }

  void access(const Running& r, const Seen& seen) override {
    // What the compiler hands over as a range, a lane of a GPU loads in pieces.
    const size_t piece = seen.bytes <= 16 && is_power_of_2(seen.bytes) && !is_range(seen)
                             ? seen.bytes
                             : piece_of(seen);
    for (size_t at = 0; at < seen.bytes; at += piece) {
      Event event{};
      event.what = What::access;
      event.value = seen.address + at;
      event.place = seen.place;
      event.bytes = static_cast<uint16_t>(std::min(piece, seen.bytes - at));
      event.access = seen.access;
      event.space = seen.space;
      event.result_used = seen.result_used;
      if (!join(r, event)) add(r, event);
    }
  }

  void program_ends() override {
    if (written_) return;
    written_ = true;
    // The parent of a process that has launched kernels leaves its file alone.
    if (kernels_.empty() && ::access(path_.c_str(), F_OK) == 0) return;
    write();
  }

 private:
  struct BlockOfWorker {
    std::vector<std::unique_ptr<Warp>> warps;
  };

  static bool is_power_of_2(size_t n) { return (n & (n - 1)) == 0; }
  static bool is_range(const Seen& seen) { return place(seen.place).bytes == 0; }

  Warp& warp_of(const Running& r) {
    if (r.worker != last_worker_) {
      last_worker_ = r.worker;
      last_block_ = &blocks_[r.worker];
    }
    return *last_block_->warps[r.warp()];
  }

  void add(const Running& r, const Event& event) {
    Warp& warp = warp_of(r);
    if (event.what == What::block)
      warp.add_block(r.lane(), event);
    else
      warp.add(r.lane(), event);
    // The other lanes may catch up, before this one fills the memory.
    constexpr size_t kMostPending = 1 << 16;
    if (warp.pending(r.lane()) > kMostPending && warp.pending(r.lane()) % kMostPending == 1)
      let_others_catch_up();
  }

  uint32_t block_number(const void* counter) {
    auto& slot = slots_[reinterpret_cast<uintptr_t>(counter) & 4095];
    if (slot.first != counter) {
      const auto [at, is_new] =
          block_numbers_.try_emplace(counter, static_cast<uint32_t>(block_counter_.size()));
      if (is_new) block_counter_.push_back(reinterpret_cast<uintptr_t>(counter));
      slot = {counter, at->second};
    }
    return slot.second;
  }

  size_t alignment_at(uint64_t address, Space space) const {
    size_t best = 0;
    if (space == Space::shared) {
      for (const SharedVariable& v : shared_)
        if (address - v.base < v.bytes) best = v.element & -v.element;  // 4 of a float3's 12
    } else {
      for (const Array& a : arrays_)
        if (address >= a.low && address < a.high) best = std::max(best, a.alignment);
    }
    return best;
  }

  // In which pieces a structure is loaded: by its type's alignment.
  size_t piece_of(const Seen& seen) const {
    size_t piece = std::min<size_t>(alignment_at(seen.address, seen.space), 16);
    if (piece == 0 || !is_power_of_2(piece)) piece = 4;
    while (piece > 1 && (seen.bytes % piece != 0 || seen.address % piece != 0)) piece /= 2;
    return piece;
  }

  // The components of a float4 or uchar4 that are read or written one by one in a basic block: nvcc
  // makes one access of them where nothing in between may touch the same memory.
  bool join(const Running& r, const Event& event) {
    if (!is_plain(event.access) || event.space == Space::constant || event.bytes > 8) return false;
    constexpr int kFurthest = 16;
    Warp& warp = warp_of(r);
    const bool reads = event.access == Access::read;
    const size_t alignment = alignment_at(event.value, event.space);
    const auto same_vector = [&](const Event& e) {
      return e.space == event.space && alignment > event.bytes &&
             e.value / alignment == event.value / alignment;
    };
    for (int back = 1; back <= kFurthest; back++) {
      Event* before = warp.last(r.lane(), back);
      if (before == nullptr || before->what == What::block || before->what == What::barrier)
        return false;
      const bool beside = before->access == event.access && before->space == event.space &&
                          (before->value + before->bytes == event.value ||
                           event.value + event.bytes == before->value);
      const bool made_together = back == 1 && in_header(before->place) && in_header(event.place) &&
                                 line_of(before->place) == line_of(event.place);
      const size_t joined = before->bytes + event.bytes;
      if (beside && joined <= 16 && (same_vector(*before) || made_together)) {
        before->value = std::min(before->value, event.value);
        before->bytes = static_cast<uint16_t>(joined);
        return true;
      }
      if (!same_vector(*before) && !(reads && before->access == Access::read)) return false;
    }
    return false;
  }

  // ---- what the replay gives ----

  void request(const Step& step) override {
    const Event& first = *step.events[__builtin_ctz(step.lanes)];
    Request r;
    r.count = 0;
    for (uint32_t left = step.lanes; left != 0; left &= left - 1) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
      r.lanes[r.count++] = {step.events[lane]->value, lane};
    }
    // Components that were joined: a load takes all of the vector that there is room for, stores come
    // in pieces that are aligned.
    unsigned offset = 0, left = first.bytes;
    if (first.access == Access::read && (!is_power_of_2(left) || first.value % left != 0)) {
      unsigned whole = 4;
      while (whole < 16 && first.value / whole != (first.value + left - 1) / whole) whole *= 2;
      for (unsigned i = 0; i < r.count; i++) r.lanes[i].address -= first.value % whole;
      left = whole;
    }
    while (left > 0) {
      unsigned piece = 16;
      while (piece > left || (r.lanes[0].address + offset) % piece != 0) piece /= 2;
      Request part = r;
      part.bytes = piece;
      for (unsigned i = 0; i < part.count; i++) part.lanes[i].address += offset;
      count(part, first);
      offset += piece;
      left -= piece;
    }
    if (first.space == Space::shared) note_shared(first.value);
  }

  void count(const Request& r, const Event& event) {
    Counts& c = counts_at(event);
    c.access_bytes = c.requests == 0 || c.access_bytes == r.bytes ? r.bytes : 0;
    note_distance(c, r);
    c.requests++;
    c.lanes += r.count;
    if (event.space == Space::global) {
      const bool atomic = event.access == Access::atomic;
      c.sectors += atomic ? atomic_sectors(r) : sectors(r);
      c.fewest += fewest_sectors(r);
      c.bytes += different_bytes(r);
    }
    if (event.space == Space::shared) c.conflicts += bank_conflicts(r);
    c.addresses += different_addresses(r);
    c.most_on_one = std::max<uint64_t>(c.most_on_one, most_on_one(r));
  }

  void note_distance(Counts& c, const Request& r) const {
    for (unsigned i = 1; i < r.count; i++) {
      const auto bytes = static_cast<int64_t>(r.lanes[i].address - r.lanes[i - 1].address);
      if (c.requests == 0 && i == 1) c.distance = bytes;
      c.distances_differ |= bytes != c.distance;
    }
  }

  Counts& counts_at(const Event& event) {
    const auto key = std::make_tuple(kernel_, event.place, kind_of(event));
    if (last_counts_ == nullptr || key != last_key_) {
      last_key_ = key;
      last_counts_ = &kernel_->counts[{line_of(event.place), kind_of(event)}];
    }
    return *last_counts_;
  }

  void note_shared(uint64_t address) {
    for (const SharedVariable& v : shared_)
      if (address - v.base < v.bytes && v.base != reinterpret_cast<uintptr_t>(dynamic_shared()))
        kernel_->shared.insert({v.base, v.bytes});
  }

  void barrier(unsigned lanes) override { kernel_->barriers += lanes; }

  void divergence(uint32_t comparison, uint32_t block) override {
    const uint32_t number = comparison != 0 ? comparison : block;
    auto [at, is_new] = branch_lines_.try_emplace(number);
    if (is_new) at->second = line_at(reinterpret_cast<const void*>(block_counter_[number]));
    kernel_->branches[at->second].divergent++;
  }

  // ---- lines ----

  static Line line_at(const void* counter) {
    const SourcePlace at =
        source_place({counter, {nullptr, 0}, Access::read, Scope::system, 0});
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
    const auto [at, is_new] = in_header_.try_emplace(number);
    if (is_new) at->second = place(number).counter != nullptr && is_own_header(place(number));
    return at->second;
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
        "    {\"kernel\": %s, \"launched_at\": %s, \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u],\n"
        "      \"launches\": %llu, \"threads\": %llu, \"warps\": %llu, \"barriers_per_thread\": %.6g, "
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
    for (const auto& [line, branch] : kernel.branches) {
      text += separator + ("        {\"file\": " + json(line.first)) +
              ", \"line\": " + std::to_string(line.second) +
              ", \"count\": " + std::to_string(branch.divergent) + "}";
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
    const std::string partial = path_ + ".partial";
    FILE* file = fopen(partial.c_str(), "w");
    const bool good = file != nullptr && fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr && fclose(file) == 0 && good && rename(partial.c_str(), path_.c_str()) == 0)
      return;
    fprintf(stderr, "CPU device: CPU_DEVICE_PROFILE: cannot write '%s': %s\n", path_.c_str(),
            strerror(errno));
    unlink(partial.c_str());
  }

  const std::string path_;
  bool written_ = false;
  std::map<Configuration, Kernel> kernels_;
  std::map<unsigned, StreamCounts> streams_;  // by their timelines, see check::Moment
  Kernel* kernel_ = nullptr;
  std::map<Worker*, BlockOfWorker> blocks_;
  Worker* last_worker_ = nullptr;
  BlockOfWorker* last_block_ = nullptr;
  std::vector<Array> arrays_;
  std::vector<SharedVariable> shared_;

  std::vector<uintptr_t> block_counter_;
  std::unordered_map<const void*, uint32_t> block_numbers_;
  std::pair<const void*, uint32_t> slots_[4096] = {};
  std::unordered_map<uint32_t, Line> branch_lines_;
  std::vector<Line> lines_;
  std::unordered_map<unsigned, bool> in_header_;
  std::tuple<Kernel*, uint32_t, const char*> last_key_{};
  Counts* last_counts_ = nullptr;
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
