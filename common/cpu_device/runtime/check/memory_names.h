// What the program calls the memory at an address: arrays, variables, allocations.
#pragma once

#include <string>

#include "state.h"

namespace cpu_device::check {

// "bins[65]", "byte 12 of the memory allocated at x.cu:20"
std::string address_in_words(const Context* c, uintptr_t address, unsigned bytes);
// The array that an address lies in, or not far behind.
struct ArrayInfo {
  uintptr_t base = 0;
  size_t bytes = 0, element = 0;
  size_t origin = 0;  // offset of its element 0
  std::string name, type;  // empty: no parameter of the kernel points there
  Site allocated{nullptr, 0};
  bool shared = false, variable = false;
};
bool find_array(const Context& c, uintptr_t address, ArrayInfo* info);
// The block that holds the address, or the one that it lies not far behind or before.
const Block* near_block(uintptr_t address, bool* inside);
// The parameter of the kernel that points to the block's memory, the nearest one.
const NamedPointer* named_pointer(const Block& block, uintptr_t address);
const SharedVariable* shared_at(const Context& c, uintptr_t address);
bool in_dynamic_shared(uintptr_t address);
std::string element_words(size_t bytes, size_t element);
// The variable of the program that holds the address.
std::string variable_name(uintptr_t address);
size_t variable_left(uintptr_t address);  // bytes from there to its end; 0: no variable
// Of a variable in constant memory without an initializer: where it lies.
bool find_variable(uintptr_t address, uintptr_t* base);  // of the program, by its first byte
bool find_unset_constant(uintptr_t address, uintptr_t* base, size_t* bytes);
// Whether bytes of an element are padding: 1 or 0, and -1 where its type is not known.
int known_padding(const Context& c, unsigned place, uintptr_t address, unsigned bytes);
bool in_some_stack(uintptr_t address);
struct Mapping {
  uintptr_t low = 0, high = 0;
  std::string name;
};
Mapping mapping_of(uintptr_t address);
bool is_mapped(uintptr_t address);
// Memory that host code must not touch.
bool device_only(uintptr_t address);
Site allocation_site(uintptr_t address);

}  // namespace cpu_device::check
