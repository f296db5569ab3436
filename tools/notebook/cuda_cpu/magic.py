"""%%cuda: compiles a cell for the CPU device, runs it and shows what it prints.

    %%cuda [--check] [--profile] [--watch] [--gpu] [--args "64 10"] [--flags "-O3 -lpng"]
    %%cuda --file common.cuh          keeps the cell as a file that later cells may include
"""
import argparse
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from . import device, listing

_files = None  # the folder with the cells' files


def files_folder():
    global _files
    if _files is None:
        _files = pathlib.Path(tempfile.mkdtemp(prefix="cuda_cells_"))
    return _files


class BadOption(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadOption(message)


def parser():
    options = Parser(prog="%%cuda", add_help=False, allow_abbrev=False)
    options.add_argument("--check", action="store_true")
    options.add_argument("--profile", action="store_true")
    options.add_argument("--watch", action="store_true")
    options.add_argument("--gpu", action="store_true")
    options.add_argument("--args", type=shlex.split, default=[])
    options.add_argument("--flags", type=shlex.split, default=[])
    options.add_argument("--file", default=None)
    options.add_argument("-h", "--help", action="store_true")
    return options


def say(text):
    print(text.rstrip("\n"), file=sys.stderr)


def toolkit():
    """NVIDIA's nvcc, if there is one; None if not."""
    for folder in os.environ.get("PATH", "").split(os.pathsep) + ["/usr/local/cuda/bin"]:
        path = shutil.which("nvcc", path=folder)
        if path and "cuda_cpu" not in path:
            version = subprocess.run([path, "--version"], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     text=True).stdout
            if "NVIDIA" in version and "CPU device" not in version:
                return path
    return None


class Cell:
    """One cell, with its files in a folder of its own."""

    def __init__(self, code, options):
        self.code, self.options = code, options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cuda_cell_"))
        # Programs are told apart by their names.
        self.source = self.folder / ("cell_%s.cu" % hashlib.sha1(code.encode()).hexdigest()[:10])
        self.source.write_text(code, encoding="utf-8")
        self.program = self.source.with_suffix("")

    def clean_up(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def compile(self):
        compiler = device.nvcc()
        if self.options.gpu:
            compiler = toolkit()
            if compiler is None:
                say("%%cuda: --gpu needs NVIDIA's CUDA Toolkit, and there is none here. Leave --gpu out to use the CPU device.")
                return False
        checked = ["--check"] if self.options.check or self.options.watch else []
        if not self.options.gpu:
            device.say_if_built_now(bool(checked))
        made = subprocess.run([str(compiler), *checked, "-I", str(files_folder()), self.source.name, "-o", self.program.name,
                               *self.options.flags], cwd=self.folder, check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if made.stdout:
            say(made.stdout)
        return made.returncode == 0

    def run(self):
        report = self.folder / "report.sarif"
        environment = {**os.environ, "CPU_DEVICE_REPORT": str(report)} if self.options.check else None
        errors = self.folder / "errors.txt"  # no pipe: a program that has filled one would wait forever
        with open(errors, "wb") as file:
            process = subprocess.Popen([str(self.program), *self.options.args], cwd=os.getcwd(), text=True, errors="replace",
                                       stdout=subprocess.PIPE, env=environment,
                                       stderr=file if self.options.check else subprocess.STDOUT)
        try:
            for line in process.stdout:
                print(line, end="")
            process.wait()
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            say("%%cuda: interrupted")
            return
        said, code = errors.read_text(encoding="utf-8", errors="replace"), process.returncode
        if self.options.check and report.exists():
            self.show_findings(report, said)
        elif code:
            say(said + "%%%%cuda: the program ended with exit code %d" % (code if code > 0 else 128 - code))  # a signal, as in a shell

    def show_findings(self, report, said):
        findings = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
        if findings:
            show(listing.listing(self.code, findings))
        print((said.rstrip().splitlines() or [""])[-1])

    def profile(self):
        device.say_if_built_now(checked=True)
        environment = dict(os.environ)
        environment.setdefault("CPU_DEVICE_CACHE", str(device.root() / "common/cpu_device/.cache"))
        with_flags = ["--with", shlex.join(self.options.flags)] if self.options.flags else []
        done = subprocess.run([sys.executable, "-B", str(device.root() / "tools/profile.py"), "--json", *with_flags,
                               str(self.source), *self.options.args], check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment)
        if done.returncode == 0:
            show(listing.table(json.loads(done.stdout)))
        else:
            say(done.stderr)

    def watch(self):
        page = self.folder / "watch.html"
        done = subprocess.run([sys.executable, "-B", str(device.root() / "tools/watch.py"), str(self.program), str(page),
                               *self.options.args], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if page.exists():
            show(listing.frame(page.read_text(encoding="utf-8")))
        else:
            say(done.stdout)


def show(text):
    import warnings

    from IPython.display import HTML, display
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # IPython's, which would rather have an address than a page
        display(HTML(text))


def cuda(line, code):
    try:
        options = parser().parse_args(shlex.split(line))
    except (BadOption, ValueError) as error:
        return say("%%%%cuda: %s (%%%%cuda --help lists the options)" % error)
    if options.help:
        return print(__doc__)
    if options.file:
        name = pathlib.PurePath(options.file)
        if name.is_absolute() or ".." in name.parts:
            return say("%%cuda: --file takes a name, such as common.cuh")
        path = files_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
        return print("kept as %s: other cells may include it" % name)
    if options.gpu and (options.check or options.profile or options.watch):
        return say("%%cuda: --check, --profile and --watch run on the CPU device: leave --gpu out")
    cell = Cell(code, options)
    try:
        if options.profile and not options.check and not options.watch:
            cell.profile()
        elif cell.compile():
            if options.watch:
                cell.watch()
            else:
                cell.run()
            if options.profile:
                cell.profile()
    finally:
        cell.clean_up()
    return None


def register(ipython):
    if not (device.root() / "common/cpu_device").is_dir():
        raise ImportError("cuda_cpu: the CPU device is missing: install the package again")
    ipython.register_magic_function(cuda, "cell", "cuda")
