#!/usr/bin/env python3
"""What the profiler counts, against what is known: of tests/profile/profile_patterns.cu and of bad input.

    tests/profile/profile_check.py NVCC FOLDER

The counts that must come, which are those of Nsight Compute on an H200, stand in
tests/profile/profile_counts.md. They must come in each order of threads and blocks, with any number of
workers, and be the same to the last byte.
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import profile as tool  # noqa: E402  tools/profile.py, not Python's own

failures = []


def check(good, text):
    if not good:
        failures.append(text)
        print("FAIL", text)


def expected():
    """{kernel: {count: value}} from the page; behind a value, in parentheses, what ncu says instead."""
    rows, inside = {}, False
    for line in (HERE / "profile_counts.md").read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```counts"
        elif inside:
            name, *pairs = line.split()
            rows[name] = {pair.split("=")[0]: int(pair.split("=")[1]) for pair in pairs if "=" in pair}
    return rows


SINGULAR = {"global_load": "load", "global_store": "store", "global_reduction": "reduction",
            "global_atomic": "atomic", "shared_load": "shared_load", "shared_store": "shared_store",
            "constant_load": "constant_load"}


def counted(kernel):
    """The same, of one kernel of the JSON; zeros are left out."""
    counts = {"divergent_branches": sum(b["count"] for b in kernel["divergent_branches"])}
    def add(name, value):
        counts[name] = counts.get(name, 0) + value
    for a in kernel["accesses"]:
        kind = a["kind"]
        if kind == "shared_atomic":
            add("shared_atomic_conflicts", a["bank_conflicts"])
            continue
        add(SINGULAR[kind] + "s", a["requests"])
        if kind.startswith("global"):
            add(SINGULAR[kind] + "_sectors", a["sectors"])
        if kind.startswith("shared"):
            add(SINGULAR[kind] + "_conflicts", a["bank_conflicts"])
        if kind == "constant_load":
            add("constant_addresses", a["addresses"])
    return {name: value for name, value in counts.items() if value != 0}


def run(program, path, words=(), **environment):
    whole = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    whole.update(environment)
    if path is not None:
        whole["CPU_DEVICE_PROFILE"] = str(path)
    done = subprocess.run([str(program), *words], env=whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300)
    return done.returncode, done.stderr


def compile_program(nvcc, flags, source, program):
    subprocess.run([nvcc, *flags, str(source), "-o", str(program)], check=True)
    return program


def check_counts(program, folder):
    texts = []
    for environment in ({}, {"CPU_DEVICE_ORDER": "reverse"}, {"CPU_DEVICE_ORDER": "shuffle:5"},
                        {"CPU_DEVICE_THREADS": "1"}, {"CPU_DEVICE_THREADS": "7"}):
        path = folder / "counts.json"
        code, errors = run(program, path, **environment)
        check(code == 0 and errors == "", f"{environment}: exit code {code}, {errors}")
        texts.append(path.read_text())
        check(texts[-1] == texts[0], f"other counts with {environment}")
    rows = expected()
    kernels = {kernel["kernel"]: kernel for kernel in json.loads(texts[0])["kernels"]}
    check(len(rows) >= 12 and set(rows) == set(kernels), f"kernels: {set(rows) ^ set(kernels)}")
    for name, row in rows.items():
        if name in kernels:
            check(counted(kernels[name]) == row, f"{name}: {counted(kernels[name])}, expected {row}")
    columns = kernels["shared_columns"]
    check(columns["barriers_per_thread"] == 1, "barriers of shared_columns")
    check(columns["shared_bytes_per_block"] == 4096, "shared memory of shared_columns")
    lines = (HERE / "profile_patterns.cu").read_text().splitlines()
    for a in kernels["load_stride_33"]["accesses"]:
        check("load_stride_33" in lines[a["line"] - 1], f"line {a['line']} of load_stride_33")
        check(a["lane_distance_bytes"] == 132, "distance of load_stride_33")
        waste, now, possible, _, advice = tool.judge(a)
        check((waste, now, possible) == (16384 - 2048, "32 sectors per request", "4"), f"{now}, {possible}")
        check("132 bytes apart" in advice, advice)
    one = kernels["load_stride_1"]["accesses"][0]
    check(tool.judge(one)[4] == "", "advice for what is as good as it gets")


def same_per_launch(a, b, launches):
    """Whether two profiles agree. How often a program repeats a timed launch depends on the machine's load, so a
    count may also be the same per launch; `launches` holds how many there were in `a` and in `b`."""
    if isinstance(a, dict) and isinstance(b, dict):
        launches = (a.get("launches", launches[0]), b.get("launches", launches[1]))
        return set(a) == set(b) and all(same_per_launch(a[name], b[name], launches) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same_per_launch(x, y, launches) for x, y in zip(a, b))
    if type(a) is int and type(b) is int:
        return a == b or a * launches[1] == b * launches[0]
    return a == b


def check_orders(nvcc, folder):
    """Larger kernels, with branches in loops: the same counts in each order of threads."""
    for source, words in (("ch06_constant/ray_tiles.cu", "--size 96 --spheres 300"),
                          ("ch07_texture/heat_fused.cu", "--size 96 --steps 4 --frames 1")):
        program = compile_program(nvcc, ["--branches"], ROOT / source, folder / "program")
        counts = []
        for order, workers in (("forward", "1"), ("reverse", "3"), ("shuffle:5", "3")):
            path = folder / "orders.json"
            code, errors = run(program, path, words.split(), CPU_DEVICE_ORDER=order, CPU_DEVICE_THREADS=workers,
                               CPU_DEVICE_MULTIPROCESSORS="4")
            check(code == 0, f"{source} {order}: exit code {code}, {errors}")
            # Not the copies: how often the programs measure the speed of one depends on the machine's load.
            counts.append(json.loads(path.read_text())["kernels"])
            check(same_per_launch(counts[-1], counts[0], (1, 1)), f"{source}: other counts in {order} order")


BLOCKS = """
#include <cstdio>
// What is stored in front of a loop and in its body is not joined to one store.
__global__ void held(float4* a, int n) {
  float* v = &a[threadIdx.x].x;
  v[0] = 1;
  int i = 0;
  do {
    v[1 + i] = 2;
    i++;
  } while (i < n);
}
// Lanes meet again behind branches in loops, some after waiting in the middle of a block for others to run.
__global__ void ways(volatile int* from, int* to, int n) {
  int sum = 0;
  for (int i = 0; i < n + int(threadIdx.x) % 3; i++) {
    if ((i + threadIdx.x) % 5 == 0)
      sum += from[0];
    else if (i % 7 == int(threadIdx.x) % 7)
      for (int k = 0; k < 3; k++) sum += from[threadIdx.x];
    switch (sum % 4) {
      case 0: sum += from[1]; break;
      case 1: to[threadIdx.x] = sum; break;
      case 2: sum--; break;
      default: sum += __shfl_sync(__activemask(), sum, threadIdx.x % 32); break;
    }
  }
  for (int i = 0; i < 1500; i++) sum += from[2];
  __syncthreads();
  for (int i = 0; i < int(threadIdx.x) % 4; i++) sum += from[i];
  to[threadIdx.x] = sum;
}
int main() {
  float4* a;
  int *from, *to;
  cudaMalloc(&a, 64 * sizeof(float4));
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, 64 * sizeof(int));
  cudaMemset(from, 1, 64 * sizeof(int));
  held<<<1, 32>>>(a, 1);
  ways<<<1, 64>>>(from, to, 40);
  return cudaDeviceSynchronize();
}
"""


def check_blocks(nvcc, folder):
    """Hooks of blocks that are passed over change nothing: the counts are those of a program that runs them all."""
    (folder / "blocks.cu").write_text(BLOCKS)
    texts = {}
    # Programs that measure would launch less often on a busy machine.
    for name, source in (("blocks", folder / "blocks.cu"), ("patterns", HERE / "profile_patterns.cu")):
        for passed_over in (True, False):
            os.environ.pop("CPU_DEVICE_ALL_BLOCKS", None)
            if not passed_over:
                os.environ["CPU_DEVICE_ALL_BLOCKS"] = "1"
            program = compile_program(nvcc, ["--branches"], source, folder / "program")
            path = folder / "blocks.json"
            code, errors = run(program, path)
            check(code == 0, f"{name}: exit code {code}, {errors}")
            texts[name, passed_over] = path.read_text()
        os.environ.pop("CPU_DEVICE_ALL_BLOCKS", None)
        check(texts[name, True] == texts[name, False], f"{name}: other counts where hooks are passed over")
    kernels = {kernel["kernel"]: kernel for kernel in json.loads(texts["blocks", True])["kernels"]}
    check(counted(kernels["held"]).get("stores") == 2, f"held: {counted(kernels['held'])}")


def check_bad_input(nvcc, program, folder):
    for path, words in ((folder, "it is a folder"), (folder / "no" / "f.json", "No such file")):
        code, errors = run(program, path)
        check(code == 2 and errors.count("\n") == 1 and words in errors, f"{path}: {code}, {errors}")
    source = folder / "none.cu"
    source.write_text("int main() { return 0; }\n")
    quiet = compile_program(nvcc, ["--branches"], source, folder / "none")
    code, errors = run(quiet, folder / "none.json")
    check(code == 0 and errors == "", f"without a kernel: {code}, {errors}")
    check(json.loads((folder / "none.json").read_text())["kernels"] == [], "kernels of a program without")
    link = folder / "null"
    link.unlink(missing_ok=True)
    link.symlink_to("/dev/null")
    code, errors = run(quiet, link)
    check(code == 0 and errors == "" and link.is_symlink(), f"/dev/null is not written directly: {code}, {errors}")
    checked = compile_program(nvcc, ["--check"], source, folder / "checked")
    code, errors = run(checked, folder / "none.json")
    check(code == 2 and errors.count("\n") == 1 and "--branches" in errors, f"--check: {code}, {errors}")


STREAMS = """
#include <cstdlib>
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main(int, char** arguments) {
  const int streams = atoi(arguments[1]), waits = atoi(arguments[2]);
  int* x[2];
  cudaStream_t stream[2];
  for (int s = 0; s < 2; s++) {
    cudaMalloc(&x[s], 128);
    cudaStreamCreate(&stream[s]);
  }
  for (int i = 0; i < 4; i++) {
    const int s = i % streams;
    cudaMemsetAsync(x[s], 0, 128, stream[s]);
    fill<<<1, 32, 0, stream[s]>>>(x[s]);
    if (waits) cudaStreamSynchronize(stream[s]);
  }
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaMalloc(&x[0], 128);
  fill<<<1, 32>>>(x[0]);
  return cudaDeviceSynchronize();
}
"""


def check_streams(nvcc, folder):
    """What is queued in each stream, and what of it may run beside another stream's work."""
    (folder / "streams.cu").write_text(STREAMS)
    program = compile_program(nvcc, ["--branches"], folder / "streams.cu", folder / "streams")
    for words, wanted, overlapping in ((("1", "0"), [(0, 4, 4), (1, 1, 0)], 0),
                                       (("2", "1"), [(0, 2, 2), (0, 2, 2), (1, 1, 0)], 0),
                                       (("2", "0"), [(0, 2, 2), (0, 2, 2), (1, 1, 0)], 4)):
        path = folder / "streams.json"
        code, errors = run(program, path, words=words, CPU_DEVICE_COUNT="2")
        streams = json.loads(path.read_text())["streams"]
        came = [(one["device"], one["kernels"], one["copies"]) for one in streams]
        check(code == 0 and errors == "" and came == wanted, f"streams {words}: {streams}, {code}, {errors}")
        # Which of the two comes first is nobody's business.
        check(sum(one["overlapping"] for one in streams) == overlapping, f"overlapping {words}: {streams}")


QUIET = """
#include <cstdio>
#include <cstdlib>
__global__ void read(const int* p, int* sum) {
  int own = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    const int* from = i == 1 ? p : &own;
    *sum += *from;
  }
  *sum += *p;  // by the second thread at a place where it is known that nothing is counted
}
int main() {
  int* host = static_cast<int*>(calloc(1024, sizeof(int)));
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  read<<<1, 2>>>(host, sum);
  cudaDeviceSynchronize();
  cudaHostRegister(host, 1024 * sizeof(int), cudaHostRegisterDefault);
  read<<<1, 2>>>(host, sum);
  return cudaDeviceSynchronize();
}
"""


def check_quiet(nvcc, folder):
    """A place that has accessed what is not counted is looked at again: for another address, in another launch."""
    (folder / "quiet.cu").write_text(QUIET)
    program = compile_program(nvcc, ["--branches"], folder / "quiet.cu", folder / "quiet")
    path = folder / "quiet.json"
    code, errors = run(program, path)
    counts = counted(json.loads(path.read_text())["kernels"][0])
    # Of the sum, three times in each launch; of the host's memory, twice once it is registered.
    check(code == 0 and counts.get("loads") == 8 and counts.get("stores") == 6, f"quiet: {counts}, {code}, {errors}")


LONG = """
#include <cstdio>
#include <vector>
constexpr int kThreads = 64, kValues = 12000;
// What lanes compute in registers, while they note blocks and accesses for which there is no room at times.
struct Sums {
  float a, b, c, d;
  __host__ __device__ void add(float x) {
    a = a * 0.999f + x;
    b = b * 0.75f - a;
    c = c * 0.5f + b * x;
    d = a - c;
  }
  __host__ __device__ float all() const { return a + b + c + d; }
};
// Each lane goes round more often than the one before.
__host__ __device__ inline float uneven_of(int thread, const float*) {
  Sums sums{0, 1, 2, 3};
  for (int k = 0; k < 1000 + 37 * (thread % 32); k++) sums.add(0.25f);
  return sums.all();
}
__host__ __device__ inline float nested_of(int thread, const float* in) {
  Sums sums{0, 1, 2, 3};
  for (int j = 0; j < 3 + thread % 2; j++)
    for (int k = 0; k < 200 + thread % 4 * 50; k++) sums.add(in[k]);
  return sums.all();
}
// The parts of a float4, which one access loads.
__host__ __device__ inline float parts_of(int thread, const float4* in) {
  Sums sums{0, 1, 2, 3}, others{3, 2, 1, 0};
  for (int k = 0; k < 2500 + thread % 32; k++) {
    sums.add(in[k].x);
    others.add(in[k].y);
    sums.add(in[k].z);
    others.add(in[k].w);
  }
  return sums.all() - others.all();
}
// What goes wrong in arithmetic is reported in a checked run, and nothing else changes.
__host__ __device__ inline float overflow_of(int thread, const float* in) {
  Sums sums{0, 1, 2, 3};
  for (int k = 0; k < 8; k++) {
    int large = 2147483640 + k;
    large += thread % 32;
    sums.add(in[large & 7]);
  }
  return sums.all();
}
#define KERNEL(NAME, TYPE) \\
  __global__ void NAME(const TYPE* in, float* out) { out[threadIdx.x] = NAME##_of(threadIdx.x, in); }
KERNEL(uneven, float)
KERNEL(nested, float)
KERNEL(parts, float4)
KERNEL(overflow, float)
int wrong = 0;
template <typename T>
void look(const char* name, void (*kernel)(const T*, float*), float (*function)(int, const T*)) {
  std::vector<float> in(kValues), out(kThreads);
  for (int i = 0; i < kValues; i++) in[i] = (i * 7 % 31) * 0.125f - 1;
  float *dev_in, *dev_out;
  cudaMalloc(&dev_in, kValues * sizeof(float));
  cudaMalloc(&dev_out, kThreads * sizeof(float));
  cudaMemcpy(dev_in, in.data(), kValues * sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<1, kThreads>>>(reinterpret_cast<const T*>(dev_in), dev_out);
  cudaMemcpy(out.data(), dev_out, kThreads * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; i++)
    if (out[i] != function(i, reinterpret_cast<const T*>(in.data()))) wrong++, printf("%s: thread %d\\n", name, i);
}
int main() {
  look("uneven", uneven, uneven_of);
  look("nested", nested, nested_of);
  look("parts", parts, parts_of);
  look("overflow", overflow, overflow_of);
  return wrong != 0;
}
"""


def check_long_loops(nvcc, folder):
    """Loops that lanes leave one after the other: the counts are known, and the lanes' numbers stay as they were."""
    (folder / "long.cu").write_text(LONG)
    program = compile_program(nvcc, ["--branches"], folder / "long.cu", folder / "long")
    # Of two warps. A lane that leaves parts from those that stay: 31 times, where each leaves by itself.
    # nested: at 200, 250 and 300 rounds in 3 loops, then those that have a fourth, and there once, at 250;
    # the lane with the most rounds of those that are in a loop loads 350 times.
    wanted = {"uneven": {"divergent_branches": 2 * 31, "stores": 2, "store_sectors": 8},
              "nested": {"divergent_branches": 2 * (3 * 3 + 1 + 1), "stores": 2, "store_sectors": 8,
                         "loads": 2 * 4 * 350, "load_sectors": 2 * 4 * 350},
              "parts": {"divergent_branches": 2 * 31, "stores": 2, "store_sectors": 8,
                        "loads": 2 * 2531, "load_sectors": 2 * 2531}}
    for environment in ({}, {"CPU_DEVICE_ORDER": "reverse"}, {"CPU_DEVICE_ORDER": "shuffle:5"},
                        {"CPU_DEVICE_THREADS": "1"}):
        path = folder / "long.json"
        code, errors = run(program, path, **environment)
        check(code == 0, f"long loops {environment}: other numbers, or {errors}")
        kernels = {kernel["kernel"]: kernel for kernel in json.loads(path.read_text())["kernels"]}
        for name, counts in wanted.items():
            check(counted(kernels[name]) == counts, f"{name} {environment}: {counted(kernels[name])}")
    code, errors = run(program, None)
    check("numbers" not in errors and "2147483647 + 1 is outside the range of int" in errors, f"long loops, checked: {code}, {errors}")


def check_tool():
    """`./course profile` on what it cannot count: one line each, and the exit code."""
    def run_tool(*words, output=subprocess.PIPE):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "tools/profile.py"), *words], text=True,
                              stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, timeout=600)
        return done.returncode, [line for line in done.stderr.splitlines() if ": compiling " not in line]

    counted = str(ROOT / "ch05_threads/transpose.cu")
    with open("/dev/full", "w") as full:
        tries = (([str(ROOT / "ch04_parallel/vector_add_cpu.cu"), "--size", "10"], subprocess.PIPE,
                  "vector_add_cpu launches no kernel"),
                 ([counted, "--nonsense"], subprocess.PIPE, "there is no option '--nonsense'"),
                 (["--nonsense", counted], subprocess.PIPE, "profile has no option '--nonsense'"),
                 ([counted, "--size", "64"], full, "cannot be written: No space left"),
                 (["--json", counted, "--size", "64"], full, "cannot be written: No space left"))
        for words, output, said in tries:
            code, errors = run_tool(*words, output=output)
            check(code == 2 and len(errors) == 1 and said in errors[0], f"{words}: {code}, {errors}")
    reading, writing = os.pipe()
    os.close(reading)  # as by `| head`
    code, errors = run_tool(counted, "--size", "64", output=writing)
    os.close(writing)
    check(code == 0 and errors == [], f"nobody reads: {code}, {errors}")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    program = compile_program(nvcc, ["--branches"], HERE / "profile_patterns.cu", folder / "patterns")
    check_counts(program, folder)
    check_orders(nvcc, folder)
    check_blocks(nvcc, folder)
    check_bad_input(nvcc, program, folder)
    check_streams(nvcc, folder)
    check_quiet(nvcc, folder)
    check_long_loops(nvcc, folder)
    check_tool()
    print(f"{len(expected())} patterns, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
