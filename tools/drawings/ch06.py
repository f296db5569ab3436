"""The drawings of ch06_constant/README.md."""

from drawing import BLUE, DARK, GRAY, GREEN, ORANGE, RED, SOFT, Drawing


def broadcast():
    d = Drawing("ch06_constant/images/broadcast.svg", 720, 250,
                "A warp that reads one constant needs one access; different ones need one each")

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
    panel(30, "all ask for spheres[2]", {lane: 2 for lane in lanes}, "1 access: a broadcast", GREEN)
    panel(385, "each asks for another", {0: 3, 1: 0, 2: 5, 3: 1, 4: 2, 5: 4, 7: 6},
          "as many accesses as different addresses", RED)
    return d


def events():
    d = Drawing("ch06_constant/images/events.svg", 720, 230,
                "Two events in the device's queue, and the host that must wait for the second")
    d.text(20, 62, "host", anchor="start", bold=True)
    d.text(20, 142, "device", anchor="start", bold=True)
    x = 90
    for text, width, fill in (("record start", 100, BLUE), ("launch", 70, BLUE), ("record stop", 100, BLUE)):
        d.box(x, 42, width, 30, text, fill, 12)
        x += width
    d.box(x, 42, 250, 30, "cudaEventSynchronize(stop): waits", GRAY, 12)
    d.box(x + 250, 42, 80, 30, "elapsed", GREEN, 12)
    d.box(160, 122, 16, 30, "", ORANGE)
    d.box(176, 122, 418, 30, "kernel", GREEN, 13)
    d.box(594, 122, 16, 30, "", ORANGE)
    d.arrow(110, 73, 166, 120)
    d.arrow(602, 121, 612, 75)
    d.text(168, 170, "start", 12, color=DARK[ORANGE])
    d.text(602, 170, "stop", 12, color=DARK[ORANGE])
    d.line(168, 186, 602, 186)
    d.line(168, 180, 168, 192)
    d.line(602, 180, 602, 192)
    d.text(385, 182, "cudaEventElapsedTime()", 12, mono=True)
    d.text(360, 30, "asked here, the time does not exist yet", 12, color=DARK[RED])
    d.arrow(362, 33, 361, 41)
    d.arrow(90, 212, 700, 212)
    d.text(395, 206, "time", 11, color=SOFT)
    return d


DRAWINGS = (broadcast, events)
