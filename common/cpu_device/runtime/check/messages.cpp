// Words that several messages share: threads, accesses, lines.
#include "messages.h"

#include "source_lines.h"

namespace cpu_device::check {

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
      return past ? "atomically read" : "atomically reads";
    case Access::atomic_write:
      return past ? "atomically wrote" : "atomically writes";
    default:
      return past ? "atomically updated" : "atomically updates";
  }
}

// What the block itself has where another one of its cluster has this, and whose it is.
uintptr_t own_counterpart(const Context& c, uintptr_t address, std::string* whose) {
  const Context* holder = c.in_cluster && !c.local.contains(address) ? holder_in_cluster(c, address) : nullptr;
  if (holder == nullptr) return address;
  if (whose != nullptr) *whose = " of " + block_in_words(holder->block);
  return address - holder->variables + c.variables;
}

}  // namespace cpu_device::check
