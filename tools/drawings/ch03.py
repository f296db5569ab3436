"""The drawings of ch03_intro/README.md."""

from drawing import BLUE, GRAY, GREEN, ORANGE, SOFT, Drawing


def host_and_device(narrow):
    d = Drawing(narrow, "ch03_intro/images/host_and_device.svg", (250, 380),
                "The host with its memory, the device with its own, and what goes between them")
    if narrow:
        for top, title, runs, fill in ((14, "host: the CPU", "main() runs here", BLUE),
                                       (232, "device: the GPU", "add() runs here", GREEN)):
            d.box(14, top, 332, 134, fill="#fafbfc", radius=8)
            d.text(84, top + 24, title, anchor="start", bold=True)
            d.box(28, top + 52, 124, 40, runs, fill)
            d.box(206, top + 40, 126, 64, fill=GRAY)
            d.text(322, top + 120, "its memory", 12, anchor="end", color=SOFT)
        d.box(224, 70, 90, 34, "c = 9", ORANGE)
        d.box(216, 288, 106, 34, "*dev_c = 9", ORANGE)
        d.arrow(60, 106, 60, 282)
        d.text(68, 172, "add<<<1, 1>>>(2, 7, dev_c)", 12, anchor="start", mono=True)
        d.arrow(152, 305, 214, 305)
        d.text(182, 322, "writes", 12, color=SOFT)
        d.arrow(300, 287, 300, 106)
        d.text(292, 196, "cudaMemcpy()", 12, anchor="end", mono=True)
        d.text(292, 213, "copies the result back", 12, anchor="end", color=SOFT)
        return d
    for left, title, runs, fill in ((20, "host: the CPU", "main() runs here", BLUE),
                                    (460, "device: the GPU", "add() runs here", GREEN)):
        d.box(left, 20, 240, 210, fill="#fafbfc", radius=8)
        d.text(left + 120, 44, title, bold=True)
        d.box(left + 25, 62, 190, 40, runs, fill)
        d.box(left + 25, 150, 190, 60, fill=GRAY)
    d.text(25 + 20, 144, "its memory", 12, anchor="start", color=SOFT)
    d.text(675, 144, "its memory", 12, anchor="end", color=SOFT)
    d.box(135, 163, 80, 34, "c = 9", ORANGE)
    d.box(505, 163, 100, 34, "*dev_c = 9", ORANGE)
    d.arrow(235, 82, 483, 82)
    d.text(360, 73, "add<<<1, 1>>>(2, 7, dev_c)", 12, mono=True)
    d.arrow(555, 102, 555, 161)
    d.text(562, 124, "writes", 12, anchor="start", color=SOFT)
    d.arrow(503, 180, 218, 180)
    d.text(360, 171, "cudaMemcpy()", 12, mono=True)
    d.text(360, 198, "copies the result back", 12, color=SOFT)
    return d


def launch_returns_at_once(narrow):
    d = Drawing(narrow, "ch03_intro/images/launch_returns_at_once.svg", (190, 330),
                f"Time runs {'downwards' if narrow else 'to the right'}: the host goes on while the kernel runs, until it waits")
    if narrow:
        d.text(130, 34, "host", bold=True)
        d.text(290, 34, "device", bold=True)
        d.box(44, 48, 172, 34, "launch", BLUE, 13)
        d.box(44, 82, 172, 62, "goes on: printf(...)", BLUE, 13)
        d.box(44, 144, 172, 104, fill=GRAY)
        d.text(130, 192, "cudaDeviceSynchronize()", 13)
        d.text(130, 212, "waits", 12, color=SOFT)
        d.box(44, 248, 172, 48, "goes on", BLUE, 13)
        d.box(246, 108, 92, 140, fill=GREEN)
        d.lines(292, 174, 18, ("the kernel", "runs"), 13)
        d.arrow(217, 80, 246, 107)
        d.arrow(246, 248, 218, 248)
        d.arrow(24, 48, 24, 300)
        d.text(24, 318, "time", 12, color=SOFT)
        return d
    d.text(20, 62, "host", anchor="start", bold=True)
    d.text(20, 132, "device", anchor="start", bold=True)
    d.box(100, 42, 90, 30, "launch", BLUE, 13)
    d.box(190, 42, 170, 30, "goes on: printf(...)", BLUE, 13)
    d.box(360, 42, 210, 30, "cudaDeviceSynchronize()", GRAY, 13)
    d.box(570, 42, 110, 30, "goes on", BLUE, 13)
    d.box(240, 112, 330, 30, "the kernel runs", GREEN, 13)
    d.arrow(188, 74, 238, 112)
    d.arrow(570, 112, 570, 75)
    d.text(465, 34, "waits", 12, color=SOFT)
    d.arrow(100, 165, 690, 165)
    d.text(395, 181, "time", 12, color=SOFT)
    return d


DRAWINGS = (host_and_device, launch_returns_at_once)
