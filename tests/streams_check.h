// What the tests of the stream programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "bad_input.h"
#include "run_program.h"

// c by definition: groups of 256 (the last may be shorter), each a ring.
inline std::vector<int> averaged(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> c;
  for (size_t begin = 0; begin < a.size(); begin += 256) {
    const size_t size = std::min<size_t>(256, a.size() - begin);
    for (size_t i = 0; i < size; i++) {
      long long sum = 0;
      for (size_t k = i; k < i + 3; k++)
        sum += static_cast<long long>(a[begin + k % size]) + b[begin + k % size];
      c.push_back(static_cast<int>(sum / 6));
    }
  }
  return c;
}

inline void check_averages(const Run& run) {
  for (size_t n : {0, 1, 2, 3, 255, 256, 257, 1000, 5003})
    for (size_t chunk : {256, 512, 1024, 8192}) {
      PinnedInts a(n), b(n), c(n);
      fill_randomly(a.get(), n, 1);
      fill_randomly(b.get(), n, 2);
      std::fill(c.get(), c.get() + n, -1);
      Timeline timeline(true);
      CHECK(run(a.get(), b.get(), c.get(), n, chunk, timeline) >= 0);
      const std::vector<int> expected =
          averaged(std::vector<int>(a.get(), a.get() + n), std::vector<int>(b.get(), b.get() + n));
      CHECK_MESSAGE(std::vector<int>(c.get(), c.get() + n) == expected, n, chunk);

      // Four operations per chunk, and never two at a time in a stream.
      const size_t chunks = (n + chunk - 1) / chunk;
      CHECK(timeline.operations().size() == 4 * chunks);
      std::map<int, double> stream_end;
      for (const Timeline::Operation& operation : timeline.operations()) {
        CHECK(operation.begin_ms >= stream_end[operation.stream]);
        CHECK(operation.end_ms >= operation.begin_ms);
        stream_end[operation.stream] = operation.end_ms;
      }
    }
  // Pageable memory makes the copies wait, and changes nothing else.
  std::vector<int> a(3000), b(3000), c(3000, -1);
  fill_randomly(a.data(), a.size(), 3);
  fill_randomly(b.data(), b.size(), 4);
  Timeline timeline;
  run(a.data(), b.data(), c.data(), a.size(), 512, timeline);
  CHECK(c == averaged(a, b));
  CHECK(timeline.operations().empty());
}

inline size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

inline void check_stream_program() {
  for (const char* size : {"0", "1", "257", "100000"}) {
    const course::RunResult result = course::run_program({"--size", size, "--chunk", "256"});
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, "all verified"), result.out);
    CHECK(result.err == "");
  }
  // The picture has a bar for each operation, and a background.
  course::TemporaryFolder folder;
  const course::RunResult result =
      course::run_program({"--size", "5000", "--chunk", "1024", "--save", folder.file("t.svg")});
  CHECK(result.exit_code == 0);
  const std::string svg = course::read_file(folder.file("t.svg"));
  CHECK(svg.rfind("<svg", 0) == 0);
  CHECK(occurrences(svg, "<rect") == 4 * 5 + 1);
  CHECK(occurrences(svg, "<title>") == occurrences(svg, "</title>"));

  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--chunk", "257"}, "--chunk must be a multiple of 256");
  course::check_refused({"--chunk", "0"}, "--chunk must be a whole number");
  course::check_refused({"--save", "timeline.png"}, "ends in .svg");
  course::check_refused({"--save", "no/such/folder/timeline.svg"}, "cannot write");
}
