// How much __shared__ memory a kernel declares. Its arrays are thread-local variables of a function
// that the runtime never calls to ask, and their types may depend on template arguments; but the
// linker wrote name and size of each into the program's table of symbols, unless it was stripped.
#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "kernels.h"

namespace cpu_device {

namespace {

constexpr const char* kProgram = "/proc/self/exe";

// The file, of the program or a library, that an address in memory comes from.
struct Origin {
  uintptr_t address;
  uintptr_t base = 0;
  std::string file;
};
int find_origin(dl_phdr_info* module, size_t, void* data) {
  auto* origin = static_cast<Origin*>(data);
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    const uintptr_t begin = module->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || origin->address < begin || origin->address >= begin + part.p_memsz)
      continue;
    origin->base = module->dlpi_addr;
    // The program itself has no name here.
    origin->file = module->dlpi_name[0] == 0 ? kProgram : module->dlpi_name;
    return 1;
  }
  return 0;
}

struct Symbols {
  std::vector<ElfW(Sym)> all;
  std::string names;
  const char* name(const ElfW(Sym) & symbol) const {
    return symbol.st_name < names.size() ? names.c_str() + symbol.st_name : "";
  }
};
template <typename T>
bool read_at(std::ifstream& file, uint64_t at, T* into, size_t bytes) {
  file.seekg(static_cast<std::streamoff>(at));
  return bool(file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(bytes)));
}
Symbols read_symbols(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) header;
  if (!read_at(file, 0, &header, sizeof header)) return {};
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  if (!read_at(file, header.e_shoff, sections.data(), sections.size() * sizeof sections[0])) return {};
  Symbols symbols;
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& text = sections[section.sh_link];
    symbols.all.resize(section.sh_size / sizeof symbols.all[0]);
    symbols.names.resize(text.sh_size);
    if (!read_at(file, section.sh_offset, symbols.all.data(), section.sh_size) ||
        !read_at(file, text.sh_offset, symbols.names.data(), text.sh_size))
      return {};
  }
  return symbols;
}

// How the names of variables in a kernel's body begin, which is a lambda in the function that bears
// the kernel's name: _Z3addPi has _ZZZ3addPiENUl..., one of extern "C", add, has _ZZZ3addENUl...
std::string names_in(const std::string& kernel) {
  const std::string inner =
      kernel.compare(0, 2, "_Z") == 0 ? kernel.substr(2) : std::to_string(kernel.size()) + kernel;
  return "_ZZZ" + inner + "ENU";
}

}  // namespace

size_t static_shared_bytes(const void* kernel) {
  Origin origin{reinterpret_cast<uintptr_t>(kernel)};
  if (dl_iterate_phdr(find_origin, &origin) == 0) return 0;
  // The program's own are read once: libraries ask before each launch. A module may go, and another come.
  static const Symbols* own = new Symbols(read_symbols(kProgram));
  const bool is_own = origin.file == kProgram;
  const Symbols others = is_own ? Symbols() : read_symbols(origin.file);
  const Symbols& symbols = is_own ? *own : others;
  std::string begin;
  for (const ElfW(Sym) & symbol : symbols.all)
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && origin.base + symbol.st_value == origin.address)
      begin = names_in(symbols.name(symbol));
  if (begin.empty()) return 0;
  size_t bytes = 0;
  for (const ElfW(Sym) & symbol : symbols.all) {
    const char* name = symbols.name(symbol);
    // A checked run has gaps next to the variables, and the block function has variables of its own.
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && strncmp(name, begin.c_str(), begin.size()) == 0 &&
        strstr(name, "cpu_device_gap_") == nullptr && strstr(name, "BlockPlace") == nullptr)
      bytes += symbol.st_size;
  }
  return bytes;
}

}  // namespace cpu_device
