"""./course lab: hands labs out, and grades what comes back. LABS.md describes it for teachers."""

import argparse
import errno
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
from autograder import autograder
from board import as_json, page
from classroom import expanded, grade_class, report
from formats import FOR_ONE, FORMATS
from handout import hand_out
from labs import LabError, all_labs, find_lab
from packages import PACKAGES, package
from processors import processors
from roster import moment


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
    print(f"{folder}: hand this folder out; ./lab --help in it explains the commands")


def make_autograder(arguments):
    autograder(find_lab(arguments.lab), arguments.to)
    print(f"{arguments.to}: upload it as the autograder of a programming assignment")


def make_board(arguments):
    lab = find_lab(arguments.lab)
    refuse_at_once(arguments.out)
    grades, interrupted = grade_class(lab, list(expanded(arguments.files)), arguments)
    write(page(lab, grades["results"]) if arguments.format == "html" else as_json(grades["results"]), arguments.out)
    if interrupted:
        raise KeyboardInterrupt


def make_package(arguments):
    folder = package(find_lab(arguments.lab), arguments.platform, arguments.to)
    print(f"{folder}: LABS.md says where its files go")


def grade(arguments):
    arguments.files = list(expanded(arguments.files))
    if arguments.format in FOR_ONE and len(arguments.files) != 1:
        raise LabError(f"--format {arguments.format} is for one submission; for many: csv, json, junit")
    if arguments.jobs < 1:
        raise LabError("--jobs must be at least 1")
    lab = find_lab(arguments.lab)
    for out in (arguments.out, arguments.resume):
        refuse_at_once(out)
    arguments.due = moment(arguments.due) if arguments.due else None
    grades, interrupted = grade_class(lab, arguments.files, arguments)
    report(grades, arguments, write)
    if interrupted:
        raise KeyboardInterrupt


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
        out.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise LabError(f"cannot write {out}: {error.strerror}") from error


def natural(text):
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"course lab: {message}; try ./course lab --help\n")


def add_grading(one, formats, default):
    """What all commands take that grade."""
    one.add_argument("files", type=pathlib.Path, nargs="+", metavar="FILE")
    one.add_argument("--format", choices=formats, default=default)
    one.add_argument("--out", type=pathlib.Path, metavar="FILE", help="write to this file instead of stdout")
    one.add_argument("--resume", type=pathlib.Path, metavar="FILE", help="keep each result in this file, and grade only "
                     "what is not in it yet or has changed")
    one.add_argument("--unsafe", action="store_true", help="grade even if submissions can access this "
                     "machine's files, network and processes")
    one.add_argument("--seed", type=natural, help="seed of the fresh data, to repeat a grading")
    one.add_argument("--jobs", type=natural, default=2 * processors(),
                     help="number of submissions at the same time (default: two per usable core, because some only wait)")


def parse():
    parser = Parser(prog="./course lab", description="Labs: hand out, solve, grade, without a GPU. "
                    "LABS.md has the details.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, action, about, lab=True):
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(action=action)
        if lab:
            one.add_argument("lab", help="name of the lab, such as ch05_dot")
        return one

    command("list", show_list, "list the labs by chapter, with minutes and difficulty", lab=False)
    one = command("hand-out", make_hand_out, "make a folder for students: the task, the starter "
                  "file, and all that ./lab check needs")
    one.add_argument("--to", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER",
                     help="where to make the folder (default: here)")
    one = command("grade", grade, "grade submissions, each in a sandbox")
    add_grading(one, FORMATS, "text")
    one.add_argument("--against", type=pathlib.Path, metavar="OLD.csv", help="list the students who gain or lose points")
    one.add_argument("--roster", type=pathlib.Path, metavar="FILE.csv", help="the students: columns id and name, and due if "
                     "some have more time")
    one.add_argument("--due", metavar="TIME", help="such as '2026-12-01 23:59': adds how many days late a submission is")
    one.add_argument("--attempts", choices=("best", "last"), default="best", help="with --roster: which of several "
                     "submissions of a student counts (default: best)")
    one.add_argument("--feedback", type=pathlib.Path, metavar="FOLDER", help="also write a Markdown and an HTML file for each "
                     "student")
    one = command("board", make_board, "write a leaderboard as a page; it counts memory requests, not time")
    add_grading(one, ("html", "json"), "html")
    one.set_defaults(against=None, roster=None, due=None)
    command("solution", show_solution, "print the answer")
    one = command("autograder", make_autograder, "write a zip for Gradescope")
    one.add_argument("--to", type=pathlib.Path, required=True, metavar="FILE.zip")
    one = command("package", make_package, "write a folder for another learning platform")
    one.add_argument("platform", choices=PACKAGES)
    one.add_argument("--to", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER",
                     help="where to make the folder (default: here)")
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
