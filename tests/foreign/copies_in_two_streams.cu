// Random copies and fills in two streams, of neighboring and of overlapping parts of arrays. The CPU device prints a
// note exactly where one writes what another accesses in no defined order. The model knows of each stream how far the
// other one was when it last waited for it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

struct Part {
  int array, low, high;  // array 0: device, 1: host
  bool written;
};
struct Work {
  int stream, number;  // its place in the stream
  std::vector<Part> parts;
};
bool touch(const Work &one, const Work &other) {
  for (const Part &a : one.parts)
    for (const Part &b : other.parts) {
      if (a.array != b.array || (!a.written && !b.written)) continue;
      for (int i = a.low; i < a.high; i++)
        if (i >= b.low && i < b.high) return true;
    }
  return false;
}

std::string text_after(FILE *file, long *from) {
  fflush(stderr);
  fseek(file, 0, SEEK_END);
  const long end = ftell(file);
  std::string text(size_t(end - *from), ' ');
  fseek(file, *from, SEEK_SET);
  if (fread(&text[0], 1, text.size(), file) != text.size()) return "unreadable";
  *from = end;
  return text;
}

int main() {
  constexpr int kCount = 24;
  std::mt19937 random(33);
  int *arrays[2];
  cudaMalloc(&arrays[0], kCount * sizeof(int));
  cudaMallocHost(&arrays[1], kCount * sizeof(int));
  cudaStream_t streams[2];
  cudaEvent_t event;
  for (cudaStream_t &stream : streams) cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  FILE *notes = tmpfile();
  const int before = dup(2);
  dup2(fileno(notes), 2);
  long from = 0;
  int wrong = 0, noted = 0, quiet = 0;
  for (int round = 0; round < 400; round++) {
    std::vector<Work> all;
    int count[2] = {0, 0}, seen[2] = {0, 0};  // seen[s]: how many of the other stream are done before what comes in s
    for (int step = 0; step < 5; step++) {
      const int s = random() % 2;
      if (random() % 5 == 0) {
        cudaEventRecord(event, streams[1 - s]);
        cudaStreamWaitEvent(streams[s], event, 0);
        seen[s] = count[1 - s];
        continue;
      }
      const int length = 1 + random() % 6, a = random() % (kCount - length + 1);
      int b = a;
      const int kind = random() % 6;
      while (kind == 2 && std::abs(a - b) < length) b = random() % (kCount - length + 1);
      const size_t bytes = length * sizeof(int);
      // Of two dimensions: rows of `width` elements, `pitch` apart.
      const int width = 1 + random() % 3, rows = 1 + random() % 3, pitch = width + random() % 3;
      const int whole = rows == 1 ? width : pitch * rows, from_row = random() % (kCount - whole + 1),
                to_row = random() % (kCount - whole + 1);
      Work work{s, count[s]++, {}};
      switch (kind) {
        case 0:
          cudaMemcpyAsync(arrays[0] + a, arrays[1] + b, bytes, cudaMemcpyHostToDevice, streams[s]);
          work.parts = {{0, a, a + length, true}, {1, b, b + length, false}};
          break;
        case 1:
          cudaMemcpyAsync(arrays[1] + a, arrays[0] + b, bytes, cudaMemcpyDeviceToHost, streams[s]);
          work.parts = {{1, a, a + length, true}, {0, b, b + length, false}};
          break;
        case 2:
          cudaMemcpyAsync(arrays[0] + a, arrays[0] + b, bytes, cudaMemcpyDeviceToDevice, streams[s]);
          work.parts = {{0, a, a + length, true}, {0, b, b + length, false}};
          break;
        case 3:
          cudaMemsetAsync(arrays[0] + a, 1, bytes, streams[s]);
          work.parts = {{0, a, a + length, true}};
          break;
        case 4:
          cudaMemset2DAsync(arrays[0] + to_row, pitch * sizeof(int), 2, width * sizeof(int), rows, streams[s]);
          for (int row = 0; row < rows; row++)
            work.parts.push_back({0, to_row + row * pitch, to_row + row * pitch + width, true});
          break;
        case 5:
          cudaMemcpy2DAsync(arrays[0] + to_row, pitch * sizeof(int), arrays[1] + from_row, pitch * sizeof(int),
                            width * sizeof(int), rows, cudaMemcpyHostToDevice, streams[s]);
          for (int row = 0; row < rows; row++) {
            work.parts.push_back({0, to_row + row * pitch, to_row + row * pitch + width, true});
            work.parts.push_back({1, from_row + row * pitch, from_row + row * pitch + width, false});
          }
          break;
      }
      const bool expected = std::any_of(all.begin(), all.end(), [&](const Work &other) {
        return other.stream != s && other.number >= seen[s] && touch(work, other);
      });
      const std::string text = text_after(notes, &from);
#ifdef __CPU_DEVICE__
      const bool found = text.find("access the same memory in no defined order") != text.npos;
      if (found != expected) {
        if (wrong++ < 5)
          printf("round %d, step %d, kind %d at %d from %d, %d long: %s\n", round, step, kind, a, b, length,
                 found ? "a note" : "no note");
      }
#endif
      (expected ? noted : quiet)++;
      all.push_back(work);
    }
    cudaDeviceSynchronize();
  }
  dup2(before, 2);
  printf("%d wrong, %d with a note, %d without\n", wrong, noted, quiet);
  return wrong != 0 || noted < 100 || quiet < 100;
}
