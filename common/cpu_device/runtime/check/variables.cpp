// Variables of the program: a __device__ or __constant__ variable's name in host code is another variable
// than the kernels' of that name. Here both are one, so that who wrote it last must be kept in mind.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "findings.h"
#include "memory_names.h"
#include "messages.h"
#include "places.h"
#include "shadow.h"
#include "source_lines.h"
#include "variables.h"

namespace cpu_device::check {

uintptr_t variables_low = 0;
size_t variables_bytes = 0;
Writer* variable_writers = nullptr;
Region* variables_region = nullptr;
unsigned char reads_unset[size_t(1) << kPlaceBits];

namespace {

// __managed__ variables, and memory that is registered, are one variable for both.
bool is_shared(uintptr_t address) { return find_region(address) != nullptr; }

void set_writer(uintptr_t address, size_t bytes, Writer writer) {
  const size_t first = address - variables_low;
  std::fill_n(variable_writers + first, std::min(bytes, variables_bytes - first), writer);
}

std::string call(const char* function, const std::string& name, bool to) {
  return format(to ? "%s(%s, &value, sizeof(value))" : "%s(&value, %s, sizeof(value))", function, name.c_str());
}

void report_kernel_reads(const Context& c, uintptr_t address, unsigned id, unsigned by_host) {
  const Muted quiet;
  const Program& writer = place(by_host);
  const bool copy = writer.counter == nullptr;
  Finding finding;
  finding.kind = copy ? "wrong-pointer" : "wrong-side";
  finding.place = source_place(writer);
  finding.others = {{source_place(place(id)), "access", "kernel"}};
  if (count_again(finding)) return;
  const std::string name = variable_name(address);
  finding.title = (copy ? "the copy" : "host code") + std::string(" writes the host's variable ") + name + ", not the device's";
  finding.details = access_line(copy ? "the copy" : "host code", "wrote", name, finding.place, finding.place.file) +
                    access_line(thread_in_words(c.block, static_cast<unsigned>(c.who & 1023), true), "uses",
                                name, finding.others[0].place, finding.place.file);
  finding.hint = "in host code, the name of a __device__ or __constant__ variable means a separate host variable. Write "
                 "the device's with " +
                 call("cudaMemcpyToSymbol", name, true) + ".";
  add_finding(std::move(finding));
}

void report_host_reads(uintptr_t address, const Program& reader, bool copy) {
  const Muted quiet;
  Finding finding;
  finding.kind = copy ? "wrong-pointer" : "wrong-side";
  finding.place = source_place(reader);
  if (count_again(finding)) return;
  const std::string name = variable_name(address);
  finding.title = (copy ? "the copy" : "host code") + std::string(" reads the host's variable ") + name +
                  ", but a kernel wrote the device's";
  finding.hint = "in host code, the name of a __device__ variable means a separate host variable. Read the device's with " +
                 call("cudaMemcpyFromSymbol", name, false) + ".";
  add_finding(std::move(finding));
  flush_findings();
}

// Where kernels read what nobody had written.
struct UnsetRead {
  uintptr_t address;
  unsigned place;
  std::string kernel;
};
std::vector<UnsetRead>& unset_reads() {
  static auto* all = new std::vector<UnsetRead>;
  return *all;
}
void note_unset_read(uintptr_t address, unsigned id) {
  if (reads_unset[id] != 0) return;
  reads_unset[id] = 1;
  uintptr_t base = 0;
  size_t size = 0;
  const Muted quiet;
  if (!find_unset_constant(address, &base, &size)) return;
  unset_reads().push_back({address, id, current_launch()->type.name});
}

}  // namespace

void prepare_variables() {
  variable_writers = static_cast<Writer*>(map_zeros(globals().bytes * sizeof(Writer)));
  variables_region = &globals();
  variables_low = globals().low;
  variables_bytes = globals().bytes;
}

void host_variable(uintptr_t address, size_t bytes, bool writes, unsigned id) {
  if (is_shared(address)) return;
  if (writes)
    set_writer(address, bytes, static_cast<Writer>(id));
  // A functor that an algorithm of Thrust calls is device code, though the host runs it.
  else if (variable_writers[address - variables_low] == kDevice && !runs_at_once())
    report_host_reads(address, place(id), false);
}

void kernel_variable(const Context& c, uintptr_t address, size_t bytes, unsigned id) {
  if (is_shared(address)) return;
  const Access access = place(id).access;
  const Writer writer = variable_writers[address - variables_low];
  if (writer != 0 && writer != kDevice && access != Access::write && !is_own_header(place(id)))
    report_kernel_reads(c, address, id, writer);
  if (!is_read(access)) set_writer(address, bytes, kDevice);
  if (writer == 0 && access == Access::read) note_unset_read(address, id);
}

// On a GPU, the host's name of a variable of the device is another variable, whose address no kernel can use.
static std::set<uintptr_t>& asked_symbols() {
  static auto* all = new std::set<uintptr_t>;
  return *all;
}
void symbol_address_asked(const void* symbol) { asked_symbols().insert(reinterpret_cast<uintptr_t>(symbol)); }

void passes_pointers(const std::vector<NamedPointer>& named, const char* kernel, Site site) {
  const Muted quiet;
  for (const NamedPointer& one : named) {
    const auto at = reinterpret_cast<uintptr_t>(one.pointer);
    uintptr_t base = 0;
    if (!globals().contains(at) || is_shared(at) || !find_variable(at, &base) || asked_symbols().count(base) != 0) continue;
    Finding finding;
    finding.kind = "wrong-pointer";
    finding.place = place_of_call(site);
    if (count_again(finding)) continue;
    const std::string name = variable_name(at);
    finding.title = "kernel " + std::string(kernel) + " gets the address of the host's variable " + name + ", not the device's";
    finding.details = "\n    it is passed as the parameter \"" + std::string(one.name) + "\"";
    finding.hint = "in host code, the name of a __device__ or __constant__ variable means a separate host variable. Use " +
                   name + " in the kernel by its name, or pass the address that cudaGetSymbolAddress() returns.";
    add_finding(std::move(finding));
  }
}

// They hold zeros, which may be meant: a note, one for each line.
void tell_unset_constants() {
  const Muted quiet;
  std::map<std::pair<std::string, int>, Finding> notes;
  std::set<uintptr_t> told;
  for (const UnsetRead& read : unset_reads()) {
    uintptr_t base = 0;
    size_t size = 0;
    if (!find_unset_constant(read.address, &base, &size) || !told.insert(base).second) continue;
    const Writer* first = variable_writers + (base - variables_low);
    if (std::any_of(first, first + size, [](Writer one) { return one != 0; })) continue;
    const std::string name = variable_name(base);
    const SourcePlace at = source_place(place(read.place));
    Finding& note = notes[{at.file, at.line}];
    if (!note.title.empty()) {
      note.title += ", " + name;
      continue;
    }
    note.kind = "uninitialized";
    note.level = "note";
    note.place = at;
    note.title = "kernel " + read.kernel + " reads constants that were never set and hold zeros: " + name;
    note.hint = "call " + call("cudaMemcpyToSymbol", name, true) + " before the launch. If 0 is meant, add an initializer.";
  }
  for (auto& [line, note] : notes) add_finding(std::move(note));
}

void copied_to_variable(uintptr_t address, size_t bytes, Site site) {
  if (is_shared(address)) return;
  const bool is_symbol = find_block(reinterpret_cast<const void*>(address)) != nullptr;
  set_writer(address, bytes,
             is_symbol ? kDevice : static_cast<Writer>(site_place(site, Access::write, Scope::system, 0)));
}

void copied_from_variable(uintptr_t address, Site site) {
  const bool is_symbol = find_block(reinterpret_cast<const void*>(address)) != nullptr;
  if (!is_symbol && !is_shared(address) && variable_writers[address - variables_low] == kDevice)
    report_host_reads(address, place(site_place(site, Access::read, Scope::system, 0)), true);
}

}  // namespace cpu_device::check
