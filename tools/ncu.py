"""What ncu (Nsight Compute) counts of a program on a GPU, in the words of profile.py.

The program runs once, and ncu's report is read twice: by launch (`--page raw`), and by instruction
beside the source (`--page source`). tests/profile/ncu/ keeps what ncu 2025.3 wrote of a run on an H200.
"""

import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading

SECONDS = 300  # that ncu may take, its lock on the GPU included

# What it is called here: (ncu's metric, kind of our accesses, what of them); no kind: not accesses.
METRICS = {}
for _op, _kind, _words in (("ld", "global_load", "loads"), ("st", "global_store", "stores"),
                           ("red", "global_reduction", "reductions"), ("atom", "global_atomic", "atomics")):
    for _what in ("requests", "sectors"):
        METRICS[f"{_words}, {_what}"] = (f"l1tex__t_{_what}_pipe_lsu_mem_global_op_{_op}.sum", _kind, _what)
for _op, _kind, _words in (("ld", "shared_load", "shared loads"), ("st", "shared_store", "shared stores"),
                           ("atom", "shared_atomic", "shared atomics")):
    METRICS[f"{_words}, bank conflicts"] = (
        f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{_op}.sum", _kind, "bank_conflicts")
METRICS["shared memory, passes"] = ("memory_l1_wavefronts_shared", None, "passes")
METRICS["divergent branches"] = ("smsp__sass_branch_targets_threads_divergent.sum", None, "branches")
MULTIPROCESSORS = "device__attribute_multiprocessor_count"
NAMES = {metric for metric, _, _ in METRICS.values()} | {MULTIPROCESSORS}

# By line: what an instruction is to us, by the first part of its name.
OPERATIONS = {"LDG": "loads", "LD": "loads", "STG": "stores", "ST": "stores", "RED": "reductions",
              "REDG": "reductions", "ATOMG": "atomics", "ATOM": "atomics", "LDS": "shared loads",
              "STS": "shared stores", "ATOMS": "shared atomics"}

# To count a launch takes 0.3 s on an H200, and later ones do what the first did.
MOST_LAUNCHES = 40


class Problem(Exception):
    """What is said in one line."""


def number(text):
    """1632.0 for "1,632"; None for what is no number: "", "n/a", "nan"."""
    try:
        value = float((text or "").replace(",", ""))
    except ValueError:
        return None
    return value if value == value else None


def kernel_name(text):
    """"k" for "void n::k<(bool)1>(int *)"."""
    text = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", text)
    return re.split(r"[<(]", text)[0].split()[-1].split("::")[-1]


def read_launches(lines):
    """[(kernel, grid, block, {metric: value})], in the order of the launches, from --page raw."""
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    launches = []
    for row in csv.DictReader(lines[starts[0]:] if starts else []):
        if not (row["ID"] or "").isdigit():
            continue  # the line of units, and what ncu has to say
        grid, block = (tuple(int(n) for n in re.findall(r"\d+", row[column]))
                       for column in ("Grid Size", "Block Size"))
        launches.append((kernel_name(row["Kernel Name"]), grid, block,
                         {metric: number(row.get(metric)) for metric in NAMES}))
    return launches


def add_instruction(counts, file, line, cells):
    """Adds one instruction's counts to those of its line."""
    words = cells["Instruction"].replace("{", " ").split()
    if words and words[0].startswith("@"):
        words = words[1:]
    operation = OPERATIONS.get(words[0].split(".")[0]) if words else None
    values = {"divergent branches": number(cells.get("Divergent Branches"))}
    if operation and operation.startswith("shared"):
        values[operation + ", bank conflicts"] = number(cells.get("L1 Wavefronts Shared Excessive"))
    elif operation:
        values[operation + ", sectors"] = number(cells.get("L2 Theoretical Sectors Global"))
    for what, value in values.items():
        if value:
            counts[(file, line, what)] = counts.get((file, line, what), 0) + value


def read_lines(lines):
    """[(kernel, {(file, line, what): count})], in the order of the launches, from --page source with
    --print-source cuda,sass: for each launch and file a table of lines, each with its instructions."""
    launches = []  # (kernel, files so far, counts, addresses so far)
    file, line, head = "", 0, []
    for row in csv.reader(lines):
        if len(row) == 2 and row[0] in ("File Path", "File Name"):
            file = os.path.basename(row[1])
        elif len(row) == 2 and row[0] == "Function Name":
            kernel = kernel_name(row[1])
            if not launches or launches[-1][0] != kernel or file in launches[-1][1]:
                launches.append((kernel, set(), {}, set()))
            launches[-1][1].add(file)
        elif row and row[0] == "Line No":
            head = ["Line No", "Source", "Address", "Instruction", *row[4:]]
        elif row and row[0].isdigit():
            line = int(row[0])  # ncu does not double the quotation marks in a line: the rest may be cut
        elif len(row) == len(head) and launches:
            cells = dict(zip(head, row))
            if cells["Address"].startswith("0x") and cells["Address"] not in launches[-1][3]:
                launches[-1][3].add(cells["Address"])  # it may be listed twice
                add_instruction(launches[-1][2], file, line, cells)
    return [(kernel, counts) for kernel, _, counts, _ in launches]


def mean(dictionaries):
    """Of what each of them has; what one lacks counts as 0 there."""
    keys = {key for one in dictionaries for key, value in one.items() if value is not None}
    return {key: sum(one.get(key) or 0 for one in dictionaries) / len(dictionaries) for key in keys}


def read_report(raw, source):
    """{(kernel, grid, block): (metrics, lines)}, means of its launches. Without `lines` where the source
    page does not have the launches that the other has."""
    launches, by_line = read_launches(raw), read_lines(source)
    known = [kernel for kernel, *_ in launches] == [kernel for kernel, _ in by_line]
    found = {}
    for i, (kernel, grid, block, metrics) in enumerate(launches):
        both = found.setdefault((kernel, grid, block), ([], []))
        both[0].append(metrics)
        both[1].append(by_line[i][1] if known else {})
    return {key: (mean(metrics), mean(lines)) for key, (metrics, lines) in found.items()}


# ---------------------------------------------------------------------------- running it

def find():
    """Where ncu is."""
    path = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(path):
        raise Problem("ncu (Nsight Compute) is not here; it comes with the CUDA Toolkit")
    return path


def why_nothing(program, arguments, output):
    """One line about a run that counted nothing."""
    if "ERR_NVGPUCTRPERM" in output:
        return ("this user may not read the GPU's counters: as root, or with the driver's option "
                "NVreg_RestrictProfilingToAdminUsers=0 (https://developer.nvidia.com/ERR_NVGPUCTRPERM)")
    returned = re.search(r"error code \((\d+)\)", output)
    own = [line for line in output.splitlines() if line.strip() and not line.startswith("==")]
    if returned and own:  # the program says itself what it lacks
        return f"{' '.join([program.name, *arguments])} ended with {returned.group(1)}: {own[-1]}"
    errors = [line for line in output.splitlines() if line.startswith("==ERROR==")]
    return "ncu counted nothing: " + (errors[0][len("==ERROR=="):].strip() if errors else
                                      f"{program.name} launches no kernel on the GPU")


def run(command, folder, environment, progress):
    """All output of ncu; progress(words) is called with what it does."""
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True)
    late = threading.Event()

    def stop():
        late.set()
        os.killpg(process.pid, signal.SIGKILL)  # the program, too

    timer = threading.Timer(SECONDS, stop)
    timer.start()
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            kernel = re.match(r'==PROF== Profiling "([^"]*)" - (\d+)', line)
            if kernel:
                progress(f"ncu: launch {int(kernel.group(2)) + 1}, {kernel.group(1)}")
        process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:  # interrupted
            os.killpg(process.pid, signal.SIGKILL)
    if late.is_set():
        raise Problem(f"ncu takes more than {SECONDS // 60} minutes; make the program smaller (--size ...)")
    return "".join(lines)


def measure(program, arguments, environment, progress=lambda words: None):
    """read_report() of a run of the program, of its first launches."""
    ncu = find()
    metrics = {metric for metric in NAMES if "__" in metric}  # the others come with SourceCounters
    environment = {**environment, "LC_ALL": "C"}
    with tempfile.TemporaryDirectory() as folder:
        report = str(pathlib.Path(folder) / "counts.ncu-rep")
        # The clocks do not change what is counted, and are not ours to set.
        output = run([ncu, "--clock-control", "none", "--section", "SourceCounters", "--import-source", "yes",
                      "--metrics", ",".join(sorted(metrics)), "--launch-count", str(MOST_LAUNCHES),
                      "--force-overwrite", "--export", report, str(program), *arguments], folder, environment, progress)
        if not os.path.exists(report):
            raise Problem(why_nothing(program, arguments, output))
        progress("ncu: reading its report")
        pages = []
        for page in (["raw"], ["source", "--print-source", "cuda,sass"]):
            done = subprocess.run([ncu, "--import", report, "--csv", "--print-units", "base", "--page", *page],
                                  env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)
            pages.append(done.stdout.splitlines())
    measured = read_report(*pages)
    if not measured:
        raise Problem(why_nothing(program, arguments, output))
    return measured
