"""The drawings of ch06_constant/README.md."""

from drawing import BLUE, DARK, GRAY, GREEN, ORANGE, RED, SOFT, Drawing


def broadcast(narrow):
    d = Drawing(narrow, "ch06_constant/images/broadcast.svg", (250, 478),
                "If all lanes read one constant, one access serves the warp; each different constant needs an access of its own")

    def panel(left, title, targets, verdict, color):
        d.text(left, 34, title, 14, anchor="start", bold=True)
        for lane in range(8):
            d.box(left + lane * 38, 55, 34, 26, "..." if lane == 6 else 31 if lane == 7 else lane,
                  BLUE, 12)
        d.text(left, 50, "lanes of a warp", 11, anchor="start", color=SOFT)
        for k in range(8):
            d.box(left + k * 38, 150, 34, 26, f"s[{k}]" if k < 6 else "...", ORANGE if k in
                  targets.values() else GRAY, 11)
        for lane, target in targets.items():
            d.arrow(left + lane * 38 + 17, 82, left + target * 38 + 17, 148)
        d.text(left, 193, "constant memory", 11, anchor="start", color=SOFT)
        d.text(left, 224, verdict, 13, anchor="start", color=DARK[color], bold=True)

    lanes = (0, 1, 2, 3, 4, 5, 7)
    panel(30, "all lanes read spheres[2]", {lane: 2 for lane in lanes}, "1 access: a broadcast", GREEN)
    d.origin = d.pick((0, 0), (-355, 232))
    panel(385, "each lane reads a different sphere", {0: 3, 1: 0, 2: 5, 3: 1, 4: 2, 5: 4, 7: 6},
          "as many accesses as different addresses", RED)
    return d


def events(narrow):
    d = Drawing(narrow, "ch06_constant/images/events.svg", (230, 372),
                "Two events in the device's queue, and the host that must wait for the second")
    if narrow:  # time runs downwards
        d.text(106, 30, "host", bold=True)
        d.text(230, 30, "device", bold=True)
        for y, height, words, fill in ((42, 28, ("record start",), BLUE), (70, 28, ("launch",), BLUE),
                                       (98, 28, ("record stop",), BLUE),
                                       (126, 152, ("cudaEventSynchronize", "(stop): waits"), GRAY),
                                       (278, 34, ("read the time",), BLUE)):
            d.box(34, y, 144, height, fill=fill)
            d.lines(106, y + height / 2 + 13 - 9 * len(words), 18, words, 12)
        d.box(206, 84, 48, 14, fill=ORANGE)
        d.box(206, 98, 48, 158, "kernel", GREEN, 13)
        d.box(206, 256, 48, 14, fill=ORANGE)
        d.arrow(179, 56, 205, 88)
        d.arrow(205, 266, 180, 280)
        d.text(258, 88, "start", 12, anchor="start", color=DARK[ORANGE])
        d.text(258, 280, "stop", 12, anchor="start", color=DARK[ORANGE])
        d.line(264, 94, 264, 263)
        d.line(258, 94, 270, 94)
        d.line(258, 263, 270, 263)
        d.lines(270, 176, 16, ("cudaEvent-", "ElapsedTime()"), 11, anchor="start")
        d.line(14, 126, 33, 126, DARK[RED], 3)
        d.text(20, 340, "At the red line, the time is not yet known.", 12, anchor="start", color=DARK[RED])
        d.arrow(20, 150, 20, 312)
        d.text(20, 362, "Time runs downwards.", 12, anchor="start", color=SOFT)
        return d
    d.text(20, 62, "host", anchor="start", bold=True)
    d.text(20, 142, "device", anchor="start", bold=True)
    x = 90
    for text, width, fill in (("record start", 100, BLUE), ("launch", 70, BLUE), ("record stop", 100, BLUE)):
        d.box(x, 42, width, 30, text, fill, 12)
        x += width
    d.box(x, 42, 250, 30, "cudaEventSynchronize(stop): waits", GRAY, 12)
    d.box(x + 250, 42, 88, 30, "read the time", BLUE, 12)
    d.box(250, 122, 16, 30, "", ORANGE)
    d.box(266, 122, 328, 30, "kernel", GREEN, 13)
    d.box(594, 122, 16, 30, "", ORANGE)
    d.arrow(140, 73, 254, 120)
    d.arrow(602, 121, 612, 75)
    d.text(258, 170, "start", 12, color=DARK[ORANGE])
    d.text(602, 170, "stop", 12, color=DARK[ORANGE])
    d.line(258, 186, 602, 186)
    d.line(258, 180, 258, 192)
    d.line(602, 180, 602, 192)
    d.text(430, 182, "the time that cudaEventElapsedTime() returns", 12)
    d.text(360, 24, "the time is not yet known here", 12, color=DARK[RED])
    d.arrow(361, 28, 361, 41)
    d.arrow(90, 212, 700, 212)
    d.text(395, 206, "time", 11, color=SOFT)
    return d


DRAWINGS = (broadcast, events)
