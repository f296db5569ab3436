// Words that several messages share.
#pragma once

#include <string>

#include "source_lines.h"

namespace cpu_device::check {

std::string thread_in_words(uint64_t block, unsigned thread, bool with_block);
std::string block_in_words(uint64_t block);
const char* verb(Access access, bool past);
// One line on an access, for a finding that begins with `file`.
std::string access_line(const std::string& who_words, const char* does, const std::string& what,
                        const SourcePlace& at, const std::string& file);
// What the block itself has where another one of its cluster has this, and whose it is.
uintptr_t own_counterpart(const Context& c, uintptr_t address, std::string* whose);

}  // namespace cpu_device::check
