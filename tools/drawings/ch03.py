"""The drawings of ch03_intro/README.md."""

from drawing import BLUE, GRAY, GREEN, ORANGE, SOFT, Drawing


def host_and_device():
    d = Drawing("ch03_intro/images/host_and_device.svg", 720, 250,
                "The host with its memory, the device with its own, and what goes between them")
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
    d.text(360, 198, "the only way back", 12, color=SOFT)
    return d


def launch_returns_at_once():
    d = Drawing("ch03_intro/images/launch_returns_at_once.svg", 720, 190,
                "Time runs to the right: the host goes on while the kernel runs, until it waits")
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
