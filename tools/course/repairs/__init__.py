"""Changes that may repair a finding, by its kind: the likeliest first. `course.fixes` runs each of them.

`candidates()` is all that others need. Each module has changes of one class: barriers, atomics, claims (an atomic access that
two threads may pass at the same time), streams, indexes, and guards of an index.
"""

from . import atomics, barriers, claims, guards, indexes, streams
from .program import Program


def candidates(result, places, lines):
    """Changes for one result of a SARIF file, whose lines in the program are `places`, in order of importance."""
    if not places or max(places) > len(lines):
        return []
    program = Program(lines)
    changes = of_kind(result["ruleId"], program, places, result["message"]["text"])
    seen, found = set(), []
    for change in changes:
        text = "".join(change.applied(lines))
        if text not in seen and text != "".join(lines):
            seen.add(text)
            found.append(change)
    return found


def of_kind(kind, program, places, text):
    if kind == "race-block":
        return ((atomics.updates(program, places) if len(set(places)) == 1 else []) + barriers.waits_for_copies(program, places) +
                barriers.splits(program, places, barriers.BLOCK) + barriers.barriers(program, places, barriers.BLOCK) +
                claims.swaps(program, places))
    if kind in ("race-warp", "warp-sync"):
        return (barriers.splits(program, places, barriers.WARP) + atomics.updates(program, places) +
                barriers.barriers(program, places, barriers.WARP) + barriers.barriers(program, places, barriers.BLOCK))
    if kind == "race-grid":
        return (indexes.indexes(program, places) + atomics.updates(program, places) + atomics.pushes(program, places) + claims.swaps(program, places) +
                barriers.groups(program, places) + atomics.accesses(program, places, in_conditions=True) + claims.targets(program) +
                barriers.of_the_grid(program, places))
    if kind == "race-exclusion":  # an atomic operation on the data would hide that the lock does not lock
        return claims.claims(program, places)
    if kind == "lost-update":
        return atomics.updates(program, places) + claims.claims(program, places)
    if kind == "race-atomic":
        plain = [number for number in places if "atomic" not in program.code[number - 1]]
        own = (atomics.updates(program, plain) if plain else []) + atomics.writes(program, places)
        reads = atomics.accesses(program, places) + barriers.groups(program, places)
        meets = barriers.barriers(program, places, barriers.BLOCK) + barriers.set_by_one(program, places)
        return own + (reads + meets if "between blocks" in text else meets + reads)
    if kind == "race-same-value":
        return atomics.writes(program, places) + atomics.stores(program, places)
    if kind in ("race-fence", "race-volatile"):
        return atomics.fences(program, places, atomics.FENCE)
    if kind == "race-scope":
        return atomics.wider(program)
    if kind == "out-of-bounds":
        return guards.guards(program, places)
    if kind == "race-kernels":
        in_kernels = [number for number in places if "Async(" not in program.code[number - 1]]
        updates = atomics.updates(program, in_kernels)
        alone = any("threadIdx" in program.code[number - 1] for number in in_kernels)  # each thread has its own element
        before_flag = any("atomic" in "".join(program.code[number:number + 1]) for number in in_kernels)
        return ((atomics.fences(program, places, atomics.FENCE) if before_flag else []) + ([] if alone else updates) +
                atomics.polls(program, places) + streams.orders(program, text) + streams.waits(program, places) + updates)
    if kind in ("race-host", "freed-in-use"):
        return (claims.late_data(program, places) + streams.waits(program, places) + atomics.volatile_reads(program, places) +
                atomics.released(program, places) + atomics.fences(program, places, atomics.SYSTEM_FENCE) +
                barriers.barriers(program, places[:1], barriers.BLOCK) + barriers.before(program, places, barriers.BLOCK))
    return []
