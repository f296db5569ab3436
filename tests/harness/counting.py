"""What tests in Python share: they count what they check, and print only what failed."""

passed = failed = 0


def check(what, good, more=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {what}\n  {more}", flush=True)


def finish():
    """Prints the counts. Returns the exit code."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
