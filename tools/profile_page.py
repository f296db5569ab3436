"""The counts of ./course profile as a page: each kernel's source, with the counts below the lines that they are of."""

import html
import pathlib
import shlex

import watch

ROOT = pathlib.Path(__file__).resolve().parent.parent
ABOUT = ("Counted on the CPU device, by the rules of an NVIDIA GPU (compute capability 9.0). A sector is 32 bytes. The "
         "counts do not include time, caches, registers and textures.")


def short_name(file):
    """A file as the page names it: from the course's root, or only its name."""
    try:
        return str(pathlib.Path(file).resolve().relative_to(ROOT))
    except ValueError:
        return pathlib.Path(file).name


def escaped(text):
    return html.escape(text, quote=False)


class Words:
    """What profile.py says of a kernel: handed in, since it imports this module."""

    def __init__(self, judged_lines, main_configurations, occupancy, launch_in_words, number):
        self.judged_lines, self.main_configurations = judged_lines, main_configurations
        self.occupancy, self.launch_in_words, self.number = occupancy, launch_in_words, number


def page_of(counts, program, arguments, words):
    template = (ROOT / "tools/profile_page.html").read_text(encoding="utf-8")
    sources = watch.Sources()
    kernels = words.main_configurations(counts["kernels"])
    body = "".join(kernel_section(number, kernel, others, counts["device"], sources, words)
                   for number, (kernel, others) in enumerate(kernels))
    # The kernel that wastes most stands first in the list.
    command = shlex.join(["./course", "profile", program, *arguments])
    return (template.replace("TITLE_OF_THE_PAGE", escaped(f"{program}: profile"))
            .replace("NAME_OF_THE_PROGRAM", escaped(program)).replace("THE_COMMAND", escaped(command))
            .replace("<!-- the kernels -->", body).replace("WHAT_IT_CANNOT_KNOW", escaped(ABOUT)))


def kernel_section(number, kernel, others, device, sources, words):
    judged = words.judged_lines(kernel)
    title = f"{kernel['kernel']}: {words.launch_in_words(kernel['grid'], kernel['block'])} threads"
    return (f'<section>\n<h2 id="kernel{number}">{escaped(title)}</h2>\n<p>{escaped(facts(kernel, others, device, words))}</p>\n'
            + summary(number, judged) + listing(number, kernel, judged, sources) + "</section>\n")


def facts(kernel, others, device, words):
    launches, shared = kernel["launches"], kernel["shared_bytes_per_block"]
    warps, all_warps, what = words.occupancy(kernel, device)
    barriers = words.number(kernel["barriers_per_thread"])
    text = f"{barriers} {'barrier' if barriers == '1' else 'barriers'} per thread. {shared} bytes of shared memory per block. "
    text += f"{warps} of {all_warps} warps fit on a multiprocessor" + (f" ({what} limits)." if warps < all_warps else ".")
    if launches > 1:
        text += f" Launched {launches} times; counts are for one launch."
    if others > 0:
        text += f" {others} other {'size' if others == 1 else 'sizes'} of launches: see --json."
    return text


def anchor(number, file, line):
    return f"k{number}-{pathlib.Path(file).stem}-{line}"


def grade(rows):
    """"good", or "bad" if something can be improved."""
    return "bad" if any(row[5] for row in rows) else "good"


def summary(number, judged):
    """The lines, the worst first, with a bar for their share of what is wasted."""
    most = max([waste for waste, *_ in judged] + [0])
    lines = []
    for waste, file, line, rows in judged:
        _, name, now, possible, _, advice = rows[0]
        width = f"{100 * waste / most:.0f}" if most else "0"
        place = (f'<a href="#{anchor(number, file, line)}">{escaped(pathlib.Path(file).name)}:{line}</a>' if line > 0
                 else "somewhere")
        lines.append(f'<tr class="{grade(rows)}"><td>{place}</td><td>{escaped(name)}</td><td>{escaped(now)}</td>'
                     f"<td>{escaped(possible) if advice else 'reached'}</td>"
                     f'<td class="share"><i style="width:{width}%"></i></td></tr>\n')
    return ('<div class="scroll" tabindex="0"><table class="lines">\n<thead><tr><th>line</th><th>access</th><th>now</th><th>possible</th>'
            f"<th>share of the waste</th></tr></thead>\n<tbody>\n{''.join(lines)}</tbody></table></div>\n" if lines else
            "<p>It accesses no memory that is counted.</p>\n")


def note(rows):
    """The counts of one line."""
    cells = []
    for _, name, now, possible, details, advice in rows:
        target = f"<td>possible: {escaped(possible)}</td>" if advice else "<td>optimal</td>"
        cells.append(f'<tr class="{"bad" if advice else "good"}"><th>{escaped(name)}</th><td>{escaped(now)}</td>{target}'
                     f'<td class="soft">{escaped(details)}</td></tr>\n')
        if advice:
            cells.append(f'<tr class="advice"><td></td><td colspan="3">{escaped(advice)}</td></tr>\n')
    return f'<table class="note">\n{"".join(cells)}</table>'


def listing(number, kernel, judged, sources):
    """The functions that the lines are in, as code with the notes between the lines."""
    by_file = {}
    for _, file, line, rows in judged:
        if line > 0:
            by_file.setdefault(file, {})[line] = rows
    text = ""
    for file in sorted(by_file, key=lambda name: name != kernel.get("file", next(iter(by_file)))):
        text += f'<h3>{escaped(short_name(file))}</h3>\n<div class="code" tabindex="0">\n'
        for row in sources.excerpt(file, sorted(by_file[file])):
            if row is None:
                text += '<div class="gap">⋯</div>\n'
                continue
            line, code = row
            rows = by_file[file].get(line)
            kind, name = (f" {grade(rows)}", f' id="{anchor(number, file, line)}"') if rows else ("", "")
            text += (f'<div class="row{kind}"{name}><span class="n">{line}</span><code>{escaped(code)}</code></div>\n')
            text += f'<div class="under">{note(rows)}</div>\n' if rows else ""
        text += "</div>\n"
    return text
