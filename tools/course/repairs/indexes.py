"""The block in an index, and the grid in a stride, where a kernel has only the thread and the block.

A checked run of the changed program accepts these only if each thread of the grid has its own element within the array: if there is
one for each, that is what the array is for.
"""

import re

from .program import Change


def indexes(program, places):
    found = []
    for first, last in dict.fromkeys(program.function(number) for number in places):
        code = "".join(program.code[first - 1:last])
        if "blockIdx" not in code:
            found.append(replaced(program, first, last, r"(?<==)\s*threadIdx\.x(?=\s*;)|(?<=\[)threadIdx\.x(?=\])",
                                  "blockIdx.x * blockDim.x + threadIdx.x"))
        elif "gridDim" not in code:
            found.append(replaced(program, first, last, r"(?<==)\s*blockDim\.x(?=\s*[;)])", "gridDim.x * blockDim.x"))
    return [change for change in found if change.replaced]


def replaced(program, first, last, pattern, text):
    lines = {}
    for number in range(first, last + 1):
        for match in reversed(list(re.finditer(pattern, program.code[number - 1]))):
            space = re.match(r"\s*", match[0])[0]
            lines[number] = program.replaced(number, match.start(), match.end(), space + text)
            break  # from the end: one in a line, so that the columns are right
    return Change(replaced=lines)
