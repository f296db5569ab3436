"""Makes one file of a program and the headers that it includes with quotation marks.

Each header is put in once, where it is first included. Of what headers define, only that stays which the
program names, directly or through what else stays: functions, types, constants and macros are left out if
their names stand nowhere. What has no name to look for (operators, #if, using, initialized variables) stays.

The program may also be a file of the user's, which an absolute path names. Of its own headers everything stays.
"""

import os
import re

from . import ROOT

# Comments and literals, in which braces mean nothing.
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|(<[^>]+>))')
PAIRS = {"(": ")", "[": "]", "{": "}"}
WORD = re.compile(r"[A-Za-z_]\w*")
ATTRIBUTES = re.compile(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|__launch_bounds__\s*\([^()]*\)|"
                        r"alignas\s*\([^()]*\)|\bnoexcept\b", re.S)
NOT_A_NAME = {"if", "for", "while", "switch", "return", "decltype", "sizeof", "static_assert", "defined", "operator"}


def masked(text):
    """The text with blanks instead of comments and literals; line ends stay."""
    return HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


class Chunk:
    """A piece of a header: a declaration with the comment above it, or a line of the preprocessor."""

    def __init__(self, text, code, names=None, inside=None, around=("", "")):
        self.text, self.names = text, names  # None: it always stays
        self.words = set(WORD.findall(code))
        self.inside, self.around = inside, around  # of a namespace: its chunks, and its first and last line
        self.kept = names is None and inside is None


def end_of_pair(code, at):
    """Where what opens at `at` has closed."""
    close, depth, opening = PAIRS[code[at]], 0, code[at]
    for i in range(at, len(code)):
        depth += (code[i] == opening) - (code[i] == close)
        if depth == 0:
            return i + 1
    return len(code)


def end_of_line(code, at):
    """Behind the line, and those that a backslash joins to it."""
    while True:
        end = code.find("\n", at)
        if end < 0:
            return len(code)
        if not code[:end].rstrip(" \t").endswith("\\"):
            return end + 1
        at = end + 1


def end_of_conditional(code, at):
    """Behind the #endif that belongs to the #if at `at`."""
    depth = 0
    while at < len(code):
        line_end = end_of_line(code, at)
        line = code[at:line_end].lstrip()
        depth += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
        at = line_end
        if depth == 0:
            break
    return at


def end_of_declaration(code, at):
    """(where it ends, where its first brace opens or -1)"""
    brace = -1
    while at < len(code):
        letter = code[at]
        if letter == ";":
            return at + 1, brace
        if letter in PAIRS:
            if letter == "{" and brace < 0:
                brace = at
            is_body = letter == "{"
            at = end_of_pair(code, at)
            if is_body:
                left = code[at:].lstrip()
                if not left.startswith((";", ",")) and not re.match(r"[A-Za-z_]\w*\s*[;\[={]", left[:80].split("\n")[0]):
                    return at, brace
            continue
        at += 1
    return at, brace


def names_of(code):
    """The names that a declaration introduces; None if it must stay."""
    if "constructor" in code or "friend" in code.partition("{")[0]:
        return None
    code = ATTRIBUTES.sub(" ", code).strip()
    while code.startswith("template"):
        depth, at = 0, code.index("<")
        for at in range(at, len(code)):
            depth += (code[at] == "<") - (code[at] == ">")
            if depth == 0:
                break
        code = code[at + 1:].lstrip()
    kind = re.match(r"(class|struct|union|enum(?:\s+(?:class|struct))?)\s+(\w+)\s*(?=[:{;]|final)", code)
    if kind:
        if kind[1] == "enum":
            return set(WORD.findall(code))
        return {kind[2], *WORD.findall(code.rpartition("}")[2])}  # and what it declares: struct A {...} a;
    alias = re.match(r"using\s+(\w+)\s*=", code)
    if alias:
        return {alias[1]}
    if re.match(r"(using|typedef|extern|static_assert|class|struct|union|enum)\b", code) or "operator" in code.partition("{")[0]:
        return None
    head = re.split(r"[={;]", code, maxsplit=1)[0]
    function = re.search(r"([\w:~]+)\s*\(", head)
    if function:
        name = function[1]
        if name in NOT_A_NAME or not head[:function.start()].strip():
            return None  # a macro that is used, or what we do not understand
        return {name.rpartition("::")[2]}  # of a member: its class names it
    if re.search(r"\bconst(expr)?\b", head) and "(" not in code:
        words = WORD.findall(re.sub(r"\[[^\]]*\]", "", head))
        return {words[-1]} if words else None
    return None


def chunks_of(text, code):
    """A file, or what is in a namespace, in pieces that make it up without gaps."""
    found, begin, at = [], 0, 0
    last_include = max((match.start() for match in INCLUDE.finditer(text)), default=-1)

    def add(end, **more):
        nonlocal begin
        rest = re.match(r"[ \t]*;?[ \t]*(?://[^\n]*)?\n?", text[end:])
        if not code[end:end + rest.end()].strip(" \t\n;"):
            end += rest.end()
        found.append(Chunk(text[begin:end], code[begin:end], **more))
        begin = end
        return end

    while at < len(code):
        if code[at].isspace():
            at += 1
        elif code[at] == "#":
            line = code[at:]
            if re.match(r"#\s*if", line):
                at = add(end_of_conditional(code, at))
                continue
            define = re.match(r"#\s*define\s+(\w+)", line)
            names = {define[1]} if define and at > last_include else None
            at = add(end_of_line(code, at), names=names)
        else:
            end, brace = end_of_declaration(code, at)
            head = code[at:brace] if brace >= 0 else ""
            if re.match(r"(inline\s+)?namespace\b", head):
                inner = chunks_of(text[brace + 1:end - 1], code[brace + 1:end - 1])
                around = (text[begin:brace + 1], text[end - 1:end] + re.match(r"[^\n]*\n?", text[end:])[0])
                end = add(end, inside=inner, around=around)
                at = end
            else:
                at = add(end, names=names_of(code[at:end]))
    if begin < len(text):
        found.append(Chunk(text[begin:], "", names=set()))  # a comment at the end
    return found


def flat(chunks):
    for chunk in chunks:
        yield chunk
        if chunk.inside is not None:
            yield from flat(chunk.inside)


def rendered(chunks):
    """What stays of them."""
    out = ""
    for chunk in chunks:
        if chunk.inside is None:
            out += chunk.text if chunk.kept else ""
        else:
            inner = rendered(chunk.inside)
            if inner.strip():
                out += chunk.around[0] + "\n" * (not inner.startswith("\n")) + inner + chunk.around[1]
    return out


def contents(name):
    return (ROOT / name).read_text(encoding="utf-8", errors="surrogateescape")


PRAGMA_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[ \t]*\n", re.M)


class File:
    """A source file in pieces. Of the program itself and the user's headers all of them stay."""

    def __init__(self, name, is_program):
        self.name = name
        text = contents(name)
        guard = re.match(r"\s*#[ \t]*ifndef[ \t]+(\w+)[ \t]*\n\s*#[ \t]*define[ \t]+\1\b", masked(text))
        self.once = bool(guard or PRAGMA_ONCE.search(text) or not is_own(name))
        text = PRAGMA_ONCE.sub("", text)
        self.chunks = [Chunk(text, masked(text))] if is_program or is_own(name) else chunks_of(text, masked(text))


def is_own(name):
    """Whether a file is the user's."""
    return os.path.isabs(name)


def path_of(file, included):
    """A header as a path from the course's root, or as an absolute one if it is the user's. None if it is neither."""
    path = os.path.normpath(os.path.join(os.path.dirname(file), included))
    if not (ROOT / path).is_file() and is_own(file):
        path = os.path.normpath(os.path.join("common", included))  # as ./course run finds "../common/book.h"
    return path if not path.startswith("..") and (ROOT / path).is_file() else None


def all_files(source):
    """{name: File} of the source and what it includes, directly or not."""
    files, left = {}, [source]
    while left:
        name = left.pop()
        if name in files:
            continue
        files[name] = File(name, name == source)
        for included, _ in INCLUDE.findall(contents(name)):
            if included and path_of(name, included):
                left.append(path_of(name, included))
    return files


def keep_what_is_used(files):
    chunks = [chunk for file in files.values() for chunk in flat(file.chunks)]
    used = set()
    for chunk in chunks:
        if chunk.kept and not INCLUDE.fullmatch(chunk.text.strip()):
            used |= chunk.words
    changed = True
    while changed:
        changed = False
        for chunk in chunks:
            if not chunk.kept and chunk.names and chunk.names & used:
                chunk.kept = changed = True
                used |= chunk.words


def says_something(text):
    """Whether there is more than comments, includes and empty namespaces."""
    code = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", "", masked(text), flags=re.M)
    return bool(re.sub(r"(inline\s+)?namespace\s*[\w:]*\s*\{\s*\}", "", code).strip())


def one_file(source):
    """The program as one text."""
    files = all_files(source)
    keep_what_is_used(files)
    system, done, inside = set(), set(), []

    def title_of(name):
        return os.path.relpath(name, os.path.dirname(source)) if is_own(name) else name

    def inlined(name):
        if files[name].once:
            done.add(name)
        inside.append(name)
        out = ""
        for line in rendered(files[name].chunks).splitlines(True):
            include = INCLUDE.match(line)
            if include and include[2]:
                if include[2] in system and line.startswith("#") and not is_own(name):
                    continue
                if not is_own(name):  # there it may be in an #if
                    system.add(include[2])
            elif include:
                header = path_of(name, include[1])
                if header:
                    if header not in done and header not in inside:
                        text = inlined(header)
                        if says_something(text) or "#include <" in text:
                            title = f"// ---- {title_of(header)} "
                            out += f"{title:-<100}\n\n{text.strip()}\n\n" if says_something(text) else text
                    continue
            out += line
        inside.pop()
        return out

    text = inlined(source)
    return re.sub(r"\n{3,}", "\n\n", text)
