// What g++ calls with -fsanitize=bounds,alignment,shift,signed-integer-overflow,integer-divide-by-zero when
// an index, a pointer, a shift or a sum goes wrong. Only kernels are of interest.
#include <cctype>

#include "accesses.h"
#include "findings.h"
#include "places.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

struct Location {
  const char* file;
  uint32_t line, column;
};
struct Type {
  uint16_t kind, info;  // kind 0: integer; info: bit 0 signed, the others log2 of the bits
  char name[1];
};
struct BoundsData {
  Location location;
  const Type *array, *index;
};
struct ShiftData {
  Location location;
  const Type *left, *right;
};
struct OverflowData {
  Location location;
  const Type* type;
};

// An access through a pointer, which must be a multiple of the type's alignment.
struct MismatchData {
  Location location;
  const Type* type;
  unsigned char log_alignment, kind;
};
enum { kLoad = 0, kStore = 1, kMember = 3 };  // other kinds access nothing yet

unsigned bits(const Type& type) { return 1u << (type.info >> 1); }

std::string value(const Type& type, uintptr_t handle) {
  if (type.kind != 0 || bits(type) > 64) return "a value";
  if ((type.info & 1) == 0) return std::to_string(handle);
  const unsigned unused = 64 - bits(type);
  return std::to_string(static_cast<int64_t>(handle << unused) >> unused);
}

// A type's name without the quotes around it.
std::string name(const Type& type) {
  std::string text = type.name;
  if (text.size() > 2 && text[0] == '\'') text = text.substr(1, text.size() - 2);
  return text;
}

void report(const char* kind, const Location& location, const std::string& what,
            const std::string& hint) {
  if (checking == nullptr) return;
  const Muted quiet;
  Finding finding;
  finding.kind = kind;
  finding.place = {location.file, static_cast<int>(location.line)};
  finding.title = what + where_in_kernel();
  finding.hint = hint;
  add_finding(std::move(finding));
}

// The array's name, if the line has only one that is indexed.
std::string array_in_line(const Location& location) {
  const std::string text = source_text({location.file, static_cast<int>(location.line)});
  std::string found;
  for (size_t bracket = text.find('['); bracket != std::string::npos; bracket = text.find('[', bracket + 1)) {
    size_t start = bracket;
    while (start > 0 && (isalnum(static_cast<unsigned char>(text[start - 1])) != 0 || text[start - 1] == '_')) start--;
    const std::string identifier = text.substr(start, bracket - start);
    if (identifier.empty() || identifier == found) continue;
    if (!found.empty()) return "";
    found = identifier;
  }
  return found;
}

// The pattern of memory that was never written, or nearly so. That is another finding, reported elsewhere.
bool is_fresh(uintptr_t value) {
  return (value >> 16 & 0xffff) == kFreshWord >> 16 || (value & 0xffff) == (kFreshWord & 0xffff);
}

void overflow(const OverflowData& data, uintptr_t left, const char* sign, uintptr_t right) {
  if (is_fresh(left) || is_fresh(right)) return;
  // A counter that has come to its end, step by step: the loop is the mistake.
  if (checking != nullptr && value(*data.type, right) == "1" && runs_without_progress()) {
    checking->worker->abort_grid(cudaErrorLaunchTimeout, {data.location.file, static_cast<int>(data.location.line)},
                                 "endless loop" + where_in_kernel() + ": its counter has reached " + value(*data.type, left) +
                                     ", the end of the range of " + name(*data.type),
                                 "check the condition of the loop that contains this line.", "no-progress");
  }
  report("arithmetic", data.location,
         "integer overflow: " + value(*data.type, left) + " " + sign + " " + value(*data.type, right) +
             " is outside the range of " + name(*data.type),
         "compute with a larger type, such as size_t. Convert the operands, not the result.");
}

}  // namespace

}  // namespace cpu_device::check

using namespace cpu_device::check;

#define HANDLER extern "C" void
// Also of what the compiler splits into smaller accesses: on a GPU a vector is loaded and stored at once.
HANDLER __ubsan_handle_type_mismatch_v1(MismatchData* data, uintptr_t pointer) {
  const uintptr_t bytes = uintptr_t(1) << data->log_alignment;
  if (checking == nullptr || pointer % bytes == 0 || bytes > 16) return;
  if (data->kind != kLoad && data->kind != kStore && data->kind != kMember) return;
  if (pointer - checking->stack_low < checking->stack_bytes) return;
  const Access access = data->kind == kStore ? Access::write : Access::read;
  misaligned(*checking, site_place({data->location.file, static_cast<int>(data->location.line)}, access, cpu_device::Scope::none,
                                   static_cast<unsigned>(bytes)),
             pointer, static_cast<unsigned>(bytes));
}
HANDLER __ubsan_handle_out_of_bounds(BoundsData* data, uintptr_t index) {
  const std::string array = array_in_line(data->location), type = name(*data->array), number = value(*data->index, index);
  report("out-of-bounds", data->location,
         "out of bounds: index " + number + " of " + (array.empty() ? "an array" : array) + " (" + type + ")",
         number[0] == '-' ? "the index is negative. Check the index first: `if (i >= 0)`."
                          : "the last valid index is one less than the number of elements. Check the index first: `if (i < n)`.");
  if (checking == nullptr) return;
  // What comes next may overwrite anything.
  flush_findings();
  checking->worker->end_thread(cudaErrorIllegalAddress, cpu_device::Failure{});
}
HANDLER __ubsan_handle_shift_out_of_bounds(ShiftData* data, uintptr_t left, uintptr_t right) {
  const std::string by = value(*data->right, right);
  if (data->left->info & 1 && right < bits(*data->left)) return;  // into the sign: defined by now
  report("arithmetic", data->location,
         "shift too large: " + value(*data->left, left) + " is shifted by " + by + " bits, but its type " +
             name(*data->left) + " has only " + std::to_string(bits(*data->left)),
         "the result is undefined: 0 or -1 on a GPU, something else on a CPU. Shift by fewer bits than the type has.");
}
HANDLER __ubsan_handle_add_overflow(OverflowData* data, uintptr_t left, uintptr_t right) {
  overflow(*data, left, "+", right);
}
HANDLER __ubsan_handle_sub_overflow(OverflowData* data, uintptr_t left, uintptr_t right) {
  overflow(*data, left, "-", right);
}
HANDLER __ubsan_handle_mul_overflow(OverflowData* data, uintptr_t left, uintptr_t right) {
  overflow(*data, left, "*", right);
}
HANDLER __ubsan_handle_negate_overflow(OverflowData* data, uintptr_t old) {
  report("arithmetic", data->location,
         "integer overflow: -(" + value(*data->type, old) + ") is outside the range of " + name(*data->type),
         "compute with a larger type, such as size_t. Convert the operands, not the result.");
}
HANDLER __ubsan_handle_divrem_overflow(OverflowData* data, uintptr_t left, uintptr_t right) {
  if (right == 0)
    report("arithmetic", data->location, "division of " + value(*data->type, left) + " by zero",
           "on a GPU, the result is undefined and the kernel continues. Here it ends. Check the divisor first.");
  else
    overflow(*data, left, "/", right);
}
