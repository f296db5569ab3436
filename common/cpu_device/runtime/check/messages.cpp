// What was found, in words: lines, threads, arrays and indices instead of addresses.
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "internal_check.h"

extern char** environ;

namespace cpu_device::check {

// ---- lines ----

namespace {

// addr2line as a process that answers one address after the other.
class LineReader {
 public:
  // The frames at an address, innermost first.
  std::vector<SourcePlace> frames(const void* counter) {
    std::vector<SourcePlace> found;
    Dl_info info;
    if (dladdr(counter, &info) == 0 || info.dli_fbase == nullptr || !start()) return found;
    auto address = reinterpret_cast<uintptr_t>(counter) - 1;
    const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
    if (base > 0x10000000u) address -= base;
    // The second address is nowhere: its answer ends that of the first. Each frame has two lines.
    fprintf(to_, "0x%zx\n0\n", static_cast<size_t>(address));
    fflush(to_);
    char function[4096], line[4096];
    while (fgets(function, sizeof function, from_) != nullptr && fgets(line, sizeof line, from_) != nullptr) {
      const std::string text(line, strcspn(line, "\n"));
      const size_t colon = text.rfind(':');
      if (text.compare(0, 2, "??") == 0) {
        if (!found.empty() || seen_nowhere_) {
          seen_nowhere_ = false;
          break;
        }
        seen_nowhere_ = true;  // the address itself is unknown; the second answer follows
        continue;
      }
      if (colon != std::string::npos)
        found.push_back({text.substr(0, colon), atoi(text.c_str() + colon + 1),
                         std::string(function, strcspn(function, "\n"))});
    }
    return found;
  }

 private:
  bool start() {
    if (to_ != nullptr) return true;
    char executable[4096];
    const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    int in[2], out[2];
    if (length <= 0 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return false;
    executable[length] = '\0';
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char name[] = "addr2line", f[] = "-f", i[] = "-i", e[] = "-e";
    char* arguments[] = {name, f, i, e, executable, nullptr};
    pid_t child = 0;
    const bool started = posix_spawnp(&child, name, &actions, nullptr, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (!started) return false;
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
    return to_ != nullptr && from_ != nullptr;
  }

  FILE *to_ = nullptr, *from_ = nullptr;
  bool seen_nowhere_ = false;
};

bool ends_in_own_header(const std::string& file) {
  return file.find("/cpu_device/include/") != std::string::npos ||
         file.find("/cpu_device/libraries/") != std::string::npos ||
         file.find("/include/cccl/") != std::string::npos ||
         file.find("/cpu_device/runtime/") != std::string::npos;
}
bool is_system(const std::string& file) { return file.compare(0, 5, "/usr/") == 0; }

const std::vector<SourcePlace>& frames_of(const void* counter) {
  static auto* reader = new LineReader;  // asked at the very end, too
  static auto* known = new std::map<const void*, std::vector<SourcePlace>>;
  const auto [at, is_new] = known->try_emplace(counter);
  if (is_new) at->second = reader->frames(counter);
  return at->second;
}

// The name as the compiler was given it: relative to the folder where it ran, if that is this one.
std::string as_compiled(const std::string& file) {
  char here[4096];
  if (getcwd(here, sizeof here) == nullptr) return file;
  const std::string folder = std::string(here) + "/";
  return file.compare(0, folder.size(), folder) == 0 ? file.substr(folder.size()) : file;
}

std::string in_words(Site site) {
  const SourcePlace at = place_of_call(site);
  return format("%s:%d", at.file.c_str(), at.line);
}

}  // namespace

SourcePlace place_of_call(Site site) {
  return {site.file == nullptr ? "" : as_compiled(site.file), site.line};
}

bool is_own_header(const Program& p) {
  const Muted quiet;
  const auto& frames = frames_of(p.counter);
  return !frames.empty() && (ends_in_own_header(frames[0].file) || is_system(frames[0].file));
}

namespace {

bool is_users(const SourcePlace& frame) { return !ends_in_own_header(frame.file) && !is_system(frame.file); }

}  // namespace

// The user's line: the innermost that is neither ours nor the system's.
SourcePlace source_place(const Program& p) {
  if (p.counter == nullptr) return place_of_call(p.site);
  const auto& frames = frames_of(p.counter);
  SourcePlace found;
  for (const SourcePlace& frame : frames) {
    if (!is_users(frame)) continue;
    const SourcePlace place{as_compiled(frame.file), frame.line, frame.function};
    if (found.line == 0)
      found = place;
    else
      found.callers.push_back(place);
  }
  return found.line > 0 || frames.empty() ? found : frames[0];
}

// The callers of functions that were not inlined, of an access that is just being made.
static void add_callers(SourcePlace* at, const Program& p) {
  constexpr int kMost = 64;
  void* stack[kMost];
  const int depth = backtrace(stack, kMost);
  int i = static_cast<int>(std::find(stack, stack + depth, p.counter) - stack) + 1;
  for (bool known = true; known && i < depth; i++) {
    known = false;
    for (const SourcePlace& frame : frames_of(stack[i])) {
      if (!is_users(frame)) continue;
      at->callers.push_back({as_compiled(frame.file), frame.line, frame.function});
      known = true;
    }
  }
}

// Of an access that is just being made: where the user called what a header of the system does.
static SourcePlace users_place(const Program& p) {
  SourcePlace at = source_place(p);
  if (p.counter == nullptr || is_users(at)) return at;
  add_callers(&at, p);
  return at.callers.empty() ? at : at.callers[0];
}

Site lasting_site(const Program& p) {
  const Muted quiet;
  static auto* files = new std::set<std::string>;
  const SourcePlace at = source_place(p);
  return {files->insert(at.file).first->c_str(), at.line};
}

std::string source_text(const SourcePlace& at) {
  std::ifstream file(at.file);
  std::string line;
  for (int i = 0; i < at.line; i++)
    if (!std::getline(file, line)) return "";
  const size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return "";
  line = line.substr(start, 120);
  const size_t end = line.find_last_not_of(" \t\r");
  return line.substr(0, end + 1);
}

// ---- memory ----

bool in_some_stack(uintptr_t address) {
  const Muted quiet;
  const Worker* w = this_worker;
  if (w == nullptr) return false;
  for (const Fiber* fiber : w->all)
    if (address - reinterpret_cast<uintptr_t>(fiber->stack) < fiber->stack_bytes) return true;
  return false;
}

namespace {

struct Mapping {
  uintptr_t low = 0, high = 0;
  std::string name;
};

Mapping mapping_of(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long low = 0, high = 0;
    char access[8] = "", path[512] = "";
    if (sscanf(line.c_str(), "%lx-%lx %7s %*s %*s %*s %511s", &low, &high, access, path) < 3) continue;
    if (address >= low && address < high && access[0] == 'r') return {low, high, path};
  }
  return {};
}

}  // namespace

bool is_mapped(uintptr_t address) {
  const Muted quiet;
  return mapping_of(address).high != 0;
}

bool device_only(uintptr_t address) {
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  return block != nullptr && block->kind == MemoryKind::device;
}

Site allocation_site(uintptr_t address) {
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  return block == nullptr ? Site{nullptr, 0} : block->site;
}

namespace {

std::string indexed(const std::string& name, size_t offset, size_t element, unsigned bytes) {
  if (element == 0) return name;
  std::string text = name + "[" + std::to_string(offset / element) + "]";
  if (offset % element != 0)
    text += format(", byte %zu of it", offset % element);
  return text;
}

// The parameter of the kernel that points to the block's memory, the nearest one.
const NamedPointer* named_pointer(const Block& block, uintptr_t address) {
  const Launch* launch = current_launch();
  if (launch == nullptr) return nullptr;
  const NamedPointer* best = nullptr;
  for (const NamedPointer& p : launch->named) {
    const auto at = reinterpret_cast<uintptr_t>(p.pointer);
    if (at < block.base || at >= block.base + std::max<size_t>(block.bytes, 1)) continue;
    if (best == nullptr || (at <= address && at > reinterpret_cast<uintptr_t>(best->pointer))) best = &p;
  }
  return best;
}

// The block that holds the address, or the one before whose end it lies not far behind.
const Block* near_block(uintptr_t address, bool* inside) {
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  *inside = block != nullptr;
  for (uintptr_t back = 4; block == nullptr && back <= 4096; back += 4)
    block = find_block(reinterpret_cast<const void*>(address - back));
  return block;
}

const SharedVariable* shared_at(const Context& c, uintptr_t address) {
  const SharedVariable* best = nullptr;
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr && address >= v.base && (best == nullptr || v.base > best->base)) best = &v;
  return best;
}

// Variables of the program, from its own symbol table.
struct Variable {
  uintptr_t address;
  size_t bytes;
  std::string name;
  bool unset_constant;  // in constant memory, without an initializer
};

// The rewriter and qualifiers.h choose the sections.
bool holds_unset_constant(const char* section) {
  return strncmp(section, "cpu_device_constant_", 20) == 0 && strncmp(section + 20, "set_", 4) != 0;
}

std::vector<Variable> read_variables() {
  std::vector<Variable> found;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string image = stream.str();
  Dl_info self;
  if (image.size() < sizeof(Elf64_Ehdr) ||
      dladdr(reinterpret_cast<const void*>(&read_variables), &self) == 0)
    return found;
  const auto base = reinterpret_cast<uintptr_t>(self.dli_fbase);
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > image.size()) return found;
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  const char* section_names = image.data() + sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image.data() + sections[i].sh_offset);
    const char* names = image.data() + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof(Elf64_Sym); k++) {
      if (ELF64_ST_TYPE(symbols[k].st_info) != STT_OBJECT || symbols[k].st_value == 0) continue;
      const char* name = names + symbols[k].st_name;
      int status = 0;
      char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
      const char* section =
          symbols[k].st_shndx < header->e_shnum ? section_names + sections[symbols[k].st_shndx].sh_name : "";
      found.push_back({symbols[k].st_value + (base > 0x10000000u ? base : 0), symbols[k].st_size,
                       plain != nullptr ? plain : name, holds_unset_constant(section)});
      free(plain);
    }
  }
  return found;
}

const Variable* variable_at(uintptr_t address) {
  static const auto* all = new std::vector<Variable>(read_variables());
  for (const Variable& v : *all)
    if (address - v.address < v.bytes) return &v;
  return nullptr;
}

std::string element_words(size_t bytes, size_t element) {
  return element > 1 && bytes % element == 0 ? format("%zu elements", bytes / element)
                                             : format("%zu bytes", bytes);
}

std::string dynamic_shared_words(const Context& c, uintptr_t address, unsigned bytes) {
  for (const SharedVariable& v : c.dynamic)
    if (address >= v.base && v.element > 0) return indexed(v.name, address - v.base, v.element, bytes);
  return indexed("dynamic shared memory, byte ", address - reinterpret_cast<uintptr_t>(dynamic_shared()),
                 1, 1);
}

bool in_dynamic_shared(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(dynamic_shared()) < kMaxShared;
}

}  // namespace

std::string variable_name(uintptr_t address) {
  const Variable* variable = variable_at(address);
  return variable == nullptr ? "a variable" : variable->name;
}

size_t variable_left(uintptr_t address) {
  const Variable* variable = variable_at(address);
  return variable == nullptr ? 0 : variable->address + variable->bytes - address;
}

bool find_unset_constant(uintptr_t address, uintptr_t* base, size_t* bytes) {
  const Variable* variable = variable_at(address);
  if (variable == nullptr || !variable->unset_constant) return false;
  *base = variable->address;
  *bytes = variable->bytes;
  return true;
}

std::string address_in_words(const Context* c, uintptr_t address, unsigned bytes) {
  if (c != nullptr && c->local.contains(address)) {
    if (in_dynamic_shared(address)) return dynamic_shared_words(*c, address, bytes);
    if (const SharedVariable* v = shared_at(*c, address))
      return v->bytes == v->element ? std::string(v->name)
                                    : indexed(v->name, address - v->base, v->element, bytes);
    return "shared memory";
  }
  bool inside;
  const Block* block = near_block(address, &inside);
  if (block == nullptr || block->kind == MemoryKind::symbol) {
    const Variable* v = variable_at(address);
    if (v == nullptr) return "memory";
    return v->name + (v->bytes > 8 ? format(", byte %zu of it", address - v->address) : "");
  }
  if (const NamedPointer* p = named_pointer(*block, address)) {
    const auto at = reinterpret_cast<uintptr_t>(p->pointer);
    if (address >= at) return indexed(p->name, address - at, p->element, bytes);
    return format("%zu bytes before %s", static_cast<size_t>(at - address), p->name);
  }
  return format("byte %zu of the memory allocated at %s", static_cast<size_t>(address - block->base),
                in_words(block->site).c_str());
}

int known_padding(const Context& c, unsigned id, uintptr_t address, unsigned bytes) {
  uintptr_t origin = 0;
  size_t element = 0;
  const bool* padding = nullptr;
  if (c.local.contains(address)) {
    const SharedVariable* v = in_dynamic_shared(address) ? nullptr : shared_at(c, address);
    if (v != nullptr) origin = v->base, element = v->element, padding = v->padding;
  } else if (const Block* block = find_block(reinterpret_cast<const void*>(address))) {
    const NamedPointer* p = named_pointer(*block, address);
    if (p != nullptr) origin = reinterpret_cast<uintptr_t>(p->pointer), element = p->element, padding = p->padding;
  }
  const unsigned size = place(id).bytes;
  if (padding == nullptr) return element != 0 && size != 0 && size <= element ? 0 : -1;
  if (address < origin || (address - origin) % element + bytes > element) return -1;
  const bool* first = padding + (address - origin) % element;
  return std::all_of(first, first + bytes, [](bool it) { return it; }) ? 1 : 0;
}

// The T of type_name<T>(), as the compiler words it.
static std::string plain_type(const std::string& text) {
  const size_t from = text.find("T = "), to = text.rfind(']');
  return from == std::string::npos || to == std::string::npos ? "" : text.substr(from + 4, to - from - 4);
}

bool find_array(const Context& c, uintptr_t address, ArrayInfo* info) {
  if (c.local.contains(address)) {
    info->shared = true;
    if (in_dynamic_shared(address)) {
      info->base = reinterpret_cast<uintptr_t>(dynamic_shared());
      info->bytes = current_launch()->shared_bytes;
      info->element = 4;
      info->name = "dynamic shared memory";
      return true;
    }
    const SharedVariable* v = shared_at(c, address);
    if (v == nullptr) return false;
    info->base = v->base;
    info->bytes = v->bytes;
    info->element = v->element;
    info->name = v->name;
    info->type = plain_type(v->type);
    return true;
  }
  bool inside;
  const Block* block = near_block(address, &inside);
  if (block != nullptr && block->kind != MemoryKind::symbol) {
    const NamedPointer* p = named_pointer(*block, address);
    info->base = block->base;
    info->bytes = block->bytes;
    info->element = p == nullptr ? 4 : p->element;
    info->origin = p == nullptr ? 0 : reinterpret_cast<uintptr_t>(p->pointer) - block->base;
    info->name = p == nullptr ? "" : p->name;
    info->allocated = block->site;
    info->type = p == nullptr ? "" : plain_type(p->type);
    return true;
  }
  const Variable* v = variable_at(address);
  if (v == nullptr) return false;
  info->base = v->address;
  info->bytes = v->bytes;
  info->element = 4;
  info->name = v->name;
  info->variable = true;
  return true;
}

std::string block_in_words(uint64_t block) {
  const dim3 g = current_launch()->grid;
  return format("block (%u,%u,%u)", static_cast<unsigned>(block % g.x), static_cast<unsigned>(block / g.x % g.y),
                static_cast<unsigned>(block / g.x / g.y));
}

std::string thread_in_words(uint64_t block, unsigned index, bool with_block) {
  const Launch* launch = current_launch();
  if (launch == nullptr) return "a thread";
  const dim3 b = launch->block;
  std::string text = format("thread (%u,%u,%u)", index % b.x, index / b.x % b.y, index / b.x / b.y);
  if (with_block) text += " of " + block_in_words(block);
  return text;
}

// ---- races ----

// "line 7", or "line 7 of sum.h" where the finding begins with another file.
static std::string line_in_words(const SourcePlace& at, const std::string& file) {
  return "line " + std::to_string(at.line) + (at.file == file ? "" : " of " + at.file);
}

std::string access_line(const std::string& who_words, const char* does, const std::string& what,
                        const SourcePlace& at, const std::string& file) {
  std::string text =
      "\n    " + who_words + " " + does + " " + what + "    " + line_in_words(at, file) + ":  " + source_text(at);
  for (const SourcePlace& caller : at.callers)
    text += "\n        called in " + line_in_words(caller, file) + ":  " + source_text(caller);
  return text;
}

namespace {

const char* verb(Access access, bool past) {
  switch (access) {
    case Access::read:
      return past ? "read" : "reads";
    case Access::write:
      return past ? "wrote" : "writes";
    case Access::volatile_read:
      return past ? "read (volatile)" : "reads (volatile)";
    case Access::volatile_write:
      return past ? "wrote (volatile)" : "writes (volatile)";
    case Access::atomic_read:
      return past ? "read (atomic)" : "reads (atomic)";
    case Access::atomic_write:
      return past ? "wrote (atomic)" : "writes (atomic)";
    default:
      return past ? "changed (atomic)" : "changes (atomic)";
  }
}

struct Verdict {
  const char *kind, *title;
  std::string hint;
};

// The line of `function` in which it, or what it calls, is.
int line_in(const std::string& function, const SourcePlace& at) {
  if (at.function == function) return at.line;
  for (const SourcePlace& caller : at.callers)
    if (caller.function == function) return caller.line;
  return 0;
}

// Two threads of a block, of different warps or in one line.
Verdict missing_barrier(Site last_barrier, const SourcePlace& first, const SourcePlace& second) {
  // In the innermost function that holds both, if it is known.
  const SourcePlace* both = nullptr;
  int one = 0, other = 0;
  std::vector<const SourcePlace*> outwards{&second};
  for (const SourcePlace& caller : second.callers) outwards.push_back(&caller);
  for (const SourcePlace* at : outwards) {
    if (at->file != first.file || (one = line_in(at->function, first)) == 0) continue;
    both = at;
    other = at->line;
    break;
  }
  if (both == nullptr)
    return {"race-block", "missing barrier",
            "__syncthreads() in the kernel, between what leads to the one line and what leads to the other"};
  // The threads came from the barrier to one line, and round the loop to the other.
  if (last_barrier.line > 0 && (one < last_barrier.line) != (other < last_barrier.line))
    return {"race-block", "missing barrier at the end of the loop",
            "__syncthreads() after the reads, too: a fast thread is in its next round already"};
  if (one == other)
    return {"race-block", "missing barrier",
            format("in line %d a thread reads what another one writes there: __syncthreads() between reading and "
                   "writing, and at the end of each step of a loop",
                   one)};
  for (const Site& barrier : barriers_passed())
    if (as_compiled(barrier.file) == both->file && barrier.line > std::min(one, other) &&
        barrier.line < std::max(one, other))
      return {"race-block", "missing barrier",
              format("the barrier in line %d does not part them: they met on another way, round a loop or past a "
                     "branch, and that needs a __syncthreads() of its own",
                     barrier.line)};
  if (one != first.line || other != second.line)
    return {"race-block", "missing barrier",
            format("__syncthreads() between the calls in line %d and line %d, where all threads of the block come by",
                   std::min(one, other), std::max(one, other))};
  return {"race-block", "missing barrier",
          "__syncthreads() between the two lines, where all threads of the block come by"};
}

// One of the two is a copy in the background.
Verdict missing_wait(bool is_open, bool same_block) {
  if (!same_block)
    return {"race-grid", "blocks are not ordered within a kernel",
            "no barrier reaches other blocks: end the kernel and launch another"};
  if (is_open)
    return {"race-block", "an asynchronous copy that nobody has waited for",
            "the copy goes on in the background: wait for it first, with __pipeline_wait_prior(), consumer_wait(), "
            "cg::wait() or at the cuda::barrier that the copy was given; then a barrier, if other threads read it"};
  return {"race-block", "missing barrier",
          "the thread that copied has waited for its own copies, and this one does not know: __syncthreads() "
          "after that wait"};
}

// What the block itself has where another one of its cluster has this, and whose it is.
uintptr_t own_counterpart(const Context& c, uintptr_t address, std::string* whose) {
  const Context* holder = c.in_cluster && !c.local.contains(address) ? holder_in_cluster(c, address) : nullptr;
  if (holder == nullptr) return address;
  if (whose != nullptr) *whose = " of " + block_in_words(holder->block);
  return address - holder->variables + c.variables;
}

// What is missing between two accesses of threads of one launch.
Verdict judge(const Context& c, Record earlier, Record now, const SourcePlace& first,
              const SourcePlace& second, SegmentInfo other) {
  const Program& a = place(place_of(earlier));
  const Program& b = place(place_of(now));
  const bool same_block = (other.block & ~kBackground) == c.block;
  SegmentInfo mine{};
  segment_info(segment(now), &mine);
  if (other.in_background() || mine.in_background())
    return missing_wait(!other.in_background() || is_open_copy(c, thread(earlier), segment(earlier)), same_block);
  const bool same_warp = same_block && thread(earlier) / 32 == thread(now) / 32;
  const bool same_line = first.line == second.line && first.file == second.file;
  if (is_volatile(a.access) && is_volatile(b.access))
    return {"warp-sync", "warp-synchronous code",
            "since Volta the lanes of a warp go their own ways, and volatile does not hold them "
            "together: __syncwarp() between the steps"};
  if (!is_plain(a.access) && !is_plain(b.access)) {
    if (a.bytes != b.bytes)
      return {"race-atomic", "atomics of different sizes on the same bytes",
              "atomics are atomic only against others of the same size"};
    return {"race-scope", "atomic too narrow",
            "an atomic with _block, or of thread_scope_block, counts among the threads of one block "
            "alone: between blocks it takes the one for the device"};
  }
  const bool atomic = is_atomic(a.access) || is_atomic(b.access);
  if (const Clock* seen = atomic ? nullptr : through_atomics(c, earlier)) {
    const uint64_t when = segment(earlier);
    const bool block_ok = seen->block_fence >= when && seen->block_fence != 0;
    const bool device_ok = seen->device_fence >= when && seen->device_fence != 0;
    const ThreadClock& me = c.threads[thread(now)];
    if (!block_ok)
      return {"race-fence", "missing fence",
              "what an atomic lets others see says nothing of the other memory: __threadfence() "
              "between the last write and the atomic that releases it, and after the one that acquires"};
    if (!same_block && !device_ok)
      return {"race-scope", "fence too narrow",
              "__threadfence_block(), or an order of thread_scope_block, is for the threads of one block "
              "alone: between blocks it takes __threadfence(), or thread_scope_device"};
    if (!same_block && (seen->scope == Scope::block || me.observed_block_only))
      return {"race-scope", "atomic too narrow",
              "an atomic with _block, or of thread_scope_block, says nothing to other blocks: use the "
              "one for the device"};
    if (!same_block && me.block_fence > me.device_fence)
      return {"race-scope", "fence too narrow",
              "__threadfence_block(), or an order of thread_scope_block, is for the threads of one block "
              "alone: between blocks it takes __threadfence(), or thread_scope_device"};
    return {"race-fence", "missing fence",
            "after the atomic that sees the flag or takes the lock, __threadfence() before what it guards "
            "is touched"};
  }
  if (atomic) {
    const bool writes = a.access == Access::write || b.access == Access::write;
    return {"race-atomic",
            writes ? "a plain write of what others change with atomics"
                   : "a plain read of what others change with atomics",
            writes && same_block && !same_line
                ? "if it is set before the others begin: __syncthreads() in between; else it must be atomic, "
                  "too: atomicExch() writes, atomicAdd(p, 0) reads"
            : writes
                   ? "every access that others may do at the same time must be atomic: atomicExch() "
                     "writes, atomicAdd(p, 0) reads"
                   : "wait until the others are done (a barrier, the end of the kernel), or read with "
                     "atomicAdd(p, 0)"};
  }
  if (same_line && a.access == Access::write && b.access == Access::write)
    return {same_warp ? "race-warp" : same_block ? "race-block" : "race-grid",
            "several threads write to one place",
            "which of them comes last is not defined: look at the index, or let one thread write"};
  if (!same_block && same_cluster(other.block, c.block))
    return {"race-grid", "missing cluster.sync()",
            "cluster.sync() between the two lines: __syncthreads() is for the threads of one block alone"};
  if (!same_block)
    return {"race-grid", "blocks are not ordered within a kernel",
            "no barrier reaches other blocks: end the kernel and launch another, or use atomics with "
            "fences"};
  if (same_warp)
    return {"race-warp", "missing __syncwarp()",
            std::string("the lanes of a warp need not run together (since Volta): __syncwarp() between ") +
                (same_line ? "what the lanes read and what they write" : "the two lines") +
                ", or __syncthreads() if other warps take part"};
  return missing_barrier(c.last_barrier, first, second);
}

}  // namespace

void report_race(Context& c, Record earlier, Record now, uintptr_t address, unsigned bytes, bool) {
  const Muted quiet;
  if (!of_launch(segment(earlier))) {
    report_operations(earlier, place_of(now), address, verb(place(place_of(now)).access, false),
                      current_launch()->site);
    return;
  }
  SegmentInfo info{};
  segment_info(segment(earlier), &info);
  const SourcePlace first = source_place(place(place_of(earlier)));
  SourcePlace second = source_place(place(place_of(now)));
  const Verdict verdict = judge(c, earlier, now, first, second, info);
  const bool in_background = info.in_background();
  info.block &= ~kBackground;
  Finding finding;
  finding.kind = verdict.kind;
  finding.place = second;
  finding.others = {{first, "access", verb(place(place_of(earlier)).access, true)}};
  if (strcmp(verdict.kind, "race-atomic") == 0)
    for (const Record r : {earlier, now})
      if (place(place_of(r)).access == Access::read) finding.plain_read = place_of(r);
  const bool both_write = place(place_of(earlier)).access == Access::write && place(place_of(now)).access == Access::write;
  if (first.line == second.line && first.file == second.file)
    (both_write ? finding.write_met_write : finding.read_met_write) = true;
  if (is_guess(finding.plain_read) || count_again(finding)) return;
  const bool same_block = info.block == c.block;
  std::string whose;
  address = own_counterpart(c, address, &whose);
  const std::string what = address_in_words(&c, address, bytes) + whose;
  ArrayInfo array;
  if (find_array(c, address, &array)) {
    finding.array = format("%zx", static_cast<size_t>(array.base));
    finding.array_name = array.name;
  }
  finding.kernel = current_launch()->type.name;
  finding.in_block = same_block;
  finding.launch = launches_checked;
  const Index at = block_index();
  add_callers(&second, place(place_of(now)));
  finding.title = std::string(verdict.title) + ": race in kernel " + current_launch()->type.name;
  finding.title += same_block ? format(", in block (%u,%u,%u)", at.x, at.y, at.z) : ", between blocks";
  finding.details = access_line(thread_in_words(c.block, thread(now), !same_block),
                                verb(place(place_of(now)).access, false), what, second, finding.place.file) +
                    access_line((in_background ? "a copy by " : "") +
                                    thread_in_words(info.block, thread(earlier), !same_block),
                                verb(place(place_of(earlier)).access, true), what, first, finding.place.file);
  if (same_block && !in_background)
    finding.details += c.last_barrier.file == nullptr
                           ? std::string("\n    both since the kernel began")
                           : format("\n    both since the __syncthreads() in line %d", c.last_barrier.line);
  finding.hint = verdict.hint;
  add_finding(std::move(finding));
}

void report_left_block(Context& c, Record use, uintptr_t address, unsigned bytes, uint64_t owner) {
  const Muted quiet;
  const Program& p = place(place_of(use));
  Finding finding;
  finding.kind = "race-grid";
  finding.place = source_place(p);
  if (count_again(finding)) return;
  SegmentInfo info{};
  segment_info(segment(use), &info);
  finding.kernel = current_launch()->type.name;
  finding.launch = launches_checked;
  finding.title = "missing cluster.sync() at the end of the kernel: " + block_in_words(owner) +
                  " may have left kernel " + current_launch()->type.name + ", and its shared memory with it";
  finding.details = access_line(thread_in_words(info.block & ~kBackground, thread(use), true), verb(p.access, false),
                                address_in_words(&c, own_counterpart(c, address, nullptr), bytes) + " of " +
                                    block_in_words(owner),
                                finding.place, finding.place.file);
  finding.hint = "a block's shared memory goes when the block ends: cluster.sync() behind the last use by others";
  add_finding(std::move(finding));
}

// ---- operations and the host ----

namespace {

std::string operation_in_words(const Done& d) {
  if (d.host) return "host code";
  return (d.is_kernel ? "kernel " : "") + std::string(d.what);
}

}  // namespace

// The host uses what a stream works on that it has destroyed, which is no waiting.
static void report_destroyed_stream(Site destroyed, const SourcePlace& access, const char* does,
                                    uintptr_t address) {
  Finding finding;
  finding.kind = "call-order";
  finding.place = place_of_call(destroyed);
  if (count_again(finding)) return;
  finding.title = "cudaStreamDestroy() does not wait for the stream's work";
  finding.details = access_line("host code", does, address_in_words(nullptr, address, 1), access,
                                finding.place.file);
  finding.hint = "cudaStreamSynchronize() before the results are used";
  add_finding(std::move(finding));
}

void report_operations(Record earlier, unsigned id, uintptr_t address, const char* does, Site site) {
  const Muted quiet;
  const Done& before = done_of(segment(earlier));
  const Program& a = place(place_of(earlier));
  const Program& b = place(id);
  Finding finding;
  const Site* destroyed = before.host ? destroyed_stream(done_of(segment(host_record(0))).timeline) : nullptr;
  if (destroyed != nullptr) {
    report_destroyed_stream(*destroyed, source_place(a), verb(a.access, false), address);
    return;
  }
  finding.kind = before.host ? "race-host" : "race-kernels";
  if (is_atomic(a.access) && is_atomic(b.access)) finding.kind = "race-scope";
  finding.place = source_place(b);
  finding.others = {{source_place(a), "access", verb(a.access, true)}};
  if (count_again(finding)) return;
  if (strcmp(finding.kind, "race-scope") == 0)
    finding.title = "atomic too narrow: two devices change the same word";
  else
    finding.title = before.host
                      ? "the host and the device touch the same bytes at the same time"
                      : "missing order between streams: two operations touch the same bytes at the same time";
  const std::string what = address_in_words(nullptr, address, 1);
  finding.details = access_line(operation_in_words(done_of(segment(host_record(0)))), does, what,
                                finding.place, finding.place.file) +
                    access_line(operation_in_words(before), verb(a.access, true), what,
                                finding.others[0].place, finding.place.file);
  if (before.site.line > 0)
    finding.details += format("\n    queued in line %d and in line %d, and nothing says which comes first",
                              before.site.line, site.line);
  finding.hint = before.host ? "wait before the host writes or reads what the device may still use: "
                               "cudaStreamSynchronize(), cudaDeviceSynchronize()"
                             : "put both into one stream, or cudaEventRecord() behind the first and "
                               "cudaStreamWaitEvent() in front of the second";
  add_finding(std::move(finding));
}

void report_host(Record earlier, Record now, uintptr_t address, size_t) {
  const Muted quiet;
  const Done& before = done_of(segment(earlier));
  Finding finding;
  if (const Site* destroyed = destroyed_stream(before.timeline)) {
    report_destroyed_stream(*destroyed, source_place(place(place_of(now))),
                            verb(place(place_of(now)).access, false), address);
    return;
  }
  finding.kind = "race-host";
  finding.place = source_place(place(place_of(now)));
  finding.others = {{source_place(place(place_of(earlier))), "access", "device"}};
  if (count_again(finding)) return;
  const Access access = place(place_of(now)).access;
  finding.title = is_read(access) ? "the host reads before the device is done"
                                  : "the host writes while the device may still use it";
  const std::string what = address_in_words(nullptr, address, 1);
  finding.details = access_line("host code", verb(access, false), what, finding.place, finding.place.file) +
                    access_line(operation_in_words(before), verb(place(place_of(earlier)).access, true),
                                what, finding.others[0].place, finding.place.file);
  finding.hint = "cudaStreamSynchronize() or cudaDeviceSynchronize() in between";
  add_finding(std::move(finding));
}

void report_host_on_device(unsigned id, uintptr_t address) {
  const Muted quiet;
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  Finding finding;
  finding.kind = block == nullptr ? "use-after-free" : "wrong-side";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "host code follows a device pointer";
  const Known known = describe(reinterpret_cast<const void*>(address));
  if (!known.what.empty()) finding.details = "\n    " + known.what;
  finding.hint = "a device pointer is for kernels; copy with cudaMemcpy() what the host needs";
  add_finding(std::move(finding));
  flush_findings();
}

void report_host_early(unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  if (block == nullptr) return;  // the access faults, and that is explained
  Finding finding;
  finding.kind = "uninitialized";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title =
      "read before anybody wrote it: host code reads " + address_in_words(nullptr, address, bytes);
  finding.details = format("\n    allocated at %s: no kernel, no copy and no host code has written it there",
                           in_words(block->site).c_str());
  finding.hint = "did the kernel run (ask cudaGetLastError()), and do its blocks cover all elements: "
                 "(n + threads - 1) / threads?";
  add_finding(std::move(finding));
}

void report_unwritten(unsigned id, Site copy, Site allocated, size_t offset) {
  const Muted quiet;
  Finding finding;
  finding.kind = "unwritten-copy";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "the host reads a result that nobody wrote";
  finding.details = format("\n    byte %zu of what was copied in line %d comes from the memory allocated in line %d: "
                           "no kernel and no copy has written it there",
                           offset, copy.line, allocated.line);
  finding.hint = "did the kernel run (ask cudaGetLastError()), and do its blocks cover all elements: "
                 "(n + threads - 1) / threads?";
  add_finding(std::move(finding));
}

void report_short_copy(unsigned id, Site copy, Site allocated, size_t copied, size_t bytes) {
  const Muted quiet;
  Finding finding;
  finding.kind = "unwritten-copy";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "the host reads a result that was never copied";
  finding.details = format("\n    the copy in line %d wrote the first %zu of the %zu bytes allocated in line %d, and "
                           "nobody the rest",
                           copy.line, copied, bytes, allocated.line);
  finding.hint = "the size of a copy is in bytes, for all elements: count * sizeof(element)";
  add_finding(std::move(finding));
}

// ---- single accesses ----

namespace {

// Most lanes may read what is undefined, if they then do not use it, as in sums over a part of a warp; but
// the lane at the end towards which values move has no use for the shuffle then.
void report_absent_lane(unsigned mask, unsigned source, Site site) {
  const Muted quiet;
  const Worker& worker = *this_worker;
  const unsigned lane = worker.current % 32;
  const unsigned beyond = source > lane ? mask & ((1u << lane) - 1) : lane == 31 ? 0 : mask >> (lane + 1);
  if (beyond != 0) return;
  Finding finding;
  finding.kind = "shuffle";
  finding.place = place_of_call(site);
  if (count_again(finding)) return;
  const unsigned other = worker.current - lane + source;
  finding.title = format("a shuffle reads from lane %u, which ", source) +
                  (other >= worker.threads ? format("a block of %u threads has not", worker.threads)
                                           : format("takes no part in it (mask 0x%08x)", mask)) +
                  where_in_kernel();
  finding.hint = "the value is undefined: let all lanes from which others read come to the shuffle, with a mask "
                 "that names them, or shorten its steps or its width";
  add_finding(std::move(finding));
}

}  // namespace

void report_access(const char* kind, Context* c, unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  if (arena.contains(address) && strcmp(kind, "uninitialized") == 0 &&
      find_block(reinterpret_cast<const void*>(address)) == nullptr)
    return;  // the access faults, and that is explained
  Finding known;
  known.kind = kind;
  known.place = source_place(place(id));
  if (!count_again(known)) add_finding(explain_access(kind, c, id, address, bytes));
}

Finding explain_access(const char* kind, Context* c, unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  const Program& p = place(id);
  Finding finding;
  finding.kind = kind;
  finding.place = source_place(p);
  const char* does = verb(p.access, false);
  std::string whose;
  address = own_counterpart(*c, address, &whose);
  std::string what = address_in_words(c, address, bytes) + whose;
  const std::string who_words = thread_in_words(c->block, static_cast<unsigned>(c->who & 1023), true);
  const std::string in = std::string(" in kernel ") + current_launch()->type.name;
  bool inside = false;
  const Block* block = c->local.contains(address) ? nullptr : near_block(address, &inside);
  const std::string name = kind;
  if (name == "out-of-bounds") {
    finding.title = "out of bounds" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      const NamedPointer* pointer = named_pointer(*block, address);
      const size_t element = pointer == nullptr ? 1 : pointer->element;
      finding.details = format("\n    the array has %s and was allocated at %s",
                               element_words(block->bytes, element).c_str(),
                               in_words(block->site).c_str());
      finding.hint = "compare the index with the size of the array, as in `if (i < n)`";
    } else if (in_dynamic_shared(address)) {
      finding.kernel = current_launch()->type.name;
      finding.array = "dynamic shared memory";
      finding.details = format("\n    the launch in line %d gives %zu bytes of dynamic shared memory",
                               current_launch()->site.line, current_launch()->shared_bytes);
      finding.hint = "the third value in <<<blocks, threads, bytes>>> is in bytes: count * sizeof(element)";
    } else if (const SharedVariable* v = shared_at(*c, address)) {
      finding.details = format("\n    %s has %s", v->name, element_words(v->bytes, v->element).c_str());
      finding.hint = "the last index is one less than the number of elements";
    }
  } else if (name == "uninitialized") {
    finding.title = "read before anybody wrote it" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      finding.details =
          format("\n    allocated at %s, and never written there", in_words(block->site).c_str());
      finding.details += copies_in_words(*block);
      finding.hint = "fresh memory holds anything: cudaMemset(), cudaMemcpy() or a kernel must write it first";
    } else {
      finding.hint = "shared memory holds anything when a block begins: let its threads fill it, then "
                     "__syncthreads()";
    }
  } else if (name == "misaligned") {
    finding.title = "misaligned access" + in + ": " + who_words + " " + does +
                    format(" %u bytes at ", bytes) + what;
    finding.details =
        format("\n    the address %p is not a multiple of %u: a GPU stops here", // NOLINT
               reinterpret_cast<const void*>(address), bytes);
    finding.hint = "vectors such as float4 begin at multiples of their size: count the offset in vectors";
  } else if (in_some_stack(address)) {
    finding.title = "a thread follows a pointer to another thread's variable" + in + ": " + who_words + " " + does +
                    " local memory that is not its own";
    finding.hint = "each thread has local variables of its own, at addresses that mean nothing to others: what they "
                   "share goes into __shared__ or device memory";
  } else {
    finding.title = "a kernel follows a host pointer" + in + ": " + who_words + " " + does +
                    " ordinary host memory";
    const Mapping mapping = mapping_of(address);
    for (const NamedPointer& pointer : current_launch()->named) {
      const auto at = reinterpret_cast<uintptr_t>(pointer.pointer);
      if (at >= mapping.low && at < mapping.high)
        finding.details = format("\n    %s points to ", pointer.name) +
                          (mapping.name == "[stack]" ? "a variable on the host's stack"
                                                     : "memory of malloc or new");
    }
    finding.hint = "allocate with cudaMalloc(), copy with cudaMemcpy(), and give the kernel that pointer";
  }
  return finding;
}

}  // namespace cpu_device::check

void cpu_device::checked_absent_lane(unsigned mask, int source, Site site) {
  if (check::checking != nullptr) check::report_absent_lane(mask, static_cast<unsigned>(source), site);
}
