"""A leaderboard without a GPU and without a clock: right answers, in the order of what their kernels ask of the memory."""

import html
import json
import re

# What is counted, and how it is called. The first decides, then the second, and so on.
COLUMNS = (("sectors", "sectors of 32 bytes in global memory"), ("conflicts", "bank conflicts in shared memory"),
           ("instructions", "memory instructions of warps"))
LINE = re.compile(rb'"kind": "(\w+)"')
STYLE = ("body{font:16px/1.5 system-ui,sans-serif;max-width:52em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;"
         "width:100%}td,th{padding:.4em .7em;text-align:right;border-bottom:1px solid #8884}td:nth-child(2),th:nth-child(2)"
         "{text-align:left}th{font-weight:600}tr:nth-child(2) td{font-weight:600}caption{text-align:left;padding:.5em 0}")


def totals(profile):
    """{column: count} of all kernels; profile: what CPU_DEVICE_PROFILE has written, one access a line."""
    sums = dict.fromkeys((name for name, _ in COLUMNS), 0)
    for line in profile.splitlines():
        kind = LINE.search(line)
        if not kind:
            continue

        def number(key, line=line):
            found = re.search(rb'"%s": ([\d.]+)' % key, line)
            return round(float(found[1])) if found else 0

        if kind[1].startswith(b"global"):
            sums["sectors"] += number(b"sectors")
        if kind[1].startswith(b"shared"):
            sums["conflicts"] += number(b"bank_conflicts")
        sums["instructions"] += number(b"requests")
    return sums


def ranked(results):
    """[(place, result)] of those that are right and counted; the same counts share a place."""
    counted = sorted((one for one in results if one.get("board")),
                     key=lambda one: [one["board"][name] for name, _ in COLUMNS] + [one["student"]])
    rows, place, before = [], 0, None
    for number, one in enumerate(counted, 1):
        if one["board"] != before:
            place, before = number, one["board"]
        rows.append((place, one))
    return rows


def page(lab, results):
    """The board as a page of HTML."""
    rows = "".join(
        f"<tr><td>{place}<td>{html.escape(one['student'])}" + "".join(f"<td>{one['board'][name]:,}" for name, _ in COLUMNS)
        for place, one in ranked(results))
    left_out = sum(not one.get("board") for one in results)
    heads = "".join(f"<th>{about}" for _, about in COLUMNS)
    return (f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{html.escape(lab.name)}: leaderboard</title>"
            f"<style>{STYLE}</style><h1>{html.escape(lab.title)}</h1><table><caption>Counted on the CPU device, in one case of "
            f"{html.escape(lab.name)}. Less is better. Time does not count.</caption><tr><th><th>answer{heads}{rows}</table>"
            f"<p>{left_out} of {len(results)} answers are not on the board, because a result or the checked run is not right."
            "</p></html>\n")


def as_json(results):
    return json.dumps([{"place": place, "student": one["student"], **one["board"]} for place, one in ranked(results)],
                      indent=2) + "\n"
