"""The report of a checked run, CPU_DEVICE_REPORT, with file names that need care: JSON, and what SARIF 2.1.0 demands.

    sarif_check.py NVCC WORK_FOLDER

One race stands in each of many headers, whose names have spaces, quotes, backslashes, control characters, a percent
sign, and bytes that are not UTF-8. The reader must get each name back, and each race once.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

HEADERS = ["plain.h", "two words.h", 'quo"te.h', "back\\slash.h", "tab\there.h", "percent%41#hash?.h", "übung.h", "字.h",
           "bell\x07.h", "dollar$HOME'.h", "colon:1.h", b"caf\xe9.h", b"cut\xe5\xad.h", b"long\xc0\xaf.h",
           b"surrogate\xed\xa0\x80.h",
           # Every character below a blank but those that #include cannot have, and the one above the letters.
           *(f"control{chr(code)}.h" for code in range(1, 32) if chr(code) not in "\n\r\v\f"), "delete\x7f.h"]
# A name that messages quote: every character below a blank but the one that g++ takes for a line end.
CONTROL = bytes(code for code in range(1, 32) if code != 0x0d)
# Bytes next to each limit of UTF-8 (Unicode, table 3-7): the first and last character of each length, what is longer than it
# needs to be, surrogates, what is beyond Unicode, and a character that is cut.
CHARACTERS = [b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbf", b"\xf0\x90\x80\x80", b"\xf4\x8f\xbf\xbf"]
NO_CHARACTERS = [b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x8f\xbf\xbf",
                 b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc2", b"\xe5\xad", b"\xf0\x90\x80"]
MAIN = b'ma"in \xe9%20' + CONTROL + b"\x7f" + b"_".join(CHARACTERS + NO_CHARACTERS) + b".cu"
# RFC 3986: what a reference may consist of.
REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})+")
failures = []


def check(what, is_right):
    if not is_right:
        failures.append(what)
        print("FAILED:", what)


def compile_and_run(nvcc, folder):
    names = [name if isinstance(name, bytes) else name.encode() for name in HEADERS]
    main = b""
    for i, name in enumerate(names):
        (pathlib.Path(os.fsdecode(os.path.join(os.fsencode(folder), name)))).write_text(
            f"__global__ void race_{i}(int* a) {{\n  a[{i}] = threadIdx.x;\n}}\n")
        main += b"#include <" + name + b">\n"
    calls = "".join(f"  race_{i}<<<1, 2>>>(a);\n" for i in range(len(names)))
    main += (f"__global__ void beyond(int* a) {{\n  a[{len(names)}] = 1;\n}}\n"
             f"int main() {{\n  int* a;\n  cudaMalloc(&a, {4 * len(names)});\n{calls}"
             "  beyond<<<1, 1>>>(a);\n  cudaDeviceSynchronize();\n  cudaFree(a);\n}\n").encode()
    source = os.path.join(os.fsencode(folder), MAIN)
    pathlib.Path(os.fsdecode(source)).write_bytes(main)
    subprocess.run([nvcc, "--check", "-I.", MAIN, "-o", "program"], cwd=folder, check=True)
    subprocess.run(["./program"], cwd=folder, env={**os.environ, "CPU_DEVICE_REPORT": "report.sarif"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return names


def check_location(location, folder, what):
    """Returns the bytes of the file's name."""
    physical = location["physicalLocation"]
    uri, line = physical["artifactLocation"]["uri"], physical["region"]["startLine"]
    check(f"{what}: the URI is one: {uri!r}", REFERENCE.fullmatch(uri))
    check(f"{what}: no scheme", not re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", uri))
    check(f"{what}: a line", isinstance(line, int) and line >= 1)
    name = urllib.parse.unquote_to_bytes(uri)
    check(f"{what}: the file {name!r} exists", os.path.exists(os.path.join(os.fsencode(folder), name)))
    return name


def replaced(text):
    """With one U+FFFD for each run of them: how many there are for the bytes of one wrong character is not defined."""
    return re.sub("\ufffd+", "\ufffd", text)


def check_message(message, what):
    text = message["text"]
    check(f"{what}: a message", isinstance(text, str) and text.strip())
    check(f"{what}: its characters can be written", text.isprintable() or re.search(r"[\x01-\x1f\x7f]", text))
    return text


def check_log(log, folder):
    """The rules of the schema that apply to what we write. Returns [(rule, [names of files])]."""
    check("the version", log["version"] == "2.1.0" and log["$schema"].startswith("https://"))
    check("no other members", set(log) == {"version", "$schema", "runs"})
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    check("a name of the tool", driver["name"])
    ids = [rule["id"] for rule in driver["rules"]]
    check("each rule once", len(ids) == len(set(ids)))
    for rule in driver["rules"]:
        check_message(rule["shortDescription"], f"rule {rule['id']}")
    found = []
    for number, result in enumerate(run["results"]):
        what = f"result {number}"
        check(f"{what}: its members", set(result) <= {"ruleId", "level", "message", "occurrenceCount", "locations",
                                                      "relatedLocations", "fixes"})
        check(f"{what}: a rule that is listed", result["ruleId"] in ids)
        check(f"{what}: a level", result["level"] in ("none", "note", "warning", "error"))
        check(f"{what}: a count", isinstance(result["occurrenceCount"], int) and result["occurrenceCount"] >= 1)
        check_message(result["message"], what)
        places = [check_location(place, folder, what) for place in result["locations"]]
        related = result["relatedLocations"]
        check(f"{what}: each place has its own number", len({place["id"] for place in related}) == len(related))
        for place in related:
            check_location(place, folder, what)
            check_message(place["message"], what)
        found.append((result["ruleId"], places, result["message"]["text"]))
    return found


def main():
    nvcc, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = compile_and_run(nvcc, folder)
    raw = (folder / "report.sarif").read_bytes()
    log = json.loads(raw.decode("utf-8"), parse_constant=lambda name: failures.append(f"{name} is not JSON"))
    found = check_log(log, folder)
    races = [places for rule, places, _ in found if rule.startswith("race")]
    where = sorted(os.path.normpath(place) for places in races for place in places)
    check("each header's race is there, once", where == sorted(names))
    beyond = [text for rule, places, text in found if places == [MAIN] and rule == "out-of-bounds"]
    check("the access beyond the end is there", len(beyond) == 1)
    check("its message names a file in other bytes as far as it can, and each control character",
          any(replaced(MAIN.decode(errors="replace")) in replaced(text) for text in beyond))
    print(f"{len(found)} findings, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
