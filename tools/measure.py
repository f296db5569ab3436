#!/usr/bin/env python3
"""Measures the figures that the pages quote, and compares the pages with them.

    tools/measure.py --build FOLDER [--bench bench.json] --out measured/h200.json [KEY...]
                                    on a GPU: runs the programs in FOLDER, writes the figures
    tools/measure.py --check        reports each figure on a page that differs from its key
    tools/measure.py --update       writes the measured figures into the pages

A page marks a figure by a comment right behind it, which no reader sees: 4390<!-- histogram_lanes.random -->. The
digits on the page decide how far the figure is rounded. 8.6<!-- 276.8 / KEY --> is a rate, from a time.
`bench.TOPIC.N` is a row of ./course bench. A key is of measured/h200.json. h100.KEY is of measured/h100.json, the
same programs on another machine, and h200x2.KEY of measured/h200x2.json, two H200s. SPEED.md's tables stand between
<!-- bench TOPIC --> and <!-- end --> and are written whole.
"""

import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys

import bench

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "measured/h200.json"

KERNEL = r"kernel ([\d.]+) ms"
FRAME = r"kernels ([\d.]+) ms, [\d.]+ us per step"
MEDIANS = r"^medians .*"
EXTRA_COPIES = r"with copies ([\d.]+) ms"
GB = r"^kernel ([\d.]+) GB/s"
TO_DEVICE, TO_HOST = r"%s +([\d.]+) GB/s", r"%s +[\d.]+ GB/s +([\d.]+) GB/s"
END_TO_END = r"end to end ([\d.]+) ms"
BUILD = r"build ([\d.]+) ms"
INSERT, FIND = r"insert [\d.]+ ms, ([\d.e+]+) M keys/s", r"find [\d.]+ ms, ([\d.e+]+) M keys/s"

# Command (a program and its arguments) -> {key: (pattern of the number, unit)}. `.` of a pattern does not match
# a line's end.
COMMANDS = {
    "transpose --size 4096": {
        "transpose.naive": (r"naive.*kernel ([\d.]+) ms", "ms"),
        "transpose.tiled": (r"tiled.*kernel ([\d.]+) ms", "ms"),
        "transpose.padded": (r"padded.*kernel ([\d.]+) ms", "ms")},
    **{f"vector_add_stride --size 1000000000 {launch}": {
        f"vector_add_stride.{name}.ms": (KERNEL, "ms"),
        f"vector_add_stride.{name}": (r"reads and writes ([\d.]+) GB/s", "GB/s")}
       for name, launch in (("book", "--blocks 128 --threads 128"), ("full", "--blocks 1056 --threads 256"))},
    # One thread, one block, as many blocks as fit.
    **{f"vector_add_stride --size 16777216 --blocks {blocks} --threads {threads}": {
        f"vector_add_stride.{name}.ms": (KERNEL, "ms"),
        f"vector_add_stride.{name}": (r"reads and writes ([\d.]+) GB/s", "GB/s")}
       for name, blocks, threads in (("one_thread", 1, 1), ("one_block", 1, 256), ("many_blocks", 1056, 256))},
    **{f"{name} --blocks 8192 --threads 1024 --size 8388608": {f"{name}.sums": (KERNEL, "ms")}
       for name in ("dot", "dot_single_thread")},
    "divergence": {
        "divergence.same": (r"same branch +kernel ([\d.]+) ms", "ms"),
        "divergence.warps": (r"every other warp.*kernel ([\d.]+) ms", "ms"),
        "divergence.lanes": (r"every other thread.*kernel ([\d.]+) ms", "ms")},
    "julia_threads": {
        "julia_threads.cpu": (r"one core of the CPU +([\d.]+) ms", "ms"),
        "julia_threads.single": (r"1 thread per block +([\d.]+) ms", "ms"),
        "julia_threads.blocks": (r"16 x 16 threads +([\d.]+) ms", "ms"),
        "julia_threads.copy": (r"copy ([\d.]+) ms", "ms")},
    "ray_global_timed --size 1024": {
        "ray_global.kernel": (KERNEL, "ms"), "ray_global.copies": (EXTRA_COPIES, "ms")},
    "ray_constant_timed --size 1024": {
        "ray_constant.kernel": (KERNEL, "ms"), "ray_constant.copies": (EXTRA_COPIES, "ms")},
    **{f"ray_{memory}_timed --size {size}{spheres}": {f"ray_{memory}.{kind}{size}": (KERNEL, "ms")}
       for memory in ("global", "constant")
       for size, spheres, kind in ((4096, "", ""), (1024, " --spheres 2340", "many."), (4096, " --spheres 2340", "many."))},
    "ray_tiles --size 1024": {"ray_tiles.1024": (KERNEL, "ms")},
    "events --steps 0 --size 1": {"events.empty": (r"between the two events +([\d.]+)", "ms")},
    "ray_scattered --size 1024": {
        "ray_scattered.constant.together": (r"constant memory, together +kernel ([\d.]+)", "ms"),
        "ray_scattered.constant.scattered": (r"constant memory, scattered +kernel ([\d.]+)", "ms")},
    "ray_scattered --size 1024 --spheres 2340": {
        "ray_scattered.many.constant.together": (r"constant memory, together +kernel ([\d.]+)", "ms"),
        "ray_scattered.many.constant.scattered": (r"constant memory, scattered +kernel ([\d.]+)", "ms"),
        "ray_scattered.many.global.together": (r"global memory, together +kernel ([\d.]+)", "ms"),
        "ray_scattered.many.global.scattered": (r"global memory, scattered +kernel ([\d.]+)", "ms")},
    **{f"{name} --size {size} --frames 1 --save {{folder}}/heat.png": {f"{name}.{size}": (FRAME, "ms")}
       for name in ("heat_global", "heat_texture_1d", "heat_texture_2d", "heat_texture_array", "heat_graph", "heat_grid_sync")
       for size in (1024, 8192)},
    **{f"{name} --size 1073741824 --data {data}": {f"{name}.{data}": (GB, "GB/s")}
       for name in ("histogram_shared_atomics", "histogram_wide_loads", "histogram_lanes")
       for data in ("random", "skewed", "constant")},
    "histogram_global_atomics --size 104857600": {"histogram_global_atomics.random": (GB, "GB/s")},
    "histogram_shared_atomics --size 4294967296 --blocks 264": {"histogram_shared_atomics.few_blocks": (GB, "GB/s")},
    "histogram_atomic_ref --size 1073741824": {"histogram_atomic_ref.random": (GB, "GB/s")},
    "histogram_private --size 1073741824": {"histogram_private.random": (GB, "GB/s")},
    # These need a display: xvfb-run.
    **{f"{name} --size {size} --times --frames {frames}{way}": {
        f"{name}.{size}{key}.kernels": (MEDIANS + r"kernels ([\d.]+) ms", "ms"),
        f"{name}.{size}{key}.transfer": (MEDIANS + r"(?:copies|map and unmap) ([\d.]+) ms", "ms")}
       for name, size, frames in (("ripple_interop", 1024, 300), ("ripple_interop", 4096, 100), ("heat_interop", 1024, 300),
                                  ("heat_interop", 4096, 50))
       for way, key in (("", ".shared"), (" --through-host", ".through_host"))},
    "nbody_view --size 65536 --times --frames 400": {
        "nbody_view.rate": (r"bodies: ([\d.]+) frames/s", "frames/s"),
        "nbody_view.shared": (MEDIANS + r"together ([\d.]+) ms", "ms"),
        "nbody_view.draw": (MEDIANS + r"draw ([\d.]+) ms", "ms")},
    "nbody_view --size 65536 --times --frames 400 --through-host": {
        "nbody_view.through_host": (MEDIANS + r"together ([\d.]+) ms", "ms"),
        "nbody_view.copies": (MEDIANS + r"copies ([\d.]+) ms", "ms")},
    "copy_bandwidth": {
        "copy.pageable.to_device": (TO_DEVICE % r"pageable \(malloc\)", "GB/s"),
        "copy.pageable.to_host": (TO_HOST % r"pageable \(malloc\)", "GB/s"),
        "copy.pinned.to_device": (TO_DEVICE % r"pinned \(cudaHostAlloc\)", "GB/s"),
        "copy.pinned.to_host": (TO_HOST % r"pinned \(cudaHostAlloc\)", "GB/s"),
        "copy.pinned.both": (r"both at once +([\d.]+) GB/s", "GB/s")},
    **{f"stream_{name} --rounds 0": {
        f"stream_{name}.no_work": (r"^all ([\d.]+) ms", "ms"),
        f"stream_{name}.no_work.to_device": (r"to the device ([\d.]+) ms", "ms")}
       for name in ("single", "depth_first", "breadth_first")},
    **{f"stream_{name}": {f"stream_{name}.all": (r"^all ([\d.]+) ms", "ms"),
                          f"stream_{name}.to_device": (r"to the device ([\d.]+) ms", "ms"),
                          f"stream_{name}.kernels": (r"kernels alone: about ([\d.]+) ms", "ms"),
                          f"stream_{name}.to_host": (r"to the host ([\d.]+) ms", "ms")}
       for name in ("single", "depth_first", "breadth_first", "malloc_async")},
    "stream_graph": {
        "stream_graph.calls": (r"calls ([\d.]+) ms", "ms"), "stream_graph.graph": (r"graph ([\d.]+) ms", "ms")},
    **{f"{name} --size 34603008": {f"{name}.end_to_end": (END_TO_END, "ms")}
       for name in ("dot_pageable", "dot_pinned", "dot_zero_copy")},
    # On two devices: measured/h200x2.json.
    **{f"{name} --size 1000000000 --devices {devices}": {
        f"{name}.devices_{devices}": (rf"([\d.]+) GB/s; {devices} x", "GB/s")}
       for name, devices in (("dot_portable", 1), ("dot_portable", 2), ("dot_one_thread", 2), ("dot_thread_per_device", 2))},
    "peer_copy --size 268435456": {
        "peer_copy.through_host": (r"^ *0 to +1 +([\d.]+) GB/s", "GB/s"),
        "peer_copy.direct": (r"^ *0 to +1 +[\d.]+ GB/s +([\d.]+) GB/s", "GB/s"),
        "peer_copy.by_kernel": (r"^ *0 to +1 +[\d.]+ GB/s +[\d.]+ GB/s +([\d.]+) GB/s", "GB/s")},
    "dot_managed --size 34603008": {
        "dot_managed.on_demand": (r"on demand: .*" + END_TO_END, "ms"),
        "dot_managed.prefetched": (r"prefetched: .*" + END_TO_END, "ms")},
    "lock_counter": {"lock_counter.each": (r"([\d.]+) ns for each", "ns")},
    "lock_acquire_release": {"lock_acquire_release.each": (r"([\d.]+) ns for each", "ns")},
    "julia_tiles --size 4096 --save {folder}/julia.png": {"julia_tiles.4096": (r"tiles of 32 x 8 +([\d.]+) ms", "ms")},
    "dot --blocks 1056 --size 268435456": {"dot.large": (r"kernel reads ([\d.]+) GB/s", "GB/s")},
    "dot_tiles --blocks 1056 --tile 1024 --size 268435456": {"dot_tiles.large": (r"kernel reads ([\d.]+) GB/s", "GB/s")},
    "vector_add_tiles --size 134217728 --time": {"vector_add_tiles.large": (r"reads and writes ([\d.]+) GB/s", "GB/s")},
    "vector_add_stride --size 134217728 --blocks 1056 --threads 256": {
        "vector_add_stride.large": (r"reads and writes ([\d.]+) GB/s", "GB/s")},
    "julia_threads --size 4096": {"julia_threads.4096": (r"16 x 16 threads +([\d.]+) ms", "ms")},
    "nbody_shared --size 65536": {"nbody_shared.65536": (r"([\d.e+]+) GFLOP/s: ", "GFLOP/s")},
    "nbody_tiles --size 65536": {"nbody_tiles.65536": (r"([\d.e+]+) GFLOP/s: ", "GFLOP/s")},
    "transpose --size 8192": {"transpose.padded.8192": (r"padded.*kernel [\d.]+ ms, ([\d.]+) GB/s", "GB/s")},
    "transpose_tiles --size 8192": {"transpose_tiles.8192": (r"tiles of 32 x 32 +kernel [\d.]+ ms, ([\d.]+) GB/s", "GB/s")},
    "heat_tiles --size 4096 --frames 1 --save {folder}/heat.png": {"heat_tiles.4096": (FRAME, "ms")},
    "heat_global --size 4096 --frames 1 --save {folder}/heat.png": {"heat_global.4096": (FRAME, "ms")},
    "matmul_fast --m 8192 --n 8192 --k 8192": {"matmul_fast.8192": (r"ahead +kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s")},
    "matmul_naive --m 8192 --n 8192 --k 8192": {
        "matmul_naive.row": (r"along a row.*kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s"),
        "matmul_naive.column": (r"along a column.*kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s")},
    **{f"matmul_{name} --m 8192 --n 8192 --k 8192": {
        f"matmul_{name}.8192": (r"kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s")} for name in ("tiled", "registers")},
    **{f"matmul_{name} --m 8192 --n 8192 --k 8192": {
        f"matmul_{name}.half": (r"half, sums in float +kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s"),
        f"matmul_{name}.tf32": (r"tf32, sums in float +kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s"),
        **more} for name, more in (("tensor", {"matmul_tensor.tf32_ptx": (
            r"tf32 with mma in PTX +kernel [\d.]+ ms, ([\d.]+) GFLOP/s", "GFLOP/s")}), ("tiles", {}))},
    "dot_locked --size 34603008": {"dot_locked.kernel": (KERNEL, "ms")},
    "dot_atomic_add --size 34603008": {"dot_atomic_add.kernel": (KERNEL, "ms")},
    **{f"{name} --size {size}": {f"{name}.{size}": (BUILD, "ms")}
       for name in ("hash_bucket_locks", "hash_lock_free", "hash_exchange", "hash_block_chains")
       for size in (2621440, 26214400)},
    "hash_cpu --size 2621440": {"hash_cpu.2621440": (BUILD, "ms")},
    "hash_one_lock --size 8192": {"hash_one_lock.8192": (BUILD, "ms")},
    **{f"nbody_shared --size 65536 --threads {threads}": {
        f"nbody_shared.threads.{threads}": (r"([\d.e+]+) GFLOP/s: ", "GFLOP/s")} for threads in (32, 64, 128, 256, 512, 1024)},
    **{f"nbody_table --size {size} --steps 20": {
        f"nbody.{name}.{size}": (rf"^{name} +[\d.e+]+ +[\d.e+]+ +([\d.e+]+)", "GFLOP/s")
        for name in ("float3", "float4", "shared", "constant", "registers", "pairs")}
       for size in (1024, 4096, 16384, 65536, 262144)},
}



def run(program, arguments, folder):
    words = [str(program)] + [word.format(folder=folder) for word in arguments]
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300, cwd=folder)
    if result.returncode != 0:
        raise RuntimeError((result.stderr or result.stdout).strip().splitlines()[-1:] or result.returncode)
    return result.stdout


def measure(build, folder, repeats, wanted, figures, save):
    """Adds to `figures`, and saves after each command; prints what goes wrong and goes on."""
    today = datetime.date.today().isoformat()
    for command, keys in COMMANDS.items():
        if wanted and not any(key.startswith(word) for key in keys for word in wanted):
            continue
        name, *arguments = command.split()
        try:
            program = bench.find_programs(build, [name])[name]
            outputs = [run(program, arguments, folder) for _ in range(repeats)]
        except (RuntimeError, subprocess.TimeoutExpired, SystemExit) as error:
            print(f"measure: {command}: {error}", file=sys.stderr)
            continue
        for key, (pattern, unit) in keys.items():
            found = [re.search(pattern, output, re.M) for output in outputs]
            if not all(found):
                print(f"measure: {command}: no {key} in\n{outputs[0]}", file=sys.stderr)
                continue
            value = statistics.median(float(match[1].replace(",", "")) for match in found)
            figures[key] = {"value": value, "unit": unit, "command": "./course run " + re.sub(
                r"( --frames 1)? --save \S+", "", command), "runs": repeats, "date": today}
        print(command, {key: figures[key]["value"] for key in keys if key in figures}, flush=True)
        save()


def bench_figures(report):
    figures = {}
    common = {"runs": report["repeats"], "date": report["date"]}
    for topic in report["topics"]:
        command = f"./course bench {topic['name']}"
        for number, row in enumerate(topic["rows"], 1):
            if "rate" not in row:
                continue
            figures[f"bench.{topic['name']}.{number}"] = {"value": row["rate"], "unit": topic["unit"],
                                                          "command": command, **common}
            figures[f"bench.{topic['name']}.{number}.ms"] = {"value": row["ms"], "unit": "ms",
                                                             "command": command, **common}
            if "times_library" in row:
                figures[f"bench.{topic['name']}.{number}.library"] = {
                    "value": row["times_library"], "unit": "", "command": command, **common}
        if topic["limit"]:
            figures[f"bench.{topic['name']}.reference"] = {"value": topic["limit"], "unit": topic["unit"],
                                                           "command": command, **common}
    return figures


# --------------------------------------------------------------------------------------- pages

MARK = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?)(?P<mark><!-- (?P<over>(?:[\d.e]+ / )?)(?P<key>[a-z]\w*(?:\.\w+)+)(?P<factor>(?: [*/] [\d.e]+)?) -->)")


def rounded(value, like):
    """`value` with as many digits as the number `like` on the page."""
    digits = like.replace(",", "")
    if "." in digits:
        text = f"{value:.{len(digits.split('.')[1])}f}"
    else:
        significant = max(len(digits.rstrip("0")), 1)
        exponent = len(str(int(value))) if value >= 1 else 1
        text = str(int(round(value, min(significant, exponent) - exponent)))
        if significant < 3 <= exponent:
            text = str(int(round(value, 3 - exponent)))
    if "," in like or (len(text.split(".")[0]) > 4):
        whole, *rest = text.split(".")
        text = ".".join([f"{int(whole):,}"] + rest)
    return text


def close(value, like):
    """Whether `like` is `value`, rounded to as many digits as the page has."""
    digits = like.replace(",", "")
    if "." in digits:
        unit = 10.0 ** -len(digits.split(".")[1])
    else:  # zeros at the end may be rounded, but three digits are right
        unit = 10.0 ** min(len(digits) - len(digits.rstrip("0")), max(len(digits) - 3, 0))
    return abs(float(digits) - value) <= 0.5000001 * unit


def scaled(figure, match):
    """The figure, times or over a number (`KEY * 1000`), or a number over it (`276.8 / KEY`)."""
    if match["over"]:
        return float(match["over"].split()[0]) / figure["value"]
    if not match["factor"]:
        return figure["value"]
    sign, number = match["factor"].split()
    return figure["value"] * float(number) if sign == "*" else figure["value"] / float(number)


def pages():
    return [path for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("common/*/*.md")])
            if "build" not in path.parts]


def problems(path, text, figures):
    """Yields what is wrong with the marks of a page."""
    name = path.relative_to(ROOT)
    for match in MARK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        figure = figures.get(match["key"])
        if figure is None:
            yield f"{name}:{line}: there is no figure {match['key']} in measured/"
        elif not close(scaled(figure, match), match["number"]):
            yield (f"{name}:{line}: {match['number']} is {rounded(scaled(figure, match), match['number'])} "
                   f"in measured/ ({match['key']}); python3 tools/measure.py --update")
    marks = re.findall(r"<!-- ((?:[\d.e]+ / )?[a-z]\w*(?:\.\w+)+(?: [*/] [\d.e]+)?) -->", text)
    if len(marks) != len(MARK.findall(text)):
        yield f"{name}: a mark without a number right before it"


def update(text, figures):
    def replace(match):
        figure = figures.get(match["key"])
        if figure is None or close(scaled(figure, match), match["number"]):
            return match[0]
        return rounded(scaled(figure, match), match["number"]) + match["mark"]
    return MARK.sub(replace, text)


TABLE = re.compile(r"(<!-- bench (?P<topic>\w+) -->\n).*?(<!-- end -->)", re.S)


def update_tables(text, tables):
    return TABLE.sub(lambda m: m[1] + tables[m["topic"]] + m[3] if m["topic"] in tables else m[0], text)


def load():
    """The figures of the H200, with those of other machines, such as h100.dot.sums."""
    data = json.loads(FIGURES.read_text(encoding="utf-8"))
    for path in sorted(FIGURES.parent.glob("*.json")):
        if path != FIGURES:
            others = json.loads(path.read_text(encoding="utf-8"))["figures"]
            data["figures"].update({f"{path.stem}.{key}": figure for key, figure in others.items()})
    return data


def check_pages(write):
    data = load()
    found = []
    for path in pages():
        text = path.read_text(encoding="utf-8")
        new = update_tables(update(text, data["figures"]), data["tables"])
        if write and new != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
        text = new if write else text
        if update_tables(text, data["tables"]) != text:
            found.append(f"{path.relative_to(ROOT)}: its tables are not those of {FIGURES.name}; "
                         "python3 tools/measure.py --update")
        found += problems(path, text, data["figures"])
    print("\n".join(found) or f"{sum(len(MARK.findall(p.read_text(encoding='utf-8'))) for p in pages())} figures on "
          f"the pages are those of measured/")
    return 1 if found else 0


def write(path, data):
    data = {**data, "figures": dict(sorted(data["figures"].items()))}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--bench", type=pathlib.Path, metavar="FILE", help="what ./course bench wrote")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--repeats", type=int, default=3, metavar="N")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("keys", nargs="*", metavar="KEY", help="only commands with figures that begin like this")
    options = parser.parse_args()
    if options.check or options.update:
        return check_pages(options.update)
    if not options.out:
        parser.error("--out is missing")
    data = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {
        "machine": "", "versions": {}, "tables": {}, "figures": {}}
    if options.bench:
        report = json.loads(options.bench.read_text(encoding="utf-8"))
        data["figures"].update(bench_figures(report))
        data["tables"].update({topic["name"]: bench.markdown(topic).lstrip("\n") + "\n" for topic in report["topics"]})
    if options.build:
        data["machine"], data["versions"] = bench.machine("gpu"), bench.versions("gpu")
        folder = options.out.resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        measure(options.build.resolve(), folder, options.repeats, options.keys, data["figures"],
                lambda: write(options.out, data))
    write(options.out, data)
    print(f"wrote {options.out}: {len(data['figures'])} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
