"""Builds the wheel and the source distribution (PEP 517), with nothing but Python: pip wheel tools/notebook

The wheel carries the CPU device and the tools that read what its programs record, in the same folders as in the course,
below cuda_cpu/course. In a source distribution they lie in course/.
"""
import base64
import hashlib
import io
import pathlib
import re
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
CARRIED = ("common/cpu_device", "tools/watch.py", "tools/watch_page.html", "tools/profile.py",
           "tools/profile_page.py", "tools/profile_page.html", "tools/ncu.py", "tools/course/__init__.py", "tools/course/compiling.py", "tools/course/messages.py", "tools/course/story.py", "LICENSE")
LEFT_OUT = {".cache", "lib", "lib64", "__pycache__", ".gitignore", "images"}


def course():
    """Where the course is: beside this file in a source distribution, above it in the course."""
    inside = HERE / "course"
    return inside if inside.is_dir() else HERE.parent.parent


def setting(name):
    return re.search(r'^%s = "(.*)"$' % name, (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M).group(1)


def carried_files():
    """(name, path) of what is carried, in one order on every machine."""
    root = course()
    for name in CARRIED:
        start = root / name
        paths = sorted(start.rglob("*")) if start.is_dir() else [start]
        for path in paths:
            relative = path.relative_to(root)
            if path.is_file() and not path.is_symlink() and not LEFT_OUT & set(relative.parts):
                yield relative.as_posix(), path


def package_files():
    return sorted((path.relative_to(HERE).as_posix(), path) for path in (HERE / "cuda_cpu").glob("*.py"))


def metadata():
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return ("Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nRequires-Python: %s\nLicense: MIT\n"
            "Description-Content-Type: text/markdown\n\n%s" % (setting("name"), setting("version"),
                                                                setting("description"), setting("requires-python"), readme))


def stem():
    return "%s-%s" % (setting("name").replace("-", "_"), setting("version"))


def scripts():
    lines = (HERE / "pyproject.toml").read_text(encoding="utf-8").split("[project.scripts]\n")[1].split("\n\n")[0]
    return "[console_scripts]\n" + lines.replace('"', "") + "\n"


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append("%s,sha256=%s,%d" % (name, digest, len(data)))

    def close(self, info):
        name = info + "/RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), "\n".join(self.record + [name + ",,"]) + "\n")
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, info = stem() + "-py3-none-any.whl", stem() + ".dist-info"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    content = hashlib.sha256()
    for relative, path in package_files():
        wheel.add(relative, path.read_bytes())
    for relative, path in carried_files():
        data = path.read_bytes()
        content.update(relative.encode() + data)
        wheel.add("cuda_cpu/course/" + relative, data, executable=bool(path.stat().st_mode & 0o100))
    wheel.add("cuda_cpu/course/content.txt", content.hexdigest()[:12].encode())
    wheel.add(info + "/METADATA", metadata().encode())
    wheel.add(info + "/WHEEL", b"Wheel-Version: 1.0\nGenerator: cuda-course-cpu\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.add(info + "/entry_points.txt", scripts().encode())
    wheel.close(info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = stem() + ".tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as archive:
        own = [(path.name, path) for path in (HERE / one for one in ("pyproject.toml", "backend.py", "README.md"))]
        carried = [("course/" + relative, path) for relative, path in carried_files()]
        for relative, path in own + package_files() + carried:
            archive.add(path, "%s/%s" % (stem(), relative), recursive=False)
        data = metadata().encode()
        entry = tarfile.TarInfo(stem() + "/PKG-INFO")
        entry.size, entry.mtime = len(data), int(time.time())
        archive.addfile(entry, io.BytesIO(data))
    return name
