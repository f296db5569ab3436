"""One file for each student, in Markdown and in HTML: what was graded, what was wrong, where to look."""

import html
import re

from labs import LabError

STYLE = ("body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
         "td,th{border:1px solid #8886;padding:.3em .7em;text-align:left}td.n{text-align:right}pre{background:#8881;padding:.7em;"
         "overflow:auto;white-space:pre-wrap}.bad{color:#b00}")


def write_feedback(folder, grades):
    """The files' number."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = set()
        for one in grades["results"]:
            stem = base = re.sub(r"[^\w.-]+", "_", one.get("id") or one["student"]).strip(".")[:80] or "student"
            number = 1
            while stem.lower() in used:
                number += 1
                stem = f"{base}_{number}"
            used.add(stem.lower())
            (folder / f"{stem}.md").write_text(as_markdown(one), encoding="utf-8")
            (folder / f"{stem}.html").write_text(as_html(one), encoding="utf-8")
    except OSError as error:
        raise LabError(f"cannot write {error.filename}: {error.strerror}") from error
    return 2 * len(grades["results"])


def head(one):
    """(title, sentences that are not about points)"""
    notes = []
    if one.get("late_days"):
        notes.append(f"Handed in {one['late_days']} day{'s' * (one['late_days'] != 1)} late.")
    if one.get("attempts", 0) > 1:
        notes.append(f"This is one of {one['attempts']} attempts.")
    if one.get("before") is not None and one["before"] != one["score"]:
        notes.append(f"Before: {one['before']} points.")
    return f"{one['lab']}: {one['score']} of {one['max_score']} points", notes


def as_markdown(one):
    title, notes = head(one)
    rows = [f"# {title}", "", one.get("name") or escaped(one["student"]), "", *notes, *[""] * bool(notes),
            "| | points | of |", "| --- | ---: | ---: |"]
    rows += [f"| {line['title']} | {line['score']} | {line['max_score']} |" for line in one["lines"]]
    for line in one["lines"]:
        if not line["passed"] and line["text"]:
            rows += ["", f"## {line['title']}", "", *("    " + text for text in line["text"].splitlines())]
    return "\n".join([*rows, "", f"Seed {one['seed']}."]) + "\n"


def escaped(text):
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&-])", r"\\\1", text)


def as_html(one):
    title, notes = head(one)
    say = html.escape
    rows = "".join(f"<tr><td{'' if line['passed'] else ' class=bad'}>{say(line['title'])}</td><td class=n>{line['score']}</td>"
                   f"<td class=n>{line['max_score']}</td></tr>" for line in one["lines"])
    parts = "".join(f"<h2>{say(line['title'])}</h2><pre>{say(line['text'])}</pre>"
                    for line in one["lines"] if not line["passed"] and line["text"])
    return (f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{say(title)}</title><style>{STYLE}</style>"
            f"<h1>{say(title)}</h1><p>{say(one.get('name') or one['student'])}</p>" + "".join(f"<p>{say(note)}</p>" for note in notes)
            + f"<table><tr><th></th><th>points</th><th>of</th></tr>{rows}</table>{parts}<p>Seed {one['seed']}.</p></html>\n")
