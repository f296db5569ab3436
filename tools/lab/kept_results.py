"""Results that are kept in a file as soon as they are known: one JSON text a line. After an interruption, or when a
few submissions have changed, only the others are graded."""

import hashlib
import json
import pathlib
import secrets
import threading

from labs import LabError
from untrusted import read_file

MOST_BYTES = 1 << 20  # of a submission, as in grade.py


def of_lab(lab, folders):
    """What results depend on, beside the submission: the lab and the grader, as a number."""
    total = hashlib.sha256()
    for folder in (lab.folder, *folders):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file() and not {".cache", "lib", "lib64", "__pycache__"} & set(path.parts):
                total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def of_submission(path):
    """None: it cannot be read as one, and is graded each time, which does not take long."""
    try:
        return hashlib.sha256(read_file(path, MOST_BYTES)).hexdigest()
    except OSError:
        return None


class Kept:
    """path: the file, or None: nothing is kept. seed: of the grading; None: that of the file, or a fresh one."""

    def __init__(self, path, lab, version, seed):
        self.path, self.seed, self.results, self.lock = path, seed, {}, threading.Lock()
        try:
            if path is not None:
                self.read({"lab": lab.name, "version": version})
                self.file = open(path, "a", encoding="utf-8")
        except OSError as error:
            raise LabError(f"cannot keep results in {path}: {error.strerror}") from error
        if self.seed is None:
            self.seed = secrets.randbelow(1 << 31)
        if path is not None and self.file.tell() == 0:
            self.write({"lab": lab.name, "version": version, "seed": self.seed})

    def read(self, head):
        """What is kept there, if it is of the same lab and the same grader."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        try:
            kept = json.loads(lines[0])
            if set(kept) != {"lab", "version", "seed"}:
                raise ValueError
        except (ValueError, IndexError, TypeError) as error:
            raise LabError(f"{self.path} was not written by this command; name another file") from error
        if kept["lab"] != head["lab"]:
            raise LabError(f"{self.path} is of the lab {kept['lab']}; name another file")
        if kept["version"] != head["version"] or self.seed not in (None, kept["seed"]):
            self.path.unlink()  # the lab or the grader has changed, or another seed is wanted: all again
            return
        self.seed = kept["seed"]
        for line in lines[1:]:
            try:
                one = json.loads(line)
                self.results[one["submission"]] = one["result"]
            except (ValueError, LookupError, TypeError):
                pass  # the line that was being written when the power went

    def find(self, path):
        key = of_submission(path) if self.path else None
        return None if key is None else self.results.get(key)

    def add(self, path, result):
        key = of_submission(path) if self.path else None
        if key is not None:
            self.write({"submission": key, "result": result})

    def write(self, data):
        with self.lock:
            self.file.write(json.dumps(data) + "\n")
            self.file.flush()

    def close(self):
        if self.path:
            self.file.close()
