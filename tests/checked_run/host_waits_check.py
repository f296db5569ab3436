#!/usr/bin/env python3
"""When the host may read what a kernel has written to pinned memory: random programs of streams, events and waits, against
a model.

    tests/checked_run/host_waits_check.py NVCC FOLDER

The program reads its steps from a file. Before each read of a piece, the model knows whether the last kernel that wrote it
comes before, by what the host has waited for: a stream, an event of now or of earlier, the device. Where it does, a
checked run must have no finding; where it does not, it must name the kernel.
"""

import os
import random
import subprocess
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

STREAMS, EVENTS, PIECES = 3, 4, 4
PROGRAM = """\
#include <cstdio>
__global__ void write(int* piece, int value) { *piece = value; }
int main(int, char** arguments) {
  FILE* steps = fopen(arguments[1], "r");
  cudaStream_t streams[3];
  cudaEvent_t events[4];
  int *pieces, sum = 0, a, b;
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (cudaEvent_t& event : events) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaMallocHost(&pieces, 4 * 64 * sizeof(int));
  for (int i = 0; i < 4 * 64; i++) pieces[i] = 0;
  char step;
  while (fscanf(steps, " %c %d %d", &step, &a, &b) == 3) switch (step) {
      case 'k': write<<<1, 1, 0, streams[a]>>>(pieces + 64 * b, 1); break;
      case 'r': cudaEventRecord(events[b], streams[a]); break;
      case 'w': cudaStreamWaitEvent(streams[a], events[b], 0); break;
      case 's': cudaStreamSynchronize(streams[a]); break;
      case 'e': cudaEventSynchronize(events[b]); break;
      case 'd': cudaDeviceSynchronize(); break;
      default: sum += pieces[64 * b];
    }
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  for (cudaEvent_t event : events) cudaEventDestroy(event);
  cudaFreeHost(pieces), fclose(steps);
  return sum < 0;
}
"""


class Model:
    """Clocks: of each stream how many of its steps are over, as a stream, an event or the host knows it."""

    def __init__(self):
        self.streams = [[0] * STREAMS for _ in range(STREAMS)]
        self.events = [None] * EVENTS
        self.host = [0] * STREAMS
        self.written = [None] * PIECES  # stream and step of the kernel that wrote it last

    @staticmethod
    def join(into, other):
        into[:] = map(max, into, other)

    def launch(self, stream):
        """A step of the stream: it comes after all that the host has done, and so after what the host has waited for."""
        self.join(self.streams[stream], self.host)
        self.streams[stream][stream] += 1

    def do(self, step, stream, piece):
        if step == "k":
            self.launch(stream)
            self.written[piece] = stream, self.streams[stream][stream]
        elif step == "r":
            self.launch(stream)
            self.events[piece] = list(self.streams[stream])
        elif step == "w":
            self.join(self.streams[stream], self.events[piece])
        elif step == "s":
            self.join(self.host, self.streams[stream])
        elif step == "e":
            self.join(self.host, self.events[piece])
        elif step == "d":
            for clock in self.streams:
                self.join(self.host, clock)

    def may_write(self, stream, piece):
        """Whether a kernel of the stream comes after the one that wrote it last: otherwise the two race."""
        if not self.written[piece]:
            return True
        by, step = self.written[piece]
        return max(self.streams[stream][by], self.host[by]) >= step

    def may_read(self, piece):
        if not self.written[piece]:
            return True
        stream, step = self.written[piece]
        return self.host[stream] >= step


def steps(rng, ends_wrong):
    """Random steps that are all right, but for the last one if it `ends_wrong`."""
    model, done = Model(), []
    for _ in range(rng.randrange(8, 40)):
        step = rng.choice("kkkkrrrrwsseeeeeedRRRR")
        stream, other = rng.randrange(STREAMS), rng.randrange(EVENTS)
        if (step == "k" and not model.may_write(stream, other) or step == "R" and not model.may_read(other) or
                step in "we" and not model.events[other]):
            continue
        model.do(step, stream, other)
        done.append((step, stream, other))
    if ends_wrong:
        wrong = [piece for piece in range(PIECES) if not model.may_read(piece)]
        if not wrong:
            stream, piece = rng.randrange(STREAMS), rng.randrange(PIECES)
            if not model.may_write(stream, piece):
                return steps(rng, ends_wrong)
            model.do("k", stream, piece)
            done.append(("k", stream, piece))
            wrong = [piece]
        done.append(("R", 0, rng.choice(wrong)))
    return done


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    (folder / "waits.cu").write_text(PROGRAM)
    subprocess.run([nvcc, "--check", folder / "waits.cu", "-o", folder / "waits"], check=True)
    rng = random.Random(4)
    for number in range(90):
        ends_wrong = number % 3 == 0
        done = steps(rng, ends_wrong)
        text = "\n".join(f"{step} {stream} {other}" for step, stream, other in done)
        (folder / "steps").write_text(text + "\n")
        ran = subprocess.run([folder / "waits", folder / "steps"], env={**os.environ, "CPU_DEVICE_THREADS": "1"},
                             capture_output=True, text=True, timeout=60, check=False)
        if ends_wrong:
            check(f"program {number}: the last read comes too early", "kernel write" in ran.stderr and ran.returncode != 0, text + ran.stderr)
        else:
            check(f"program {number}: each read comes late enough", "checked run: no findings" in ran.stderr and ran.returncode == 0, text + ran.stderr)
    finish()


if __name__ == "__main__":
    main()
