"""./course lab: hands labs out, and grades what comes back. LABS.md describes it for teachers."""

import argparse
import contextlib
import errno
import os
import pathlib
import secrets
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
from similarity import alike
from autograder import autograder
from formats import FOR_ONE, FORMATS
from grade import Lines, Refused, bar, grade_all, read_answer
from handout import hand_out
from build_kit import Kit
from labs import LabError, all_labs, find_lab


def show_list(arguments):
    del arguments
    labs = all_labs()
    width = max(len(lab.name) for lab in labs)
    chapter = None
    for lab in labs:
        if lab.chapter != chapter:
            chapter = lab.chapter
            print(chapter)
        minutes, difficulty = lab.about["minutes"].split()[0], lab.about["difficulty"]
        print(f"  {lab.name:{width}}  {minutes:>3} min  {difficulty}  {lab.title}")


def show_solution(arguments):
    sys.stdout.write(find_lab(arguments.lab).solution())


def make_hand_out(arguments):
    folder = hand_out(find_lab(arguments.lab), arguments.to)
    print(f"{folder}: give it away; in it, ./lab --help tells more")


def make_autograder(arguments):
    autograder(find_lab(arguments.lab), arguments.to)
    print(f"{arguments.to}: upload it as the autograder of a programming assignment")


def grade(arguments):
    if arguments.format in FOR_ONE and len(arguments.files) != 1:
        raise LabError(f"--format {arguments.format} is for one submission; for many: csv, json, junit")
    if arguments.jobs < 1:
        raise LabError("--jobs must be at least 1")
    lab = find_lab(arguments.lab)
    refuse_at_once(arguments.out)
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1 << 31)
    jobs = min(arguments.jobs, len(arguments.files))
    progress = bar if sys.stderr.isatty() else Lines()
    if len(arguments.files) == 1:
        progress = None
    results, sandbox, interrupted = [None] * len(arguments.files), "", False
    umask = os.umask(0o022)  # a submission runs as another user, who must read what it needs
    try:
        with contextlib.closing(Kit(lab, seed, many=len(arguments.files) > 16)) as kit:
            sandbox = grade_all(kit, arguments.files, jobs, results, progress)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        os.umask(umask)
    graded = [(path, one) for path, one in zip(arguments.files, results) if one is not None]
    if interrupted:
        print(f"\ncourse lab: interrupted: {len(graded)} of {len(results)} were graded", file=sys.stderr)
        if not graded:
            raise KeyboardInterrupt
    grades = {"lab": lab.name, "seed": seed, "sandbox": sandbox, "results": [one for _, one in graded],
              "alike": alike(answers(graded), lab.starter())}
    if "without" in sandbox:
        print(f"course lab: {sandbox}", file=sys.stderr)
    write(FORMATS[arguments.format](grades), arguments.out)
    if interrupted:
        raise KeyboardInterrupt


def answers(graded):
    """(student, text) of those that could be read; graded: [(path, result)]."""
    for path, one in graded:
        try:
            yield one["student"], read_answer(path)
        except Refused:
            pass


def refuse_at_once(out):
    """What cannot be written is said before a class is graded for it, not after."""
    if out is None:
        return
    place = out if out.exists() else out.parent
    problem = None
    if out.is_dir():
        problem = errno.EISDIR
    elif not place.exists():
        problem = errno.ENOENT
    elif not out.exists() and not place.is_dir():
        problem = errno.ENOTDIR
    elif not os.access(place, os.W_OK):
        problem = errno.EACCES
    if problem is not None:
        raise LabError(f"cannot write {out}: {os.strerror(problem)}")


def write(text, out):
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text)
    except OSError as error:
        raise LabError(f"cannot write {out}: {error.strerror}") from error


def natural(text):
    number = int(text)
    if number < 0:
        raise ValueError
    return number


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"course lab: {message}; try ./course lab --help\n")


def parse():
    parser = Parser(prog="./course lab", description="Labs: hand out, solve, grade, without a GPU. "
                    "LABS.md tells more.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, action, about, lab=True):
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(action=action)
        if lab:
            one.add_argument("lab", help="its name, such as ch05_dot")
        return one

    command("list", show_list, "the labs, by chapter, with minutes and difficulty", lab=False)
    one = command("hand-out", make_hand_out, "a folder to give away: the task, the starter file, and "
                  "what it takes to check oneself")
    one.add_argument("--to", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER",
                     help="where the folder is made (default: here)")
    one = command("grade", grade, "points for submissions; each runs in a sandbox")
    one.add_argument("files", type=pathlib.Path, nargs="+", metavar="FILE")
    one.add_argument("--format", choices=FORMATS, default="text")
    one.add_argument("--out", type=pathlib.Path, metavar="FILE", help="instead of stdout")
    one.add_argument("--seed", type=natural, help="of the fresh data, to repeat a grading")
    one.add_argument("--jobs", type=natural, default=2 * (os.cpu_count() or 1),
                     help="submissions at the same time (default: two per core, as some only wait)")
    command("solution", show_solution, "prints the answer")
    one = command("autograder", make_autograder, "a zip for Gradescope")
    one.add_argument("--to", type=pathlib.Path, required=True, metavar="FILE.zip")
    return parser.parse_args()


def main():
    arguments = parse()
    try:
        arguments.action(arguments)
    except LabError as error:
        print(f"course lab: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
