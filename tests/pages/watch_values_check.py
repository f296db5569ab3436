#!/usr/bin/env python3
"""What the pages of ./course watch show, against what the program itself prints: values of every type, which blocks are
recorded, and how much of an array.

    tests/pages/watch_values_check.py NVCC FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import watch  # noqa: E402
from counting import check, finish  # noqa: E402


# Type, and values of which each is written as C++ has it.
SIGNED = {8: ("signed char", "char"), 16: ("short",), 32: ("int",), 64: ("long", "long long")}
UNSIGNED = {8: ("unsigned char",), 16: ("unsigned short",), 32: ("unsigned", "unsigned int", "uint32_t"),
            64: ("unsigned long", "unsigned long long", "size_t", "uint64_t")}
TYPES = {"bool": ["false", "true"], "float": ["0.5f", "-1e-3f", "3e9f", "1.234567f", "-98765.43f"],
         "double": ["0.25", "-1e-7", "1e300", "1.234567", "-98765.43"]}
for bits, names in SIGNED.items():
    TYPES.update({name: ["0", "1", "-1", f"-{2 ** (bits - 1) - 1} - 1", str(2 ** (bits - 1) - 1)] for name in names})
for bits, names in UNSIGNED.items():
    TYPES.update({name: ["0", "1", f"{2 ** (bits - 1)}u{'ll' * (bits == 64)}", f"{2 ** bits - 1}u{'ll' * (bits == 64)}"]
                  for name in names})
VECTORS = {"uchar4": ("200", 4), "char2": ("-5", 2), "short4": ("-300", 4), "ushort2": ("65535", 2), "int3": ("-70000", 3),
           "uint2": ("4000000000u", 2), "float4": ("1.5f", 4), "double2": ("-2.5", 2)}


def program_of_types():
    """A kernel for each type writes its values, and the host prints them with all their digits."""
    lines = ["#include <cinttypes>", "#include <cstdint>", "#include <cstdio>"]
    body = []
    every = list(TYPES.items()) + [(name, [value] * count) for name, (value, count) in VECTORS.items()]
    for number, (name, values) in enumerate(every):
        vector = name in VECTORS
        lines.append(f"__global__ void k{number}({name}* a{number}) {{")
        if vector:
            lines.append(f"  *a{number} = make_{name}({', '.join(values)});")
        else:
            lines += [f"  a{number}[{i}] = {value};" for i, value in enumerate(values)]
        lines.append("}")
        length = 1 if vector else len(values)
        body += [f"  {{ {name} *p, got[{length}];", f"    cudaMalloc(&p, sizeof got); k{number}<<<1, 1>>>(p);",
                 "    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);", f'    printf("a{number}");']
        parts = [f"got[0].{c}" for c in "xyzw"[:len(values)]] if vector else [f"got[{i}]" for i in range(length)]
        body += [f'    show({part});' for part in parts] + ['    printf("\\n"); }']
    show = ["template <typename T> void show(T value) {", "  if ((T)0.5 != 0 && sizeof(T) > 1) printf(\" %.17g\", (double)value);",
            '  else if ((T)-1 < 0) printf(" %" PRId64, (int64_t)value);', '  else printf(" %" PRIu64, (uint64_t)value);', "}"]
    return "\n".join(lines + show + ["int main() {", *body, "}"]) + "\n", [name for name, _ in every]


def same(shown, printed):
    """A page shows 7 digits of a float, and a long integer in hexadecimal; 1 is how `true` prints."""
    if isinstance(shown, str):
        return int(shown, 16) == int(printed) % (1 << 64)
    return shown is not None and abs(float(shown) - float(printed)) <= 1e-6 * abs(float(printed))


def built(nvcc, folder, name, text):
    source = folder / f"{name}.cu"
    source.write_text(text)
    subprocess.run([nvcc, "--check", "-O1", str(source), "-o", str(folder / name)], check=True)
    return folder / name


def values_of_types(nvcc, folder):
    text, names = program_of_types()
    program = built(nvcc, folder, "types", text)
    code, output, launches, findings = watch.record(program, [], {})
    check(f"types: exit code {code}", code == 0, output)
    printed = {words[0]: words[1:] for words in map(str.split, output.splitlines()) if words and words[0][0] == "a"}
    data = watch.page_data(str(program), [], launches, findings)
    check(f"{len(data['launches'])} of {len(names)} launches are on the page", len(data["launches"]) == len(names))
    for page in data["launches"]:
        number = int(page["name"][1:])
        (array,) = page["arrays"]
        written = {}
        for step in page["steps"]:
            for access in step.get("a", []):
                written.update(zip(range(access[2], access[2] + access[3]), access[4]))
        wanted = printed[f"a{number}"]
        check(f"the name of the array of {names[number]}", array["name"] == f"a{number}", str(array))
        check(f"values of {names[number]}",
              len(written) == len(wanted) and all(same(written[i], value) for i, value in enumerate(wanted)), f"{written}\n{wanted}")


BLOCKS = """\
__global__ void touch(int* a) { a[blockIdx.x] = blockIdx.x; }
int main() {
  int* a;
  cudaMalloc(&a, 40);
  touch<<<10, 1>>>(a);
  touch<<<6, 1>>>(a);
  return cudaDeviceSynchronize();
}
"""


def blocks_that_were_asked_for(nvcc, folder):
    program = built(nvcc, folder, "blocks", BLOCKS)
    for first, last in ((0, 0), (0, 1), (1, 3), (4, 5), (5, 5), (9, 9), (3, 9), (0, 9), (5, 20)):
        _, output, launches, _ = watch.record(program, [], {"CPU_DEVICE_WATCH_BLOCKS": f"{first}-{last}"})
        for launch, grid in zip(launches, [g for g in (10, 6) if first < g]):
            seen = sorted({entry["step"][0] for entry in launch.raw if "step" in entry})
            check(f"blocks {first}-{last} of {grid}: {seen}", seen == list(range(first, min(last, grid - 1) + 1)), output)
        check(f"blocks {first}-{last}: {len(launches)} launches", len(launches) == sum(first < g for g in (10, 6)))


LARGE = """\
#include <cstdlib>
__global__ void touch(char* a, size_t n) { a[n - 1] = a[0]; }
int main(int, char** words) {
  char* a;
  size_t n = atol(words[1]);
  cudaMalloc(&a, n);
  cudaMemset(a, 7, n);
  touch<<<1, 1>>>(a, n);
  return cudaDeviceSynchronize();
}
"""


def arrays_up_to_the_limit(nvcc, folder):
    """64 KiB are recorded whole; of more, what was touched is known all the same."""
    program, trace = built(nvcc, folder, "large", LARGE), folder / "large.json"
    for size in (1, 3, 4, 65535, 65536, 65537, 70000):
        watch.run(program, [str(size)], trace)
        records = [json.loads(line) for line in trace.read_text().splitlines()]
        (array,) = [record for record in records if "array" in record]
        check(f"an array of {size} bytes", array["bytes"] == size and len(array["data"]) == (2 * size if size <= 65536 else 0))
        (launch,), _ = watch.read_trace(trace, str(program), shared=True)
        (page,) = watch.page_data(str(program), [], [launch], [])["launches"]
        writes = [access for step in page["steps"] for access in step.get("a", []) if len(access) > 4]
        check(f"{size} bytes: what was written", [access[2:] for access in writes] == [[size - 1, 1, [7]]], str(writes))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CPU_DEVICE_THREADS", "2")
    for part in (values_of_types, blocks_that_were_asked_for, arrays_up_to_the_limit):
        part(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
