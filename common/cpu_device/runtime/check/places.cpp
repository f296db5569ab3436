// The places in the program that access memory.
#include "places.h"

#include <unordered_map>
#include <vector>

namespace cpu_device::check {

Program programs[size_t(1) << kPlaceBits] = {
    {nullptr, {nullptr, 0}, Access::write, Scope::none, 0}};  // kWritten
static unsigned places_known = 1;

static unsigned add_place(const Program& p) {
  if (places_known < std::size(programs)) programs[places_known++] = p;
  return places_known - 1;
}

unsigned find_place(const void* counter, Access access, unsigned bytes, Scope scope) {
  static auto& known = *new std::unordered_map<const void*, unsigned>;  // to the program's very end
  const auto [at, is_new] = known.try_emplace(counter, 0);
  if (is_new)
    at->second =
        add_place({counter, {nullptr, 0}, access, scope, static_cast<unsigned char>(bytes)});
  return at->second;
}

unsigned place_count() { return places_known; }

unsigned site_place(Site site, Access access, Scope scope, unsigned bytes) {
  static auto& known = *new std::unordered_map<uint64_t, unsigned>;
  const uint64_t key = (reinterpret_cast<uintptr_t>(site.file) << 20 ^ uint64_t(site.line)) * 64 +
                       unsigned(access) * 8 + unsigned(scope) + (uint64_t(bytes) << 58);
  struct Recent {
    uint64_t key;
    unsigned id;
  };
  static Recent recent[256];
  Recent& last = recent[key * 0x9e3779b97f4a7c15u >> 56];
  if (last.key == key && last.id != 0) return last.id;
  const auto [at, is_new] = known.try_emplace(key, 0);
  if (is_new)
    at->second = add_place({nullptr, site, access, scope, static_cast<unsigned char>(bytes)});
  last = {key, at->second};
  return at->second;
}

static std::vector<bool>& guesses() {
  static auto* all = new std::vector<bool>(size_t(1) << kPlaceBits);
  return *all;
}
void mark_guess(unsigned id) { guesses()[id] = true; }
bool is_guess(unsigned id) { return guesses()[id]; }

static std::vector<bool>& polled() {
  static auto* all = new std::vector<bool>(size_t(1) << kPlaceBits);
  return *all;
}
void mark_polled(unsigned id) { polled()[id] = true; }
bool is_polled(unsigned id) { return polled()[id]; }

}  // namespace cpu_device::check
