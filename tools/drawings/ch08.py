"""The drawings of ch08_interop/README.md."""

from drawing import BLUE, DARK, GRAY, GREEN, ORANGE, RED, SOFT, Drawing


def shared_buffer(narrow):
    d = Drawing(narrow, "ch08_interop/images/shared_buffer.svg", (338, 574),
                "Through the host, a picture is copied twice. With a shared buffer, OpenGL draws from where the kernel wrote")
    d.text(20, 30, "until now: through the host", anchor="start", bold=True)
    if narrow:
        d.box(20, 48, 70, 40, "kernel", GREEN, 13)
        for k, (text, fill) in enumerate((("CUDA's memory", BLUE), ("host memory", GRAY), ("OpenGL's buffer", ORANGE))):
            d.box(120, 48 + 66 * k, 120, 40, text, fill, 13)
        d.arrow(90, 68, 118, 68)
        d.arrow(180, 88, 180, 112, DARK[RED], 2.5)
        d.arrow(180, 154, 180, 178, DARK[RED], 2.5)
        d.arrow(240, 200, 270, 200)
        d.text(300, 204, "screen", 12)
        d.text(192, 105, "copy over the bus", 12, anchor="start", color=DARK[RED])
        d.text(192, 171, "and back again", 12, anchor="start", color=DARK[RED])

        d.origin = (0, 112)
        d.text(20, 146, "shared: one buffer, two names", anchor="start", bold=True)
        d.box(20, 160, 90, 36, "kernel", GREEN, 13)
        d.arrow(65, 196, 65, 226)
        d.text(74, 215, "uchar4*", 12, anchor="start", mono=True)
        d.box(20, 228, 320, 92, fill=ORANGE, radius=8)
        d.text(180, 250, "the buffer, in the GPU's memory", 13, bold=True)
        d.text(34, 276, "OpenGL's name: GLuint buffer", 12, anchor="start", mono=True)
        d.text(34, 298, "CUDA's name:   cudaGraphicsResource*", 12, anchor="start", mono=True)
        d.arrow(65, 320, 65, 350)
        d.text(74, 339, "glDrawPixels", 12, anchor="start", mono=True)
        d.text(65, 366, "screen", 12)
        d.origin = (0, 226)
    else:
        for x, text, fill in ((20, "kernel", GREEN), (160, "CUDA's memory", BLUE),
                              (340, "host memory", GRAY), (510, "OpenGL's buffer", ORANGE)):
            d.box(x, 48, 90 if x == 20 else 120, 40, text, fill, 13)
        d.arrow(110, 68, 158, 68)
        d.arrow(280, 68, 338, 68, DARK[RED], 2.5)
        d.arrow(460, 68, 508, 68, DARK[RED], 2.5)
        d.arrow(630, 68, 660, 68)
        d.text(686, 73, "screen", 12)
        d.text(309, 106, "copy over the bus", 12, color=DARK[RED])
        d.text(484, 106, "and back again", 12, color=DARK[RED])

        d.text(20, 146, "shared: one buffer, two names", anchor="start", bold=True)
        d.box(20, 190, 90, 40, "kernel", GREEN, 13)
        d.box(200, 164, 310, 92, fill=ORANGE, radius=8)
        d.text(355, 186, "the buffer, in the GPU's memory", 13, bold=True)
        d.text(214, 212, "OpenGL's name:  GLuint buffer", 12, anchor="start", mono=True)
        d.text(214, 234, "CUDA's name:    cudaGraphicsResource*", 12, anchor="start", mono=True)
        d.arrow(110, 210, 198, 210)
        d.text(154, 202, "uchar4*", 12, mono=True)
        d.arrow(510, 210, 602, 210)
        d.text(556, 202, "glDrawPixels", 12, mono=True)
        d.text(630, 215, "screen", 12)

    x = 20
    for text, wide, thin, fill in (("map", 80, 44, BLUE), ("get the pointer", 130, 100, BLUE), ("kernel", 110, 62, GREEN),
                                   ("unmap", 80, 62, BLUE), ("draw", 110, 52, ORANGE)):
        d.box(x, 276, d.pick(wide, thin), 28, text, fill, 12)
        x += d.pick(wide, thin)
    d.text(*d.pick((x + 10, 295), (20, 268)), "every frame, in this order", 12, anchor="start", color=SOFT)
    words = "from map to unmap, the buffer belongs to CUDA;", "otherwise to OpenGL"
    if narrow:
        d.lines(20, 322, 16, words, 12, anchor="start", color=SOFT)
    else:
        d.text(20, 322, " ".join(words), 12, anchor="start", color=SOFT)
    return d


DRAWINGS = (shared_buffer,)
