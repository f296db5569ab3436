#!/usr/bin/env python3
"""Counts what a program's kernels ask of the machine, line by line: ./course profile.

    tools/profile.py [--json] SOURCE [ARGS...]       counts on the CPU device
    tools/profile.py --gpu PROGRAM SOURCE [ARGS...]  beside them what ncu counts of PROGRAM on a GPU

SOURCE is the .cu file. Without ARGS those of tests/checked_programs.txt are taken, which are small.
"""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NVCC = ROOT / "common/cpu_device/nvcc"
SECONDS = 600  # that a program may take


def die(text):
    print(f"course: {text}", file=sys.stderr)
    sys.exit(2)


# ---------------------------------------------------------------------------- compile and run

def up_to_date(program, dependencies):
    """Whether the program is newer than all that it was made from."""
    if not program.exists() or not dependencies.exists():
        return False
    words = dependencies.read_text().replace("\\\n", " ").split()[1:]
    runtime = [p for p in (ROOT / "common/cpu_device").rglob("*") if p.is_file() and
               ".cache" not in p.parts]
    made = program.stat().st_mtime
    return all(os.path.exists(p) and os.path.getmtime(p) <= made for p in [*words, *runtime])


def compile_program(source):
    folder = ROOT / "build/profile"
    folder.mkdir(parents=True, exist_ok=True)
    program, dependencies = folder / source.stem, folder / (source.stem + ".d")
    if up_to_date(program, dependencies):
        return program
    print(f"course: compiling {source.name} so that it can be counted", file=sys.stderr)
    environment = dict(os.environ)
    environment["CPU_DEVICE_CACHE"] = str(ROOT / "build/cpu-check/cpu_device")
    partial = folder / (source.stem + ".new")
    done = subprocess.run([str(NVCC), "--branches", "-MD", "-MF", str(dependencies), str(source),
                           "-o", str(partial)], env=environment)
    if done.returncode != 0:
        die(f"{source.name} does not compile; see above")
    os.replace(partial, program)
    return program


def small_arguments(name):
    for line in (ROOT / "tests/checked_programs.txt").read_text().splitlines():
        words = line.split("!")[0].split("#")[0].split()
        if words and words[0] == name:
            return words[1:]
    return []


def environment_for_run():
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "CPU_DEVICE_WATCH", "CPU_DEVICE_REPORT")
    return {k: v for k, v in os.environ.items() if k not in hidden}


def count(program, arguments):
    """Runs the program, and returns what was counted."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "counts.json"
        environment = environment_for_run()
        environment["CPU_DEVICE_PROFILE"] = str(path)
        try:
            done = subprocess.run([str(program), *arguments], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, errors="replace")
        except subprocess.TimeoutExpired:
            die(f"{program.name} takes more than {SECONDS // 60} minutes; counts need no large run: "
                "make it smaller (--size ...)")
        if done.returncode != 0:
            sys.stderr.write(done.stdout)
            if done.returncode != 2:  # bad usage explains itself
                print(f"course: {program.name} ended with {done.returncode}", file=sys.stderr)
            sys.exit(done.returncode if done.returncode > 0 else 1)
        counts = json.loads(path.read_text())
    if not counts["kernels"]:
        die(f"{program.name} launches no kernel, so there is nothing to count")
    return counts


# ---------------------------------------------------------------------------- words

LOADS = {"global_load": "reads", "global_store": "writes"}
NAMES = {"global_load": "loads", "global_store": "stores", "global_reduction": "reductions",
         "global_atomic": "atomics", "shared_load": "shared loads", "shared_store": "shared stores",
         "shared_atomic": "shared atomics", "constant_load": "constant loads"}


def number(value):
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


def judge_global(a):
    requests = a["requests"]
    now, possible = a["sectors"] / requests, a["fewest_sectors"] / requests
    text = f"{number(now)} sectors per request"
    used = f"{percent(a['bytes_used'], 32 * a['sectors'])} of the bytes fetched are used"
    verb = LOADS[a["kind"]]
    distance, width = a.get("lane_distance_bytes"), a["access_bytes"]
    if now - possible < 0.05:
        advice = ""
    elif distance is not None and abs(distance) == width or \
            distance is None and now - possible <= 1.05 and 100 * a["bytes_used"] >= 75 * 32 * a["sectors"]:
        advice = (f"a warp {verb} across the borders of 32 bytes: let its first element be at a "
                  "multiple of 32 bytes (rows padded, as by cudaMallocPitch())")
    elif distance is not None:
        advice = (f"neighbors in a warp {verb[:-1]} {abs(distance)} bytes apart: let threadIdx.x run along "
                  "the row, so that they are next to each other; or go through shared memory")
    else:
        advice = (f"the lanes of a warp {verb[:-1]} from scattered places: arrange the data so that "
                  "neighbors find neighbors, or go through shared memory")
        advice = advice.replace("write from", "write to")
    return a["sectors"] - a["fewest_sectors"], text, f"{number(possible)}", used, advice


def judge_atomic(a):
    requests = a["requests"]
    now, possible = a["sectors"] / requests, a["fewest_sectors"] / requests
    most = a["most_lanes_on_one_address"]
    text = f"{number(now)} sectors per request"
    more = f"up to {most} of 32 lanes on one address"
    advice = ""
    if most > 1:
        advice = ("lanes on one address are served one after the other: add in shared memory, or "
                  "within the warp first, and then once (nvcc does so on its own where it can see "
                  "that the address is the same for all)")
    elif now - possible >= 0.05:
        advice = "the lanes' addresses are scattered, each in 32 bytes of its own"
    return a["sectors"] - a["fewest_sectors"], text, number(possible), more, advice


def judge_shared(a):
    requests, conflicts = a["requests"], a["bank_conflicts"]
    text = f"{number(conflicts / requests)} bank conflicts per request"
    distance = a.get("lane_distance_bytes")
    advice = ""
    if conflicts > 0 and distance is not None and distance % 128 == 0:
        advice = (f"neighbors are {abs(distance)} bytes apart, all in one of the 32 banks: give each row "
                  "one element more (tile[32][33])")
    elif conflicts > 0 and distance is not None:
        advice = (f"neighbors are {abs(distance)} bytes apart: with an odd number of words between them, "
                  "no two are in one bank")
    elif conflicts > 0:
        advice = "different words in one bank: pad the rows, or let neighbors take neighboring words"
    more = ""
    if a["kind"] == "shared_atomic" and a["most_lanes_on_one_address"] > 1:
        more = f"up to {a['most_lanes_on_one_address']} of 32 lanes on one address"
    return conflicts, text, "0", more, advice


def judge_constant(a):
    now = a["addresses"] / a["requests"]
    advice = ""
    if now > 1.05:
        advice = ("different addresses are served one after the other: constant memory is for what "
                  "all lanes read together; global memory has a cache for the rest")
    return a["addresses"] - a["requests"], f"{number(now)} addresses per request", "1", "", advice


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
    """Of each kernel the configuration that asked for most, and how many others there are."""
    best, others = {}, {}
    for kernel in kernels:
        name = kernel["kernel"]
        weight = sum(a["requests"] for a in kernel["accesses"]) / kernel["launches"]
        others[name] = others.get(name, -1) + 1
        if name not in best or weight > best[name][0]:
            best[name] = (weight, kernel)
    return [(kernel, others[name]) for name, (_, kernel) in best.items()]


def judged_lines(kernel):
    """[(waste, file, line, [rows])], the worst line first."""
    lines = {}
    for a in kernel["accesses"]:
        waste, now, possible, more, advice = judge(a)
        entry = lines.setdefault((a["file"], a["line"]), [0, []])
        entry[0] += waste
        active = a["lanes"] / a["requests"]
        details = [f"{a['requests'] // kernel['launches']} requests"]
        if active < 31.95:
            details.append(f"{number(active)} of 32 lanes")
        if more:
            details.append(more)
        entry[1].append((waste, NAMES[a["kind"]], now, possible, ", ".join(details), advice))
    for b in kernel["divergent_branches"]:
        entry = lines.setdefault((b["file"], b["line"]), [0, []])
        entry[0] += b["count"]
        entry[1].append((b["count"], "branches",
                         f"{number(b['count'] / kernel['launches'])} divergent", "0", "",
                         "lanes of a warp go different ways, one after the other: let whole warps agree "
                         "(a GPU needs no branch where one way is only a few instructions)"))
    return sorted(((waste, file, line, sorted(rows, key=lambda row: -row[0]))
                   for (file, line), (waste, rows) in lines.items()),
                  key=lambda entry: (-entry[0], entry[1], entry[2]))


def print_table(counts):
    sources = Sources()
    for kernel, others in main_configurations(counts["kernels"]):
        launches = kernel["launches"]
        print(f"\n{kernel['kernel']}: {size_in_words(kernel['grid'])} blocks of "
              f"{size_in_words(kernel['block'])} threads"
              + (f", launched {launches} times; counts are for one launch" if launches > 1 else ""))
        warps, all_warps, what = occupancy(kernel, counts["device"])
        shared = kernel["shared_bytes_per_block"]
        barriers = number(kernel["barriers_per_thread"])
        print(f"  {barriers} {'barrier' if barriers == '1' else 'barriers'} per thread, {shared} bytes of shared "
              f"memory per block; {warps} of {all_warps} warps fit on a multiprocessor"
              + (f" ({what} limits)" if warps < all_warps else ""))
        for _, file, line, rows in judged_lines(kernel):
            place = f"{pathlib.Path(file).name}:{line}" if line > 0 else "somewhere"
            print(f"  {place} | {sources.line(file, line)[:90]}")
            for _, name, now, possible, details, advice in rows:
                good = "" if advice else ", as good as it gets"
                target = f"; possible: {possible}" if advice else ""
                print(f"      {name + ':':16}{now}{target}{good}" + (f" ({details})" if details else ""))
                if advice:
                    print(f"      {'':16}{advice}")
        if others > 0:
            print(f"  ({others} other {'size' if others == 1 else 'sizes'} of launches: --json)")
    print("\nCounted on the CPU device, by the rules of an NVIDIA GPU (compute capability 9.0). A sector "
          "is 32 bytes.\nWhat this cannot know: time, caches, registers, textures, and what nvcc makes of "
          "a branch.")


def add_words(counts):
    """What the table says, for --json."""
    for kernel in counts["kernels"]:
        for a in kernel["accesses"]:
            waste, now, possible, _, advice = judge(a)
            a.update({"waste": waste, "now": now, "possible": possible, "what_to_do": advice})
        warps, all_warps, what = occupancy(kernel, counts["device"])
        kernel["occupancy_without_registers"] = {"warps": warps, "of": all_warps, "limited_by": what}
    return counts


# ---------------------------------------------------------------------------- ncu

OPERATIONS = {"ld": "global_load", "st": "global_store", "red": "global_reduction",
              "atom": "global_atomic"}
NCU = {}  # what it is called here: (metric, how ours is computed from a launch's accesses)
for op, kind in OPERATIONS.items():
    for what in ("requests", "sectors"):
        NCU[f"{NAMES[kind]}, {what}"] = (f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum", kind, what)
for op, kind in (("ld", "shared_load"), ("st", "shared_store"), ("atom", "shared_atomic")):
    NCU[f"{NAMES[kind]}, bank conflicts"] = (
        f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum", kind, "bank_conflicts")
NCU["divergent branches"] = ("smsp__sass_branch_targets_threads_divergent.sum", None, None)


def ours(kernel, kind, what):
    if kind is None:
        total = sum(b["count"] for b in kernel["divergent_branches"])
    else:
        total = sum(a[what] for a in kernel["accesses"] if a["kind"] == kind)
    return total / kernel["launches"]


def read_ncu(lines):
    """{(kernel, grid, block): {metric: mean of the launches}} from ncu --csv --page raw."""
    lines = [line for line in lines if not line.startswith("==")]
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        return {}
    found = {}
    for row in csv.DictReader(lines[starts[0]:]):
        if not row["ID"]:
            continue  # the line of units
        name = row["Kernel Name"].split("(")[0].split("<")[0].split()[-1]
        size = [tuple(int(n) for n in row[column].strip("()").split(","))
                for column in ("Grid Size", "Block Size")]
        values = {metric: float(row[metric].replace(",", "") or 0) for metric, _, _ in NCU.values()
                  if row.get(metric)}
        found.setdefault((name, *size), []).append(values)
    return {key: {metric: sum(run.get(metric, 0) for run in runs) / len(runs)
                  for metric, _, _ in NCU.values()} for key, runs in found.items()}


def print_comparison(counts, measured):
    """Our counts beside ncu's, kernel by kernel, for one launch."""
    print(f"\n{'one launch of':44}{'counted here':>14}{'by ncu':>14}{'difference':>12}")
    by_name = {}
    for kernel in counts["kernels"]:
        by_name.setdefault(kernel["kernel"], []).append(kernel)
    for (name, grid, block), metrics in measured.items():
        print(f"{name}, {size_in_words(list(grid))} blocks of {size_in_words(list(block))}")
        same = [k for k in by_name.get(name, []) if (tuple(k["grid"]), tuple(k["block"])) == (grid, block)]
        kernel = (same or by_name.get(name, [None]))[0]
        if kernel is None:
            print("  not launched on the CPU device")
            continue
        if not same:
            print(f"  (here: {size_in_words(kernel['grid'])} blocks of {size_in_words(kernel['block'])})")
        for words, (metric, kind, what) in NCU.items():
            here, there = ours(kernel, kind, what), metrics[metric]
            if here == 0 and there == 0:
                continue
            difference = "none" if abs(here - there) < 0.5 else \
                f"{100 * (here - there) / there:+.1f} %" if there else "only here"
            print(f"  {words:42}{number(here):>14}{number(there):>14}{difference:>12}")
    print("\nDifferences come from the compilers: nvcc turns short branches into predicated "
          "instructions, joins\natomics on an address that it knows to be the same for all, and leaves "
          "out loads that nobody uses.")


def run_ncu(program, arguments):
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(ncu):
        die("ncu (Nsight Compute) is not here; it comes with the CUDA Toolkit")
    metrics = ",".join(metric for metric, _, _ in NCU.values())
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ncu, "--csv", "--page", "raw", "--print-units", "base", "--launch-count",
                               "100", "--metrics", metrics, str(program), *arguments], cwd=folder,
                              env=environment_for_run(), stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    measured = read_ncu(done.stdout.splitlines())
    if not measured:
        errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
        die("ncu counted nothing" + (f": {errors[0]}" if errors else ""))
    return measured


def main():
    words = sys.argv[1:]
    as_json, gpu_program = False, None
    while words and words[0].startswith("--"):
        if words[0] == "--json":
            as_json = True
        elif words[0] == "--gpu" and len(words) > 1:
            gpu_program = pathlib.Path(words.pop(1))
        else:
            die(f"profile has no option '{words[0]}' (an option of the program comes behind its name)")
        words = words[1:]
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    source, arguments = pathlib.Path(words[0]), words[1:]
    if not arguments and small_arguments(source.stem):
        arguments = small_arguments(source.stem)
        print(f"course: with {' '.join(arguments)}, which is large enough to count", file=sys.stderr)
    counts = count(compile_program(source), arguments)
    if as_json:
        json.dump(add_words(counts), sys.stdout, indent=1)
        print()
        return 0
    print_table(counts)
    if gpu_program is not None:
        print_comparison(counts, run_ncu(gpu_program, arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
