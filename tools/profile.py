#!/usr/bin/env python3
"""Counts the memory accesses and branches of a program's kernels, line by line: ./course profile.

    tools/profile.py [--json] [--page PAGE] [--with OPTIONS] [--in FOLDER] FILE [ARGS...]   counts on the CPU device
    tools/profile.py --gpu NVCC ...                                also shows the counts of ncu on a GPU
    tools/profile.py --compile [--with OPTIONS] [--in FOLDER] FILE only compiles the program

FILE is a .cu file, or a program compiled with nvcc --branches. OPTIONS are options for the compilers. FOLDER is
where the programs go. NVCC is NVIDIA's nvcc. Without ARGS, a program of the course runs with the small size from
tests/checked_run/checked_programs.txt.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import ncu
import profile_page
from course.compiling import Compilation, runtime_files
from course.messages import Problem

ROOT = pathlib.Path(__file__).resolve().parent.parent
NVCC = ROOT / "common/cpu_device/nvcc"
SECONDS = 600        # that a program may take
SECONDS_AGAIN = 100  # to find the grids of a large GPU


def die(text):
    print(f"course: {text}", file=sys.stderr)
    sys.exit(2)


# ---------------------------------------------------------------------------- compile and run

def compile_programs(source, options, nvcc, folder):
    """The program for the CPU device, to be counted, and with `nvcc` that for a GPU, else None; both at
    the same time, since either takes long."""
    if source.suffix != ".cu":
        if nvcc is not None:
            die("profile --gpu needs the .cu file, because it compiles a second program for the GPU")
        return source.absolute(), None
    source = source.absolute()
    if "--enable-tile" not in options and "<cuda_tile.h>" in source.read_text(errors="replace"):
        options = ["--enable-tile", "-std=c++20", *options]
    environment = dict(os.environ)
    environment.setdefault("CPU_DEVICE_CACHE", str(ROOT / "build/cpu-check/cpu_device"))
    all_of_them = [Compilation(source, folder, [str(NVCC), "--branches", *options],
                               environment, runtime_files())]
    if nvcc is not None:
        all_of_them.append(Compilation(
            source, folder / "gpu",
            [nvcc, "-std=c++17", "-O2", "-g", "-lineinfo", "-arch=native", "-Xlinker", "--as-needed", *options],
            dict(os.environ), []))
    where = [words for one, words in zip(all_of_them, ("for counting", "for the GPU"))
             if one.process is not None]
    if where:
        print(f"course: compiling {source.name} {' and '.join(where)}", file=sys.stderr)
    programs = [one.wait() for one in all_of_them]
    return programs[0], programs[1] if nvcc is not None else None


def small_arguments(source):
    if source.resolve().parent.parent != ROOT:
        return []  # not of the course
    name = source.stem
    for line in (ROOT / "tests/checked_run/checked_programs.txt").read_text().splitlines():
        words = line.split("!")[0].split("#")[0].split()
        if words and words[0] == name:
            return words[1:]
    return []


def environment_for_run():
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "CPU_DEVICE_WATCH", "CPU_DEVICE_REPORT")
    return {k: v for k, v in os.environ.items() if k not in hidden}


class Progress:
    """What is being done, in one line on a terminal; words that are too few to be shown elsewhere."""

    def __call__(self, words):
        if sys.stderr.isatty():
            print("\r\033[K" + words[:shutil.get_terminal_size().columns - 1], end="", file=sys.stderr,
                  flush=True)


def run_and_count(program, arguments, seconds, more_environment):
    """(exit code or None if it was stopped after so many seconds, what it said, what was counted: also of
    a program that was stopped, if it came to the end of a launch)."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counts.json"
        environment = {**environment_for_run(), "CPU_DEVICE_PROFILE": str(path), **more_environment}
        process = subprocess.Popen([str(program), *arguments], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        try:
            output, _ = process.communicate(timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.terminate()
            output, _ = process.communicate()
            code = None
        return code, output, json.loads(path.read_text()) if path.exists() else {"kernels": []}


def is_counted(program):
    """Whether it writes counts when asked to."""
    return b"CPU_DEVICE_PROFILE" in program.read_bytes()


def count(program, arguments):
    """Runs the program, and returns what was counted."""
    code, output, counts = run_and_count(program, arguments, SECONDS, {})
    if code is None:
        die(f"{program.name} takes more than {SECONDS // 60} minutes. Use a smaller size (--size ...): "
            "the counts do not need a large one")
    if code != 0:
        sys.stderr.write(output)
        if code == 1 and counts["kernels"]:  # A wrong result also has counts.
            print(f"course: {program.name} ended with exit code 1. These are its counts:", file=sys.stderr)
        else:
            if code != 2:  # bad usage explains itself
                print(f"course: {program.name} ended with {code}", file=sys.stderr)
            sys.exit(code if code > 0 else 1)
    if not counts["kernels"]:
        if "compile the program with nvcc --branches" in output or not is_counted(program):
            die(f"{program.name} was not compiled for counting. Compile it with common/cpu_device/nvcc --branches, "
                "or pass its .cu file")
        die(f"{program.name} launches no kernel, so there is nothing to count")
    return counts


# ---------------------------------------------------------------------------- words

LOADS = {"global_load": "reads", "global_store": "writes"}
NAMES = {"global_load": "loads", "global_store": "stores", "global_reduction": "reductions",
         "global_atomic": "atomics", "shared_load": "shared loads", "shared_store": "shared stores",
         "shared_atomic": "shared atomics", "constant_load": "constant loads"}


def number(value):
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def per_request(value, thing):
    """"1 sector per request", "2.5 sectors per request"."""
    shown = number(value)
    ending = "" if shown == "1" else "es" if thing.endswith("s") else "s"
    return f"{shown} {thing}{ending} per request"


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


MEMBERS = 32  # bytes: neighbors that are no further apart access members of a structure


def members(distance, width, verb):
    """What to do if neighboring threads access members of structures of `distance` bytes, each `width` bytes large."""
    if width == 1 and distance == 3:
        return "single bytes, 3 bytes apart. Pad the structure to 4 bytes, and let each thread " + verb[:-1] + " a uchar4"
    if width == 1 and distance in (2, 4):
        return f"single bytes, {distance} bytes apart. Let each thread {verb[:-1]} its {distance} bytes at once, as a uchar{distance}"
    whole = f", or {verb[:-1]} {min(distance, 16)} bytes at once" if distance in (8, 16, 32) else ", or pad the structure to 16 bytes" \
        if distance == 12 else ""
    return f"{distance} bytes apart, as members of structures are. Use an array for each member{whole}" + \
        (" (float4)" if distance in (12, 16, 32) and width == 4 else "")


def judge_global(a):
    requests = a["requests"]
    now, possible = a["sectors"] / requests, a["fewest_sectors"] / requests
    text = per_request(now, "sector")
    used = f"{percent(a['bytes_used'], 32 * a['sectors'])} of the bytes transferred are used"
    verb = LOADS[a["kind"]]
    distance, width = a.get("lane_distance_bytes"), a["access_bytes"]  # a width of 0: of several sizes
    if now - possible < 0.05:  # as few sectors as possible, but of single bytes many requests
        advice = (f"a warp {verb} only 32 bytes per request. Let each lane {verb[:-1]} 4 or 16 bytes at once (uchar4, uint4): "
                  "that needs fewer requests") \
            if width == 1 and distance in (-1, 1) and a["lanes"] >= 16 * requests else ""
    elif distance is not None and abs(distance) == width or \
            distance is None and now - possible <= 1.05 and 100 * a["bytes_used"] >= 75 * 32 * a["sectors"]:
        advice = (f"a warp {verb} across a border of 32 bytes. Start each row at a multiple of 32 bytes, "
                  "for example with cudaMallocPitch()") + \
            (". For neighbors of a thread's own element this is normal: caches serve them" if verb == "reads" else "")
    elif distance is not None and width < abs(distance) <= MEMBERS and abs(distance) % (width or 1) == 0:
        advice = f"neighboring threads {verb[:-1]} {members(abs(distance), width, verb)}"
    elif distance is not None:
        advice = (f"neighboring threads {verb[:-1]} {abs(distance)} bytes apart. Let threadIdx.x run along the row, "
                  "so that they access neighboring elements, or go through shared memory")
    else:
        advice = (f"the lanes of a warp {verb[:-1]} scattered addresses. Arrange the data so that neighboring "
                  "threads access neighboring elements, or go through shared memory")
    return a["sectors"] - a["fewest_sectors"], text, f"{number(possible)}", used, advice


def judge_atomic(a):
    requests = a["requests"]
    now, possible = a["sectors"] / requests, a["fewest_sectors"] / requests
    most = a["most_lanes_on_one_address"]
    text = per_request(now, "sector")
    more = f"up to {most} of 32 lanes on one address"
    advice = ""
    if most > 1:
        advice = "lanes with the same address are served one after the other. " + (
            "Add within the block or the warp first, then update once (nvcc does this itself if it knows that all lanes use "
            "one address)" if a["kind"] == "global_reduction" else
            "If they only add, add within the block or the warp first, and let one lane update for all")
    elif now - possible >= 0.05:
        advice = "the lanes use scattered addresses. Let neighboring threads update neighboring elements"
    return a["sectors"] - a["fewest_sectors"], text, number(possible), more, advice


def judge_shared(a):
    requests, conflicts = a["requests"], a["bank_conflicts"]
    text = per_request(conflicts / requests, "bank conflict")
    distance = a.get("lane_distance_bytes")
    advice = ""
    if conflicts < 0.05 * requests:  # it would read "0 bank conflicts per request"
        pass
    elif distance is not None and distance % 128 == 0:
        advice = (f"neighboring threads access addresses {abs(distance)} bytes apart, all in the same bank. "
                  "Add one element to each row: tile[32][33]")
    elif distance is not None:
        advice = (f"neighboring threads access addresses {abs(distance)} bytes apart, and some share a bank. "
                  "Use a distance of an odd number of words")
    elif a["kind"] == "shared_atomic":
        advice = ("lanes update different words in one bank, as the data have it. Give each lane a column of its own, "
                  "counts[256][32], as histogram_lanes does")
    else:
        advice = "lanes access different words in one bank. Pad the rows, or let neighboring threads access neighboring words"
    more = ""
    if a["kind"] == "shared_atomic" and a["most_lanes_on_one_address"] > 1:
        more = f"up to {a['most_lanes_on_one_address']} of 32 lanes on one address"
    return conflicts, text, "0", more, advice


def judge_constant(a):
    now = a["addresses"] / a["requests"]
    advice = ""
    if now > 1.05:
        advice = ("different addresses are served one after the other. Use constant memory only if all lanes read "
                  "the same address, and global memory otherwise")
    return a["addresses"] - a["requests"], per_request(now, "address"), "1", "", advice


def judge(a):
    """(waste, now, possible, more, what to do) of one line's accesses of one kind."""
    kind = a["kind"]
    if kind in LOADS:
        return judge_global(a)
    if kind in ("global_reduction", "global_atomic"):
        return judge_atomic(a)
    return judge_constant(a) if kind == "constant_load" else judge_shared(a)


def size_in_words(three):
    while len(three) > 1 and three[-1] == 1:
        three = three[:-1]
    return " x ".join(map(str, three))


def launch_in_words(grid, block):
    blocks = size_in_words(grid)
    return f"{blocks} {'block' if blocks == '1' else 'blocks'} of {size_in_words(block)}"


SHARED_PIECE = 128  # bytes in which a block gets shared memory


def occupancy(kernel, device):
    """(warps of a multiprocessor at a time, of how many, what limits them), registers left aside."""
    threads = 1
    for n in kernel["block"]:
        threads *= n
    warps = (threads + 31) // 32
    all_warps = device["threads_per_multiprocessor"] // 32
    limits = [(all_warps // warps, "the number of threads"),
              (device["blocks_per_multiprocessor"], "the number of blocks")]
    shared = kernel["shared_bytes_per_block"]
    if shared > 0:
        shared += device["reserved_shared_bytes_per_block"]
        shared = (shared + SHARED_PIECE - 1) // SHARED_PIECE * SHARED_PIECE
        limits.append((device["shared_bytes_per_multiprocessor"] // shared, "shared memory"))
    blocks, what = min(limits, key=lambda limit: limit[0])
    return blocks * warps, all_warps, what


class Sources:
    def __init__(self):
        self.files = {}

    def line(self, file, line):
        if file not in self.files:
            try:
                self.files[file] = pathlib.Path(file).read_text(errors="replace").splitlines()
            except OSError:
                self.files[file] = []
        lines = self.files[file]
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def main_configurations(kernels):
    """Of each kernel the configuration with most requests, and how many others there are. The kernel with most comes first."""
    best, others = {}, {}
    for kernel in kernels:
        name = kernel["kernel"]
        weight = sum(a["requests"] for a in kernel["accesses"]) / kernel["launches"]
        others[name] = others.get(name, -1) + 1
        if name not in best or weight > best[name][0]:
            best[name] = (weight, kernel)
    return [(kernel, others[name]) for name, (_, kernel) in sorted(best.items(), key=lambda item: -item[1][0])]


def judged_lines(kernel):
    """[(waste, file, line, [rows])], the worst line first."""
    lines = {}
    for a in kernel["accesses"]:
        waste, now, possible, more, advice = judge(a)
        entry = lines.setdefault((a["file"], a["line"]), [0, []])
        entry[0] += waste
        active = a["lanes"] / a["requests"]
        requests = a["requests"] // kernel["launches"]
        details = [f"{requests} request{'' if requests == 1 else 's'}"]
        if active < 31.95:
            details.append(f"{number(active)} of 32 lanes")
        if more and (advice or a["kind"] not in LOADS):  # a broadcast uses few of the bytes, and is optimal
            details.append(more)
        entry[1].append((waste, NAMES[a["kind"]], now, possible, ", ".join(details), advice))
    for b in kernel["divergent_branches"]:
        entry = lines.setdefault((b["file"], b["line"]), [0, []])
        entry[0] += b["count"]
        entry[1].append((b["count"], "branches",
                         f"{number(b['count'] / kernel['launches'])} divergent", "0", "",
                         "the lanes of a warp take different branches, one after the other. Let all lanes of a warp "
                         "take the same one (a GPU needs no branch if it has only a few instructions)"))
    return sorted(((waste, file, line, sorted(rows, key=lambda row: -row[0]))
                   for (file, line), (waste, rows) in lines.items()),
                  key=lambda entry: (-entry[0], entry[1], entry[2]))


def print_table(counts):
    sources = Sources()
    for kernel, others in main_configurations(counts["kernels"]):
        launches = kernel["launches"]
        print(f"\n{kernel['kernel']}: {launch_in_words(kernel['grid'], kernel['block'])} threads"
              + (f", launched {launches} times; counts are for one launch" if launches > 1 else ""))
        warps, all_warps, what = occupancy(kernel, counts["device"])
        shared = kernel["shared_bytes_per_block"]
        barriers = number(kernel["barriers_per_thread"])
        print(f"  {barriers} {'barrier' if barriers == '1' else 'barriers'} per thread, {shared} bytes of shared "
              f"memory per block; {warps} of {all_warps} warps fit on a multiprocessor"
              + (f" (limited by {what})" if warps < all_warps else ""))
        for _, file, line, rows in judged_lines(kernel):
            place = f"{pathlib.Path(file).name}:{line}" if line > 0 else "unknown line"
            print(f"  {place} | {sources.line(file, line)[:90]}")
            for _, name, now, possible, details, advice in rows:
                good = "" if advice else ", optimal"
                target = f"; possible: {possible}" if advice and now.split()[0] != possible else ""
                print(f"      {name + ':':16}{now}{target}{good}" + (f" ({details})" if details else ""))
                if advice:
                    print(f"      {'':16}{advice}")
        if others > 0:
            print(f"  ({others} other {'size' if others == 1 else 'sizes'} of launches: --json)")
    print("\nCounted on the CPU device by the rules of an NVIDIA GPU (compute capability 9.0). A sector "
          "is 32 bytes.\nNot known: time, caches, registers, local memory, textures, and how nvcc compiles a branch.")


def add_words(counts):
    """What the table says, for --json."""
    for kernel in counts["kernels"]:
        for a in kernel["accesses"]:
            waste, now, possible, _, advice = judge(a)
            a.update({"waste": waste, "now": now, "possible": possible, "what_to_do": advice})
        warps, all_warps, what = occupancy(kernel, counts["device"])
        kernel["occupancy_without_registers"] = {"warps": warps, "of": all_warps, "limited_by": what}
    return counts


# ---------------------------------------------------------------------------- next to a GPU

def passes(accesses):
    """Of shared memory; None where elements of 8 and 16 bytes need several that depend on the pattern."""
    if any(a["access_bytes"] not in (1, 2, 4) for a in accesses):
        return None
    return sum(a["requests"] + a["bank_conflicts"] for a in accesses)


def ours(kernels, kind, what):
    """Of one launch, on average; `kernels`: those of one name and size."""
    total = 0
    for kernel in kernels:
        if what == "branches":
            total += sum(b["count"] for b in kernel["divergent_branches"])
        elif what == "passes":
            counted = passes([a for a in kernel["accesses"] if a["kind"].startswith("shared")])
            if counted is None:
                return None
            total += counted
        else:
            total += sum(a[what] for a in kernel["accesses"] if a["kind"] == kind)
    return total / sum(kernel["launches"] for kernel in kernels)


def our_lines(kernels):
    """{(file, line, what): count} of one launch, as ncu.read_lines() has them."""
    launches = sum(kernel["launches"] for kernel in kernels)
    found = {}

    def add(place, words, count):
        if count:
            key = (pathlib.Path(place["file"]).name, place["line"], words)
            found[key] = found.get(key, 0) + count / launches

    for kernel in kernels:
        for a in kernel["accesses"]:
            if a["kind"].startswith("global"):
                add(a, NAMES[a["kind"]] + ", sectors", a["sectors"])
            elif a["kind"].startswith("shared"):
                add(a, NAMES[a["kind"]] + ", bank conflicts", a["bank_conflicts"])
        for b in kernel["divergent_branches"]:
            add(b, "divergent branches", b["count"])
    return found


def out_of_headers(lines, ours_by_line):
    """ncu's lines; what it finds in CUDA's headers, where atomicAdd() is, moves to the line of ours that
    calls it, if only one can be it."""
    files = {file for file, _, _ in ours_by_line}
    moved = dict(lines)
    for key in [key for key in lines if key[0] not in files]:
        free = [ours for ours in ours_by_line if ours[2] == key[2] and ours not in moved]
        if len(free) == 1:
            moved[free[0]] = moved.pop(key)
    return moved


def compare(counts, measured):
    """Of each kernel that ncu saw: name, grid and block, `here` (the grid and block of ours, None if it
    is not launched here), and rows and lines that end in the count here and that by ncu."""
    compared = []
    for (name, grid, block), (metrics, lines) in measured.items():
        named = [k for k in counts["kernels"] if k["kernel"] == name]
        same = [k for k in named if (tuple(k["grid"]), tuple(k["block"])) == (grid, block)] or named[:1]
        entry = {"kernel": name, "grid": grid, "block": block, "here": None, "rows": [], "lines": []}
        compared.append(entry)
        if not same:
            continue
        entry["here"] = [same[0]["grid"], same[0]["block"]]
        for words, (metric, kind, what) in ncu.METRICS.items():
            here, there = ours(same, kind, what), metrics.get(metric)
            if here is not None and there is not None and (here or there):
                entry["rows"].append([words, here, there])
        ours_by_line = our_lines(same)
        lines = out_of_headers(lines, ours_by_line)
        for key in sorted(set(ours_by_line) | set(lines)) if lines else []:
            entry["lines"].append([*key, ours_by_line.get(key, 0), lines.get(key, 0)])
    return compared


def configurations(kernels):
    return {(kernel["kernel"], tuple(kernel["grid"]), tuple(kernel["block"])) for kernel in kernels}


def count_both(program, gpu_program, arguments, progress=lambda words: None):
    """What was counted on the CPU device, and compare() of it with what ncu counts on the GPU."""
    progress("counting on the CPU device")
    try:
        counts = count(program, arguments)
        progress("starting ncu")
        measured = ncu.measure(gpu_program, arguments, environment_for_run(), progress)
        if not set(measured) <= configurations(counts["kernels"]):
            # Grids that follow the number of multiprocessors, and what other kernels do with their results.
            progress("counting again, with the GPU's number of multiprocessors")
            number_of_them = int(max(metrics.get(ncu.MULTIPROCESSORS, 1) for metrics, _ in measured.values()))
            ended, _, again = run_and_count(program, arguments, SECONDS_AGAIN,
                                            {"CPU_DEVICE_MULTIPROCESSORS": str(number_of_them)})
            # The first run's are whole also if the second was stopped.
            preferred, others = (again, counts) if ended == 0 else (counts, again)
            known = configurations(preferred["kernels"])
            counts["kernels"] = preferred["kernels"] + [kernel for kernel in others["kernels"]
                                                        if not configurations([kernel]) <= known]
    finally:
        progress("")
    return counts, compare(counts, measured)


def difference(here, there):
    if abs(here - there) < 0.5:
        return "none"
    if there and here / there > 10:
        return f"{here / there:.0f} times"
    return f"{100 * (here - there) / there:+.1f} %" if there else "only here"


def print_comparison(compared):
    """Our counts beside ncu's, kernel by kernel, for one launch, and the lines where they differ."""
    print(f"\n{'one launch of':44}{'counted here':>14}{'by ncu':>14}{'difference':>12}")
    for entry in compared:
        print(f"{entry['kernel']}, {launch_in_words(list(entry['grid']), list(entry['block']))}")
        if entry["here"] is None:
            print("  not launched on the CPU device")
            continue
        grid, block = entry["here"]
        if (tuple(grid), tuple(block)) != (entry["grid"], entry["block"]):
            print(f"  (here: {launch_in_words(grid, block)})")
        for words, here, there in entry["rows"]:
            print(f"  {words:42}{number(here):>14}{number(there):>14}{difference(here, there):>12}")
        if not entry["lines"]:
            print("  by line: unknown (ncu reports no lines, or lines of other launches)")
        for file, line, words, here, there in entry["lines"]:
            place = f"{file}:{line}"
            print(f"    {place + ' ' + words:40}{number(here):>14}{number(there):>14}"
                  f"{difference(here, there):>12}")
    print("\nDifferences come from the compilers. nvcc replaces short branches by predicated instructions, keeps "
          "values in\nregisters, combines atomics on an address that is the same for all lanes, and removes unused "
          "loads. Texture\nfetches count as loads here. On a GPU they take another path.")


def write_page(page, counts, program, arguments):
    words = profile_page.Words(judged_lines, main_configurations, occupancy, launch_in_words, number)
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(profile_page.page_of(counts, program, arguments, words), encoding="utf-8")
    except OSError as error:
        die(f"{page} cannot be written: {error.strerror}")
    print(f"open {page} in a browser", file=sys.stderr)


def main():
    words = sys.argv[1:]
    as_json, page, nvcc, options, folder = False, None, None, [], ROOT / "build/profile"
    only_compile = False
    while words and words[0].startswith("--"):
        if words[0] == "--json":
            as_json = True
        elif words[0] == "--compile":
            only_compile = True
        elif words[0] == "--page" and len(words) > 1:
            page = pathlib.Path(words.pop(1))
        elif words[0] == "--gpu" and len(words) > 1:
            nvcc = words.pop(1)
        elif words[0] == "--with" and len(words) > 1:
            options = shlex.split(words.pop(1))
        elif words[0] == "--in" and len(words) > 1:
            folder = pathlib.Path(words.pop(1))
        else:
            die(f"profile has no option '{words[0]}'. Put options of the program after its name")
        words = words[1:]
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    source, arguments = pathlib.Path(words[0]), words[1:]
    if not arguments and not only_compile and small_arguments(source):
        arguments = small_arguments(source)
        print(f"course: running with {' '.join(arguments)}. This size is large enough for the counts", file=sys.stderr)
    try:
        program, gpu_program = compile_programs(source, options, nvcc, folder)
    except Problem as problem:
        die(problem)
    if only_compile:
        return 0
    compared = None
    if gpu_program is None:
        counts = count(program, arguments)
    else:
        try:
            counts, compared = count_both(program, gpu_program, arguments, Progress())
        except ncu.Problem as problem:
            die(str(problem))
    if page is not None:
        write_page(page, counts, source.stem, arguments)
    if as_json:
        counts = add_words(counts)
        if compared is not None:
            counts["beside_ncu"] = compared
        json.dump(counts, sys.stdout, indent=1)
        print()
        return 0
    if page is None:
        print_table(counts)
    if compared is not None:
        print_comparison(compared)
    return 0


def main_and_write():
    """main(), and one line if what it prints cannot be written, as onto a full disk."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader, such as `head`, has what it wanted
        code = 0
    except OSError as error:
        print(f"course: the counts cannot be written: {error.strerror}", file=sys.stderr)
        code = 2
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left goes nowhere
    return code


if __name__ == "__main__":
    sys.exit(main_and_write())
