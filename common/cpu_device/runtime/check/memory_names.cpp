// What the program calls the memory at an address.
#include "memory_names.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "source_lines.h"

namespace cpu_device::check {

bool in_some_stack(uintptr_t address) {
  const Muted quiet;
  const Worker* w = this_worker;
  if (w == nullptr) return false;
  for (const Fiber* fiber : w->all)
    if (address - reinterpret_cast<uintptr_t>(fiber->stack) < fiber->stack_bytes) return true;
  return false;
}

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

static std::string indexed(const std::string& name, size_t offset, size_t element, unsigned bytes) {
  if (element == 0) return name;
  std::string text = name + "[" + std::to_string(offset / element) + "]";
  if (offset % element != 0)
    return format("byte %zu of ", offset % element) + text;
  return text;
}

// The parameter of the kernel that points to the block's memory: the nearest one that the address does not lie before, or the
// first one if it lies before all.
const NamedPointer* named_pointer(const Block& block, uintptr_t address) {
  const Launch* launch = current_launch();
  if (launch == nullptr) return nullptr;
  const NamedPointer* best = nullptr;
  for (const NamedPointer& p : launch->named) {
    const auto at = reinterpret_cast<uintptr_t>(p.pointer);
    if (at < block.base || at >= block.base + std::max<size_t>(block.bytes, 1)) continue;
    const auto best_at = best == nullptr ? 0 : reinterpret_cast<uintptr_t>(best->pointer);
    if (best == nullptr || (at <= address && (at > best_at || best_at > address))) best = &p;
  }
  return best;
}

// The block that holds the address, or the one that it lies not far behind, or before, as array[-1] does.
const Block* near_block(uintptr_t address, bool* inside) {
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  *inside = block != nullptr;
  for (uintptr_t back = 4; block == nullptr && back <= 4096; back += 4)
    block = find_block(reinterpret_cast<const void*>(address - back));
  for (uintptr_t on = 4; block == nullptr && on <= 256; on += 4)
    block = find_block(reinterpret_cast<const void*>(address + on));
  return block;
}

const SharedVariable* shared_at(const Context& c, uintptr_t address) {
  const SharedVariable* best = nullptr;
  for (const SharedVariable& v : c.shared)
    if (v.name != nullptr && address >= v.base && (best == nullptr || v.base > best->base)) best = &v;
  return best;
}

namespace {

// Variables of the program, from its own symbol table.
struct Variable {
  uintptr_t address;
  size_t bytes;
  std::string name;
  bool unset_constant;  // in constant memory, without an initializer
};

}  // namespace

// The rewriter and qualifiers.h choose the sections.
static bool holds_unset_constant(const char* section) {
  return strncmp(section, "cpu_device_constant_", 20) == 0 && strncmp(section + 20, "set_", 4) != 0;
}

static std::vector<Variable> read_variables() {
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
      int status = 0;  // a plain `b` is no name that was encoded, but would be taken for the type bool
      char* plain = strncmp(name, "_Z", 2) == 0 ? abi::__cxa_demangle(name, nullptr, nullptr, &status) : nullptr;
      const char* section =
          symbols[k].st_shndx < header->e_shnum ? section_names + sections[symbols[k].st_shndx].sh_name : "";
      found.push_back({symbols[k].st_value + (base > 0x10000000u ? base : 0), symbols[k].st_size,
                       plain != nullptr ? plain : name, holds_unset_constant(section)});
      free(plain);
    }
  }
  return found;
}

static const Variable* variable_at(uintptr_t address) {
  static const auto* all = new std::vector<Variable>(read_variables());
  for (const Variable& v : *all)
    if (address - v.address < v.bytes) return &v;
  return nullptr;
}

std::string element_words(size_t bytes, size_t element) {
  return element > 1 && bytes % element == 0 ? format("%zu elements", bytes / element)
                                             : format("%zu bytes", bytes);
}

static std::string dynamic_shared_words(const Context& c, uintptr_t address, unsigned bytes) {
  for (const SharedVariable& v : c.dynamic)
    if (address >= v.base && v.element > 0) return indexed(v.name, address - v.base, v.element, bytes);
  return format("byte %zu of the dynamic shared memory",
                static_cast<size_t>(address - reinterpret_cast<uintptr_t>(dynamic_shared())));
}

bool in_dynamic_shared(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(dynamic_shared()) < kMaxShared;
}

std::string variable_name(uintptr_t address) {
  const Variable* variable = variable_at(address);
  return variable == nullptr ? "a variable" : variable->name;
}

size_t variable_left(uintptr_t address) {
  const Variable* variable = variable_at(address);
  return variable == nullptr ? 0 : variable->address + variable->bytes - address;
}

bool find_variable(uintptr_t address, uintptr_t* base) {
  const Variable* variable = variable_at(address);
  if (variable == nullptr) return false;
  *base = variable->address;
  return true;
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
    return (v->bytes > 8 ? format("byte %zu of ", address - v->address) : "") + v->name;
  }
  if (const NamedPointer* p = named_pointer(*block, address)) {
    const auto at = reinterpret_cast<uintptr_t>(p->pointer);
    if (address >= at) return indexed(p->name, address - at, p->element, bytes);
    if (p->element > 0 && (at - address) % p->element == 0)
      return format("%s[-%zu]", p->name, static_cast<size_t>(at - address) / p->element);
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

}  // namespace cpu_device::check
