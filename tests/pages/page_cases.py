"""Runs pages that have one fault at most, for tests of the checks of pages."""

import pathlib
import sys
import tempfile

import readme_check


def said(text, check, folder):
    """What check(page) finds wrong with a page of this text."""
    (folder / "page.md").write_text(text)
    page = readme_check.Page(folder / "page.md")
    check(page)
    return " / ".join(problem for _, problem in page.problems)


def run_cases(cases, files=()):
    """cases: (text of a page, part of the expected problem or None for none, check). files: (name, text) of what lies next
    to the page. Returns the exit code."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files:
            pathlib.Path(folder, name).write_text(text)
        for text, expected, check in cases:
            answer = said(text, check, pathlib.Path(folder))
            if (expected or "") not in answer or (expected is None and answer):
                print(f"FAILED: {text!r}: expected {expected!r}, not {answer!r}", file=sys.stderr)
                failed += 1
    print(f"{len(cases)} pages, {failed} not as expected")
    return 1 if failed else 0
