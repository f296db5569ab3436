"""Findings and counts as HTML, for a cell's output."""
import html

MAIN, OTHER = "#ffd7d5", "#fff1c9"  # the line of a finding, and of the other access
NEAR = 4                            # lines around them that are shown


def line_of(place):
    return place["physicalLocation"]["region"]["startLine"]


def marked_lines(findings):
    colors = {}
    for finding in findings:
        for place in finding.get("relatedLocations", []):
            if "physicalLocation" in place:
                colors.setdefault(line_of(place), OTHER)
        for place in finding["locations"]:
            colors[line_of(place)] = MAIN
    return colors


def listing(code, findings):
    """What is said of each finding, and the cell's lines around them, both lines of each marked."""
    colors = marked_lines(findings)
    rows, before = [], 0
    for number, text in enumerate(code.split("\n"), 1):
        if not any(abs(number - marked) <= NEAR for marked in colors):
            continue
        if before and number > before + 1:
            rows.append('<span style="display:block;opacity:.5"> ...</span>')
        before = number
        style = "background:%s;color:#111" % colors[number] if number in colors else "color:inherit"
        rows.append('<span style="display:block;%s"><span style="opacity:.5">%4d </span>%s</span>'
                    % (style, number, html.escape(text) or " "))
    said = "".join('<p style="border-left:4px solid #cf222e;padding-left:8px;white-space:pre-wrap">%s</p>'
                   % html.escape(finding["message"]["text"]) for finding in findings)
    return '%s<pre style="line-height:1.35;overflow:auto">%s</pre>' % (said, "".join(rows))


COLUMNS = (("kernel", "kernel"), ("line", "line"), ("kind", "what"), ("requests", "requests"), ("now", "now"),
           ("possible", "possible"), ("what_to_do", "what to do"))


def table(profile):
    """The counts of each kernel and line, the worst first."""
    rows = []
    for kernel in profile["kernels"]:
        for access in sorted(kernel["accesses"], key=lambda one: -one.get("waste", 0)):
            values = {**access, "kernel": kernel["kernel"], "kind": access["kind"].replace("_", " ")}
            rows.append("<tr>%s</tr>" % "".join('<td style="text-align:left">%s</td>' % html.escape(str(values.get(key, "")))
                                                for key, _ in COLUMNS))
    head = "".join('<th style="text-align:left">%s</th>' % title for _, title in COLUMNS)
    return "<table><tr>%s</tr>%s</table>" % (head, "".join(rows))


def frame(page):
    """A page that travels with the notebook."""
    return '<iframe srcdoc="%s" width="100%%" height="700" style="border:1px solid #ccc"></iframe>' % html.escape(page)
