"""A condition before a statement, so that an index stays in bounds."""

import re

from .program import TYPE, Change, indentation


def guards(program, places):
    """if (i < n) before the statement: for each index of it, and each integer parameter of the kernel or size of the array."""
    number = places[0]
    line, code = program.lines[number - 1], program.code[number - 1]
    if re.match(r"\s*(?:const\s+)?\w+\s+\w+\s*=", code) or "{" in code:
        return []
    header = "".join(program.code[:number])
    kernel = header.rfind("__global__")
    names = re.findall(r"\b(?:int|unsigned|size_t|long|unsigned int)\s+(\w+)\s*[,)]", header[kernel:header.find("{", kernel)])
    found = []
    for array, index in dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\[\s*([A-Za-z_]\w*)\s*\]", code)):
        size = re.search(rf"\b{TYPE}\s+(?:[^;()]*,\s*)?{array}\[([^\]]+)\]", "".join(program.code[:number - 1]))
        limits = [*names, *([size[1]] if size else [])]
        found += [Change(replaced={number: f"{indentation(line)}if ({index} < {limit}) {line.lstrip()}"}) for limit in limits]
    return found
