"""The program that is repaired, and changes of it."""

import re

# A comment, or a literal in which no comment begins.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\')', re.S)
TYPE = (r"(?:unsigned\s+long\s+long|long\s+long|unsigned\s+int|unsigned\s+short|unsigned\s+char|unsigned|size_t|u?int\d+_t|"
        r"int|long|short|char|bool|float|double)")


class Change:
    """Lines to insert before others, and lines to replace (with nothing, to delete them), by their numbers from 1."""

    def __init__(self, before=(), replaced=()):
        self.before, self.replaced = dict(before), dict(replaced)

    def applied(self, lines):
        found = []
        for number, line in enumerate(lines, 1):
            if number in self.before:
                found += [f"{indentation(line)}{text}\n" for text in self.before[number].split("\n")]
            found.append(self.replaced.get(number, line))
        return found


class Spans:
    """Parts of the text to replace: (begin, end, new text), by offsets."""

    def __init__(self, *parts):
        self.parts = sorted(parts)

    def applied(self, lines):
        text, found, at = "".join(lines), [], 0
        for begin, end, new in self.parts:
            found += [text[at:begin], new]
            at = end
        return "".join([*found, text[at:]]).splitlines(keepends=True)


class Program:
    """Its lines, and the same without comments: of the same length, so that an offset is valid in both."""

    def __init__(self, lines):
        self.lines = lines
        self.text = COMMENT.sub(lambda match: match[0] if match[1] else re.sub(r"\S", " ", match[0]), "".join(lines))
        self.code = self.text.splitlines(keepends=True)
        self.first = next((n for n, line in enumerate(self.code, 1) if line.strip()), 1)  # after the comment at the beginning

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def replaced(self, number, begin, end, text):
        """The line with `text` between two columns. Its comment stays."""
        line = self.lines[number - 1]
        return line[:begin] + text + line[end:]

    def function(self, number):
        """The first and the last line of the function that has this line."""
        first = next((n for n in range(number, 0, -1) if re.match(r"[^\s#}/].*\(", self.code[n - 1])), 1)
        if re.match(r".*\}\s*$", self.code[first - 1]):
            return first, first
        last = next((n for n in range(first + 1, len(self.code) + 1) if self.code[n - 1].startswith("}")), len(self.code))
        return first, last

    def declared(self, name):
        """The words of the type in the declaration of a variable, such as "volatile int"; "" if it is not found."""
        declarator = r"[*&\s]*\w+(?:\[[^\]]*\])*(?:\s*=\s*[^,;(){}]+)?\s*,"
        match = re.search(rf"((?:\b(?:volatile|const|__shared__|__device__)\s+)*)\b({TYPE})\b(?:{declarator})*[*&\s]*(?<!\w){re.escape(name)}\b", self.text)
        return " ".join((match[1] + match[2]).split()) if match else ""

    def type_of(self, name):
        return re.sub(r"\b(volatile|const|__shared__|__device__)\s+", "", self.declared(name))


def indentation(line):
    return line[:len(line) - len(line.lstrip())]


def base(target):
    """The variable of an expression such as *p, a[i].x or &b."""
    match = re.search(r"[A-Za-z_]\w*", target)
    return match[0] if match else ""


def after(program, number, text):
    """The text as a line after this one."""
    line = program.lines[number - 1]
    return Change(replaced={number: f"{line}{indentation(line)}{text}\n"})


def is_statement(line):
    """Whether another statement may stand before this line."""
    return bool(line.strip()) and not line.lstrip().startswith(("#", "}", "{", "else"))
