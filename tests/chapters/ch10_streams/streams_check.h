// What the tests of the stream programs share. Included after the program.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../harness/bad_input.h"
#include "../../harness/figures.h"
#include "../../harness/run_program.h"
#include "../../harness/watch_calls.h"

// c by definition: groups of 256 (the last may be shorter), each a ring.
inline std::vector<int> averaged(const std::vector<int>& a, const std::vector<int>& b, int rounds) {
  std::vector<int> c;
  for (size_t begin = 0; begin < a.size(); begin += 256) {
    const size_t size = std::min<size_t>(256, a.size() - begin);
    for (size_t i = 0; i < size; i++) {
      long long sum = 0;
      for (size_t k = i; k < i + 3; k++)
        sum += static_cast<long long>(a[begin + k % size]) + b[begin + k % size];
      unsigned int value = static_cast<unsigned int>(static_cast<int>(sum / 6));
      for (int round = 0; round < rounds; round++) value = value * 1664525u + 1013904223u;
      c.push_back(static_cast<int>(value));
    }
  }
  return c;
}

// `streams` is how many the program has, of which chunks use one after the other.
inline void check_averages(const Run& run, int streams) {
  for (size_t n : {0, 1, 2, 3, 255, 256, 257, 1000, 5003})
    for (size_t chunk : {256, 512, 1024, 8192}) {
      PinnedMemory<int> a(n), b(n), c(n);
      fill_randomly(a.get(), n, 1);
      fill_randomly(b.get(), n, 2);
      std::fill(c.get(), c.get() + n, -1);
      Timeline timeline(true);
      course::watched().clear();
      const course::Stopwatch watch;
      const double elapsed_ms =
          run(a.get(), b.get(), c.get(), n, chunk, static_cast<int>(n % 3), timeline);
      CHECK(elapsed_ms > 0);
      CHECK(elapsed_ms <= watch.elapsed_ms());
      CHECK(timeline.elapsed_ms() <= 1.01 * elapsed_ms + 0.01);
      const std::vector<int> expected =
          averaged(std::vector<int>(a.get(), a.get() + n), std::vector<int>(b.get(), b.get() + n),
                   static_cast<int>(n % 3));
      CHECK_MESSAGE(std::vector<int>(c.get(), c.get() + n) == expected, n, chunk);

      // Four operations per chunk, and never two at a time in a stream.
      const size_t chunks = (n + chunk - 1) / chunk;
      CHECK(timeline.operations().size() == 4 * chunks);
      std::map<int, double> stream_end;
      std::map<int, std::map<Work, size_t>> count;
      for (const Timeline::Operation& operation : timeline.operations()) {
        CHECK(operation.begin_ms >= stream_end[operation.stream]);
        CHECK(operation.end_ms >= operation.begin_ms);
        stream_end[operation.stream] = operation.end_ms;
        count[operation.stream][operation.work]++;
      }
      // Two copies to the device, a kernel, a copy to the host for each; one after the other on all
      // streams. And that is what was called, too.
      std::map<cudaStream_t, std::map<cudaMemcpyKind, size_t>> copies;
      for (const course::WatchedCopy& copy : course::watched().copies) {
        CHECK(copy.pinned);
        CHECK(copy.stream != nullptr);
        copies[copy.stream][copy.kind]++;
      }
      std::multiset<std::pair<size_t, size_t>> expected_copies, got_copies;
      for (int stream = 0; stream < streams; stream++) {
        const size_t own = (chunks + streams - 1 - stream) / streams;
        CHECK(count[stream][Work::kUp] == 2 * own);
        CHECK(count[stream][Work::kKernel] == own);
        CHECK(count[stream][Work::kDown] == own);
        if (own > 0) expected_copies.insert({2 * own, own});
      }
      for (auto& [stream, kinds] : copies)
        got_copies.insert({kinds[cudaMemcpyHostToDevice], kinds[cudaMemcpyDeviceToHost]});
      CHECK(got_copies == expected_copies);
    }
  // Pageable memory makes the copies wait, and changes nothing else.
  std::vector<int> a(3000), b(3000), c(3000, -1);
  fill_randomly(a.data(), a.size(), 3);
  fill_randomly(b.data(), b.size(), 4);
  Timeline timeline;
  run(a.data(), b.data(), c.data(), a.size(), 512, 0, timeline);
  CHECK(c == averaged(a, b, 0));
  CHECK(timeline.operations().empty());
}

inline size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

// The timeline of given times: when each operation began, and how that is drawn.
inline void check_timeline() {
  Timeline timeline;
  // Two chunks, each in a stream of its own; the second waits for the engine that copies up.
  timeline.set_operations(2, {{0, Work::kUp, 0, 1},
                              {0, Work::kKernel, 0, 3},
                              {0, Work::kDown, 0, 4},
                              {1, Work::kUp, 0, 2.5},
                              {1, Work::kKernel, 0, 3.5},
                              {1, Work::kDown, 0, 8}});
  const double begins[] = {0, 1, 3, 1, 2.5, 4};
  REQUIRE(timeline.operations().size() == 6);
  for (int i = 0; i < 6; i++) CHECK(timeline.operations()[i].begin_ms == begins[i]);
  CHECK(timeline.elapsed_ms() == 8);
  Timeline backwards;
  backwards.set_operations(1, {{0, Work::kDown, 0, 8}, {0, Work::kUp, 0, 1}});
  CHECK(backwards.elapsed_ms() == 8);
  const std::string rows = course::written_to(stdout, [&] { timeline.print(8); });
  CHECK_MESSAGE(rows.substr(rows.find('\n') + 1) ==
                    "stream 0 to device >.......\n"
                    "stream 0 kernel    .##.....\n"
                    "stream 0 to host   ...<....\n"
                    "stream 1 to device :>......\n"
                    "stream 1 kernel    ..#.....\n"
                    "stream 1 to host   ...:<<<<\n",
                rows);

  // 560 pixels for 8 ms, from 130 on; three rows of 24 for each stream, from 82 on.
  const std::string svg = timeline.svg("two chunks");
  const struct {
    double x;
    int y;
    double width;
    const char *color, *label;
  } bars[] = {{130, 82, 69.5, "#3b7dd8", "stream 0 to device"},
              {200, 106, 139.5, "#e07b39", "stream 0 kernel"},
              {340, 130, 69.5, "#4a9e5c", "stream 0 to host"},
              {200, 154, 104.5, "#3b7dd8", "stream 1 to device"},
              {305, 178, 69.5, "#e07b39", "stream 1 kernel"},
              {410, 202, 279.5, "#4a9e5c", "stream 1 to host"}};
  for (const auto& bar : bars) {
    char rectangle[200], label[200];
    snprintf(rectangle, sizeof rectangle,
             "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"18\" fill=\"%s\">", bar.x, bar.y,
             bar.width, bar.color);
    snprintf(label, sizeof label, "y=\"%d\" text-anchor=\"end\">%s</text>", bar.y + 14, bar.label);
    CHECK_MESSAGE(course::contains(svg, rectangle), rectangle);
    CHECK_MESSAGE(course::contains(svg, label), label);
  }
  CHECK(course::contains(svg, ">two chunks</text>"));
  for (const char* label :
       {"copy to the device", "kernel", "copy to the host", "waits for a copy engine (estimated)"})
    CHECK(occurrences(svg, std::string(">") + label + "</text>") == 1);  // the legend
  CHECK(course::contains(svg, "<title>4.000 to 8.000 ms</title>"));
  // The second chunk's copies wait for their engines: from 0 to 1 ms, and from 3.5 to 4.
  CHECK(occurrences(svg, "stroke=\"#999\"") == 2 + 1);  // and the legend's
  CHECK(course::contains(svg, "<line x1=\"130.00\" y1=\"163\" x2=\"200.00\" y2=\"163\""));
  CHECK(course::contains(svg, "<line x1=\"375.00\" y1=\"211\" x2=\"410.00\" y2=\"211\""));

  // The ticks are at round times, whatever the whole time is.
  const struct {
    double ms;
    int ticks;
    const char *second, *last;
  } axes[] = {{8, 9, "1", "8"},         {4.35, 9, "0.5", "4"},
              {3.49, 7, "0.5", "3"},    {2, 5, "0.5", "2"},
              {1.99, 10, "0.2", "1.8"}, {1, 6, "0.2", "1"},
              {0.73, 8, "0.1", "0.7"},  {15.64, 8, "2", "14"},
              {62, 7, "10", "60"},      {0.0499, 10, "0.005", "0.045"}};
  for (const auto& axis : axes) {
    Timeline timeline_of_one;
    timeline_of_one.set_operations(1, {{0, Work::kUp, 0, axis.ms}});
    const std::string picture = timeline_of_one.svg("one");
    CHECK_MESSAGE(occurrences(picture, "text-anchor=\"middle\"") == size_t(axis.ticks), picture);
    char second[60], last[60];
    const double second_at = 130 + 560 * atof(axis.second) / axis.ms,
                 last_at = 130 + 560 * atof(axis.last) / axis.ms;
    snprintf(second, sizeof second, "x=\"%.1f\" y=\"172\" text-anchor=\"middle\">%s</text>",
             second_at, axis.second);
    snprintf(last, sizeof last,
             "x=\"%.1f\" y=\"172\" text-anchor=\"middle\">%s</text>\n<text x=\"122\"", last_at,
             axis.last);
    CHECK_MESSAGE(course::contains(picture, second), second);
    CHECK_MESSAGE(course::contains(picture, last), last);
  }
}

inline void check_stream_program() {
  check_timeline();
  for (const char* size : {"0", "1", "257", "100000"}) {
    const course::RunResult result = course::run_program({"--size", size, "--chunk", "256"});
    CHECK(result.exit_code == 0);
    CHECK_MESSAGE(course::contains(result.out, "all verified"), result.out);
    CHECK(result.err == "");
  }
  // The picture has a bar for each operation, three in the legend, and a background.
  course::TemporaryFolder folder;
  const course::RunResult result =
      course::run_program({"--size", "5000", "--chunk", "1024", "--save", folder.file("t.svg")});
  CHECK(result.exit_code == 0);
  const std::string svg = course::read_file(folder.file("t.svg"));
  CHECK(svg.rfind("<svg", 0) == 0);
  CHECK(occurrences(svg, "<rect") == 4 * 5 + 3 + 1);
  CHECK(occurrences(svg, "<title>") == occurrences(svg, "</title>"));
  CHECK(occurrences(svg, "#3b7dd8") == 2 * 5 + 1);  // to the device
  CHECK(occurrences(svg, "#e07b39") == 5 + 1);      // kernels
  CHECK(occurrences(svg, "#4a9e5c") == 5 + 1);      // to the host

  // Its figures: 8 bytes per element go to the device, 4 to the host.
  const course::RunResult timed = course::run_program({"--size", "1000000", "--chunk", "262144"});
  using course::is_quotient;
  using course::printed_after;
  INFO(timed.out);
  const course::Printed all = printed_after(timed.out, "\nall "),
                        up = printed_after(timed.out, "alone: to the device "),
                        down = printed_after(timed.out, "to the host ");
  const std::string in_up = timed.out.substr(timed.out.find("alone: to the device ")),
                    in_down = timed.out.substr(timed.out.find("to the host "));
  CHECK(is_quotient(printed_after(in_up, " ms ("), 8, {1, 1}, up));
  CHECK(is_quotient(printed_after(in_down, " ms ("), 4, {1, 1}, down));
  const course::Printed longer = up.low > down.low ? up : down;
  CHECK(is_quotient(printed_after(timed.out, "GB/s)\n"), 1, all, longer));
  CHECK(is_quotient(printed_after(timed.out, "of the two, "), 1, all,
                    {up.low + down.low, up.high + down.high}));

  course::check_refused({"--size", "-1"}, "--size must be");
  course::check_refused({"--chunk", "257"}, "--chunk must be a multiple of 256");
  course::check_refused({"--chunk", "0"}, "--chunk must be a whole number");
  course::check_refused({"--rounds", "-2"}, "--rounds must be");
  const course::RunResult chosen =
      course::run_program({"--size", "1000", "--chunk", "256", "--rounds", "5"});
  CHECK_MESSAGE(course::contains(chosen.out, "with 5 rounds of work per element"), chosen.out);
  course::check_refused({"--save", "timeline.png"}, "ends in .svg");
  course::check_refused({"--save", "no/such/folder/timeline.svg"}, "cannot write");
}
