// Where a finding's parts are, for debugger/: see execution/debugger_table.cpp.
#include "../execution/debugger.h"
#include "findings.h"

#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // Of classes with members of several kinds, g++ knows it.

namespace cpu_device::check {

static constexpr DebuggerEntry kEntries[] = {
    {"Finding.kind", __builtin_offsetof(Finding, kind)},
    {"Finding.level", __builtin_offsetof(Finding, level)},
    {"Finding.file", __builtin_offsetof(Finding, place.file)},
    {"Finding.line", __builtin_offsetof(Finding, place.line)},
    {"Finding.title", __builtin_offsetof(Finding, title)},
    {"Finding.details", __builtin_offsetof(Finding, details)},
    {"Finding.hint", __builtin_offsetof(Finding, hint)},
    {"Finding.others", __builtin_offsetof(Finding, others)},
    {"Second.file", __builtin_offsetof(Second, place.file)},
    {"Second.line", __builtin_offsetof(Second, place.line)},
};

extern "C" {
extern const DebuggerTable<count_of(kEntries)> cpu_device_debugger_findings;
__attribute__((used)) const DebuggerTable<count_of(kEntries)> cpu_device_debugger_findings =
    make_debugger_table(kEntries);
}

}  // namespace cpu_device::check
