#!/usr/bin/env python3
"""./course with files of the user's own: from any folder, with spaces in their paths, two of one name.

    tests/course/own_files_check.py NVCC FOLDER [TEST...]    NVCC: the CPU device's; FOLDER: to work in
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NVCC, WORK = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).resolve()

ADD = """\
// Adds to each element.
#include <cstdio>
#include "amount.h"

__global__ void NAME(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += AMOUNT;
}

int main(int argc, char** argv) {
  int h[1000] = {}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  NAME<<<4, 256>>>(d, 1000);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d by NAME, %s; kernel 1.5 ms\\n", h[999], argc > 1 ? argv[1] : "no argument");
  return h[999] == AMOUNT ? 0 : 1;
}
"""
TWO_LAUNCHES = """\
#include <cstdio>
__global__ void fill(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = i;
}
__global__ void first_of_each(int* x, int* count) {
  if (threadIdx.x == 0) atomicAdd(count, x[64 * blockIdx.x]);
}
int main() {
  int *x, *count;
  cudaMalloc(&x, 30000 * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  fill<<<64, 64>>>(x, 30000);
  first_of_each<<<64, 64>>>(x, count);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(count);
}
"""
MESSAGE = """\
__global__ void send(volatile int* message, int* flag, int* got, int* ready) {
  if (blockIdx.x == 0) {
    while (atomicAdd(ready, 0) == 0) {}
    *message = 7;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    atomicExch(ready, 1);
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
    *got = *message;
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 4 * sizeof(int));
  cudaMemset(x, 0, 4 * sizeof(int));
  send<<<2, 1>>>(x, x + 1, x + 2, x + 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
"""
RACE = """\
__global__ void count(int* x) { (*x)++; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  count<<<2, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
"""


def course(*words, folder=WORK, **more):
    """Exit code, stdout and stderr of ./course, called in a folder."""
    done = subprocess.run([ROOT / "course", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, env={**os.environ, **more})
    return done.returncode, done.stdout, done.stderr


def data_of(page):
    """What a watch page shows."""
    pieces, text = json.loads(re.search(r"unpacked\((\[.*\])\)", page.read_text()).group(1)), ""
    for i in range(0, len(pieces), 3):
        text += pieces[i]
        for _ in range(pieces[i + 2] if i + 2 < len(pieces) else 0):
            text += text[-pieces[i + 1]]
    return json.loads(text)


class OwnFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        cls.one, cls.two = WORK / "one", WORK / "the second's folder"
        for folder, name, amount in ((cls.one, "add_one", 1), (cls.two, "add_two", 2)):
            folder.mkdir(parents=True)
            (folder / "hw.cu").write_text(ADD.replace("NAME", name))
            (folder / "amount.h").write_text(f"#define AMOUNT {amount}\n")
        (WORK / "large.cu").write_text(TWO_LAUNCHES)
        (WORK / "race.cu").write_text(RACE)
        (WORK / "message.cu").write_text(MESSAGE)
        (WORK / "broken.cu").write_text("int main() { return x; }\n")
        (WORK / "dot.cu").write_text('#include <cstdio>\nint main() { puts("my dot"); }\n')

    def test_run(self):
        for words, folder, said in ((["one/hw.cu", "a b"], WORK, "1 by add_one, a b"),
                                    (["the second's folder/hw.cu"], WORK, "2 by add_two, no argument"),
                                    (["hw.cu", "--cpu"], self.two, "2 by add_two, no argument"),
                                    ([str(self.one / "hw.cu")], pathlib.Path("/"), "1 by add_one, no argument")):
            code, out, err = course("run", "--cpu", *words, folder=folder)
            self.assertEqual((code, out), (0, f"{said}; kernel 1.5 ms\n"), err)

    def test_run_again_compiles_only_what_has_changed(self):
        folder = WORK / "changes"
        shutil.copytree(self.one, folder)
        self.assertIn("compiling hw.cu", course("run", "--cpu", "hw.cu", folder=folder)[2])
        self.assertEqual(course("run", "--cpu", "hw.cu", folder=folder)[2], "")
        (folder / "amount.h").write_text("#define AMOUNT 7\n")
        self.assertIn("7 by add_one", course("run", "--cpu", "hw.cu", folder=folder)[1])

    def test_a_name_of_the_course_and_a_file_of_that_name(self):
        self.assertEqual(course("run", "--cpu", "dot.cu")[1], "my dot\n")
        code, _, err = course("run", "--cpu", "nowhere/dot.cu")
        self.assertEqual((code, err.count("\n")), (2, 1))
        self.assertIn("there is no file 'nowhere/dot.cu'", err)

    def test_what_cannot_be(self):
        (WORK / "notes.txt").write_text("words")
        for word, said in (("race", "did you mean your file race.cu?"), ("one", "is a folder"),
                           ("./notes.txt", "neither a .cu file nor a program"), ("nix.cu", "there is no file 'nix.cu'")):
            for command in ("run", "check", "profile", "watch", "debug"):
                code, out, err = course(command, word)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1), f"{command} {word}: {err}")
                self.assertIn(said, err)
        code, _, err = course("run", "--cpu", "broken.cu")
        self.assertEqual(code, 2)
        self.assertIn("broken.cu:1", err)
        self.assertTrue(err.endswith("course: broken does not compile; see above\n"))

    def test_check(self):
        code, _, err = course("check", "../race.cu", folder=self.two)
        self.assertEqual(code, 1)
        self.assertIn("race.cu:1: CPU device: lost update", err)
        self.assertEqual(course("check", "hw.cu", folder=self.two)[0], 0)

    def test_profile_of_two_files_of_one_name(self):
        for folder, kernel, other in ((self.one, "add_one", "add_two"), (self.two, "add_two", "add_one"),
                                      (self.one, "add_one", "add_two")):
            code, out, err = course("profile", folder / "hw.cu")
            self.assertEqual(code, 0, err)
            self.assertIn(f"{kernel}: 4 blocks", out)
            self.assertNotIn(other, out)
            self.assertIn("hw.cu:7 | if (i < n)", out)

    def test_programs_that_are_built_already(self):
        def build(name, *flags):
            subprocess.run([NVCC, *flags, "-g", "../one/hw.cu", "-o", name], cwd=self.one, check=True)
        build("checked", "--check")
        build("plain")
        self.assertEqual(course("run", "one/plain")[0], 0)
        self.assertEqual(course("run", "./plain", "x", folder=self.one)[1], "1 by add_one, x; kernel 1.5 ms\n")
        code, _, err = course("check", "one/checked")
        self.assertEqual(code, 0)
        self.assertIn("no findings", err)
        for command in ("check", "watch"):
            code, _, err = course(command, "one/plain")
            self.assertEqual((code, err.count("\n")), (2, 1), err)
            self.assertIn("nvcc --check", err)
        code, _, err = course("profile", "one/plain")
        self.assertEqual(code, 2)
        self.assertIn("--branches", err)
        code, out, err = course("watch", "one/checked")  # compiled by a relative path, and watched by one
        self.assertEqual(code, 0, err)
        page = re.search(r"open (\S+\.html)", out).group(1)
        self.assertEqual([file["name"] for launch in data_of(pathlib.Path(page))["launches"] for file in launch["files"]],
                         ["hw.cu"])

    def test_watch_tool_by_relative_paths(self):
        subprocess.run([NVCC, "--check", "-g", "race.cu", "-o", "checked_race"], cwd=WORK, check=True)
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/watch.py", "checked_race", "race.html"], cwd=WORK,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(data_of(WORK / "race.html")["findings"]), 1)

    def watch(self, *words):
        code, out, err = course("watch", *words)
        self.assertEqual(code, 0, err)
        return out, data_of(pathlib.Path(re.search(r"open (.*\.html)", out).group(1)))

    def test_watch_of_a_large_program(self):
        out, data = self.watch("large.cu")
        self.assertEqual([launch["name"] for launch in data["launches"]], ["fill", "first_of_each"])
        self.assertTrue(data["launches"][0]["cut"])
        self.assertFalse(data["launches"][1]["cut"])
        self.assertIn("fewer blocks: ./course watch --blocks 0-3 large.cu", out)

    def test_watch_of_some_blocks(self):
        _, data = self.watch("--blocks", "2-3", "large.cu")
        for launch in data["launches"]:
            self.assertEqual({step["b"] for step in launch["steps"]}, {2, 3}, launch["name"])
            self.assertFalse(launch["cut"], launch["name"])
        _, data = self.watch("--blocks", "1", "message.cu")  # what the other block wrote is there when it is read
        launch, = data["launches"]
        self.assertEqual({step["b"] for step in launch["steps"]}, {1})
        self.assertIn(7, [value for step in launch["steps"] for _, _, value in step.get("o", [])])
        code, out, err = course("watch", "--blocks", "64", "large.cu")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no kernel with block 64", err)
        for wrong in ("x", "3-1", "-1", "1-", "0-99999999999999999999"):
            code, _, err = course("watch", "--blocks", wrong, "large.cu")
            self.assertEqual((code, err.count("\n")), (2, 1), f"{wrong}: {err}")

    def test_bench(self):
        code, out, err = course("bench", "--cpu", "one/hw.cu", "the second's folder/hw.cu", "word")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"\| kernel +\| 1\.5 +\| 1\.5 +\| ms")
        self.assertRegex(out, r"\| the whole program +\| [\d.]+ +\| [\d.]+ +\| ms")
        self.assertIn("say nothing about a GPU", out)
        (WORK / "fails.cu").write_text("int main() { return 3; }\n")
        for versions in (("one/hw.cu", "fails.cu"), ("fails.cu", "one/hw.cu"), ("fails.cu",)):
            code, out, err = course("bench", "--cpu", *versions)
            self.assertEqual(code, 1, f"{versions}: {out}{err}")

    def test_a_listing_of_the_book_away_from_common(self):
        (WORK / "listing.cu").write_text('#include "../common/book.h"\nint main() { HANDLE_ERROR(cudaFree(0)); }\n')
        self.assertEqual(course("run", "--cpu", "listing.cu")[0], 0)

    def test_a_program_of_the_course_as_one_file(self):
        code, out, err = course("export", "--one-file", "dot", "exported")
        self.assertEqual(code, 0, err)
        self.assertIn("nvcc -std=c++17 dot.cu -o dot && ./dot", out)
        self.assertEqual([path.name for path in (WORK / "exported").iterdir()], ["dot.cu"])
        code, out, err = course("run", "--cpu", "exported/dot.cu", "--size", "1000")
        self.assertEqual(code, 0, err)
        self.assertIn("dot product of", out)

    def exported(self, source, *, folder, to):
        """Exports with a Makefile, makes it, and returns what the program prints."""
        code, out, err = course("export", source, to, folder=folder)
        self.assertEqual(code, 0, err)
        program = re.search(r"make && (\./\S+)", out).group(1)
        for _ in range(2):  # the second time there is nothing to do
            made = subprocess.run(["make", "-C", to, "NVCC=common/cpu_device/nvcc"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stdout)
        self.assertIn("up to date", made.stdout)
        return subprocess.run([program], cwd=to, stdout=subprocess.PIPE, text=True, check=True).stdout

    def test_export_of_two_files_of_one_name(self):
        for folder, said, to in ((self.one, "1 by add_one", WORK / "export one"), (self.two, "2 by add_two", WORK / "export_two")):
            self.assertIn(said, self.exported("hw.cu", folder=folder, to=to))
            self.assertEqual({path.name for path in (to / "source").iterdir()} - {".clangd"}, {"hw.cu", "amount.h"})
        tracked = subprocess.run(["git", "ls-files", "common/cpu_device"], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                                 check=False).stdout.split()
        self.assertEqual({path.split("/")[2] for path in tracked} - {path.name for path in (to / "common/cpu_device").iterdir()},
                         set())

    def awkward_homework(self):
        """A file with parentheses in its name, and headers of all sorts in a folder next to it."""
        folder, headers = WORK / "all sorts/of $homework", WORK / "all sorts/its headers"
        folder.mkdir(parents=True, exist_ok=True)
        headers.mkdir(exist_ok=True)
        (headers / "guarded.h").write_text("#ifndef GUARDED_H\n#define GUARDED_H\nstruct Guarded { int x; };\n#endif\n")
        (headers / "once.h").write_text('#pragma once\n#include "guarded.h"\nstruct Once { Guarded g; };\n'
                                        "template <int N> struct Next { enum { value = N + 1 }; };\n")
        (headers / "list.def").write_text("ITEM(20)\nITEM(21)\n")
        (folder / "hw (1).cu").write_bytes(
            b'#include <cstdio>\n#include "../its headers/guarded.h"\n#include "../its headers/once.h"\n'
            b'#include "../common/book.h"\n// Gr\xfc\xdfe\n'
            b'#define ITEM(n) + n\n__global__ void sum(int* x) { *x = 0\n#include "../its headers/list.def"\n; }\n'
            b'#undef ITEM\n#define ITEM(n) + Next<n>::value\nint more() { return 0\n#include "../its headers/list.def"\n; }\n'
            b'int main() {\n  Once h;\n  int* d;\n  HANDLE_ERROR(cudaMalloc(&d, sizeof h));\n  sum<<<1, 1>>>(d);\n'
            b'  HANDLE_ERROR(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));\n'
            b'  printf("%d %d\\n", h.g.x, more());\n}\n')
        return folder / "hw (1).cu"

    def test_export_of_files_called_as_something_of_the_makefile(self):
        compiler = WORK / "compiler"  # it only makes the file that it shall make
        compiler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho made >"$2"\n')
        compiler.chmod(0o755)
        for name in ("clean", "source", "common", "Makefile", "all", "other"):
            with self.subTest(name):
                folder, to = WORK / "names", WORK / f"export of {name}"
                folder.mkdir(exist_ok=True)
                (folder / f"{name}.cu").write_text("int main() {}\n")
                code, out, err = course("export", f"{name}.cu", to, folder=folder)
                self.assertEqual(code, 0, err)
                program = to / re.search(r"make && \./(\S+)", out).group(1)
                at_first = set(to.iterdir())
                for target in ("", "clean", ""):
                    made = subprocess.run(["make", "-C", to, f"NVCC={compiler}", *target.split()], stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, text=True, check=False)
                    self.assertEqual(made.returncode, 0, made.stdout)
                    self.assertEqual(set(to.iterdir()) - at_first, set() if target else {to / ".compiler", program}, made.stdout)
                    self.assertLessEqual(at_first, set(to.iterdir()))

    def test_export_of_headers_elsewhere(self):
        said = self.exported(self.awkward_homework(), folder=pathlib.Path("/"), to=WORK / "export of headers")
        self.assertEqual(said, "41 43\n")

    def test_an_own_file_as_one_file(self):
        for source, folder, said in ((self.awkward_homework(), pathlib.Path("/"), "41 43\n"),
                                     ("hw.cu", self.two, "2 by add_two, no argument; kernel 1.5 ms\n")):
            to = WORK / "alone" / pathlib.Path(source).stem
            code, out, err = course("export", "--one-file", source, to, folder=folder)
            self.assertEqual(code, 0, err)
            self.assertEqual([path.name for path in to.iterdir()], [pathlib.Path(source).name])
            command = re.search(r"^  nvcc (.*)", out, re.M).group(1)
            done = subprocess.run(["bash", "-c", f'"{NVCC}" {command}'], cwd=to, stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, said))

    def test_export_of_what_cannot_be(self):
        shutil.copy("/bin/true", WORK / "a_program")
        for word, said in (("./a_program", "is compiled already"), ("one", "is a folder"), ("nix.cu", "there is no file"),
                           ("ch05", "there is no program 'ch05'")):
            code, out, err = course("export", word, "not_written")
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(said, err)
            self.assertFalse((WORK / "not_written").exists())

    def test_debug(self):
        gdb = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "/bin/true"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False).stdout if shutil.which("gdb") else ""
        if "exited normally" not in gdb:
            self.skipTest("gdb is missing, or cannot run programs here")
        # cuda-debug keeps what it compiles here.
        more = {"XDG_CACHE_HOME": str(WORK / "debug cache"), "DEBUGINFOD_URLS": ""}
        for words, folder, kernel, lines in ((["one/hw.cu", "a b"], WORK, "add_one", ("hw.cu:6", "1 by add_one, a b")),
                                             (["hw.cu"], self.two, "add_two", ("hw.cu:6", "2 by add_two, no argument")),
                                             (["dot", "--size", "1000"], self.two, "dot_kernel", ("dot.cu:", "dot product of"))):
            done = subprocess.run([ROOT / "course", "debug", *words], cwd=folder, stdout=subprocess.PIPE,
                                  input=f"set confirm off\nbreak {kernel} if threadIdx.x == 3\nrun\ninfo cuda kernels\n"
                                        "print threadIdx.x\nbt\ndelete\ncontinue\nquit\n",
                                  stderr=subprocess.STDOUT, text=True, check=False, env={**os.environ, **more})
            for text in (kernel + " (", "= 3\n", *lines):
                self.assertIn(text, done.stdout)

    def test_a_snippet_as_homework(self):
        (WORK / "snippet.cu").write_text(course("snippet", "dot_product")[1])
        self.assertEqual(course("check", "snippet.cu")[0], 0)

    def test_setup_path(self):
        folder = WORK / "a bin"
        code, out, err = course("setup", "--path", "--to", folder, "--cpu")
        self.assertEqual(code, 0, err)
        nvcc, = [path for path in folder.iterdir() if "nvcc" in path.name]
        self.assertIn("Append to ~/.profile", out)
        subprocess.run([nvcc, "race.cu", "-o", "by_link"], cwd=WORK, check=True)
        self.assertEqual(subprocess.run([folder / "course", "list", "dot"], stdout=subprocess.DEVNULL, check=False).returncode, 0)
        self.assertEqual(course("setup", "--path", "--to", folder, "--cpu")[0], 0)  # a second time
        (folder / "course").unlink()
        (folder / "course").write_text("mine")
        nvcc.unlink()
        code, _, err = course("setup", "--path", "--to", folder)
        self.assertEqual((code, (folder / "course").read_text()), (2, "mine"))
        self.assertIn("already exists and is not from this course", err)
        self.assertFalse(nvcc.is_symlink())  # nor is anything else put there

    def test_setup_toolkit(self):
        code, _, err = course("setup", "--to", WORK / "nowhere")
        self.assertEqual((code, "--toolkit" in err), (2, True))
        code, _, err = course("setup", "--toolkit", "--to", WORK / "a toolkit", PIP_INDEX_URL="http://127.0.0.1:9/",
                              PIP_RETRIES="0")
        self.assertEqual((code, len(err.splitlines())), (2, 1), err)
        self.assertRegex(err, "could not install nvcc|needs pip")

    def test_tiles(self):
        (WORK / "tiles.cu").write_text("#include <cuda_tile.h>\n#include <cstdio>\n"
                                       "__tile_global__ void answer(int* out) { cuda::tiles::store(out, 42); }\n"
                                       "int main() { int* out, host; cudaMalloc(&out, 4); answer<<<1, 1>>>(out);\n"
                                       "  cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost); printf(\"%d\\n\", host); }\n")
        code, out, err = course("run", "--cpu", "tiles.cu")
        self.assertEqual((code, out), (0, "42\n"), err)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
