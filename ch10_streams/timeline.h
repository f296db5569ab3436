// A timeline of the work in each stream: measured with events, drawn in the terminal and as SVG.
//
//   Timeline timeline(true);
//   timeline.start({stream0, stream1});
//   cudaMemcpyAsync(..., stream0); timeline.mark(0, Work::kUp);
//   kernel<<<..., stream0>>>(...); timeline.mark(0, Work::kKernel);
//   ... wait for the streams ...
//   timeline.finish();
//   timeline.print();
//
// A bar goes from event to event: from the end of the previous operation in its stream to its own
// end. A copy also waits while its direction's copy engine works for another stream. No event shows
// that, so it is computed: that part of the bar is drawn thin. (Kernels may run at the same time.)
#pragma once

#include <stdio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/options.h"

enum class Work { kUp, kKernel, kDown };  // host to device, kernel, device to host

class Timeline {
 public:
  struct Operation {
    int stream;
    Work work;
    double begin_ms, end_ms;  // since start()
    double ready_ms = 0;      // its stream has reached it; it waits for its engine until begin_ms
  };

  // Without `enabled` nothing is recorded. Events cost a little, so the times that programs report
  // are measured without them.
  explicit Timeline(bool enabled = false) : enabled_(enabled) {}
  ~Timeline() { destroy_events(); }
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // The streams are idle now. From here on they are known by their numbers.
  void start(const std::vector<cudaStream_t>& streams) {
    if (!enabled_) return;
    streams_ = streams;
    HANDLE_ERROR(cudaEventCreate(&start_));
    HANDLE_ERROR(cudaEventRecord(start_, streams_.at(0)));
    HANDLE_ERROR(cudaEventSynchronize(start_));  // or another stream's work might end before it
  }

  // The operation that was just queued in this stream is `work`.
  void mark(int stream, Work work) {
    if (!enabled_) return;
    Mark mark = {stream, work, {}};
    HANDLE_ERROR(cudaEventCreate(&mark.end));
    HANDLE_ERROR(cudaEventRecord(mark.end, streams_.at(stream)));
    marks_.push_back(mark);
  }

  // All operations have ended: turns the events into times. The streams are no longer needed.
  void finish() {
    if (!enabled_) return;
    std::vector<Operation> ended;
    for (const Mark& mark : marks_) {
      float ms = 0;
      HANDLE_ERROR(cudaEventElapsedTime(&ms, start_, mark.end));
      ended.push_back({mark.stream, mark.work, 0, ms, 0});
    }
    destroy_events();
    set_operations(static_cast<int>(streams_.size()), ended);
  }

  // What finish() does with the times. Takes the operations in any order, with the end of each.
  void set_operations(int streams, const std::vector<Operation>& ended) {
    stream_count_ = streams;
    operations_ = ended;
    set_beginnings();
  }

  const std::vector<Operation>& operations() const { return operations_; }
  double elapsed_ms() const {
    double latest = 0;
    for (const Operation& operation : operations_) latest = std::max(latest, operation.end_ms);
    return latest;
  }

  // One row per stream and kind of work, `columns` wide.
  void print(int columns = 80) const {
    const double elapsed = elapsed_ms();
    if (elapsed <= 0) return;
    printf("%-18s 0 ms%*.2f ms\n", "timeline", columns - 7, elapsed);
    for (int stream = 0; stream < stream_count_; stream++)
      for (Work work : {Work::kUp, Work::kKernel, Work::kDown}) {
        std::string row(columns, '.');
        for (const Operation& operation : operations_) {
          if (operation.stream != stream || operation.work != work) continue;
          const int first = static_cast<int>(operation.begin_ms / elapsed * columns);
          const int last = static_cast<int>(operation.end_ms / elapsed * columns);
          for (int i = static_cast<int>(operation.ready_ms / elapsed * columns); i < first; i++)
            row[i] = ':';
          for (int i = first; i < columns && i <= std::max(first, last - 1); i++)
            row[i] = symbol(work);
        }
        printf("stream %d %-9s %s\n", stream, name(work), row.c_str());
      }
  }

  // The same as a picture, SVG, with a legend and dark colors on dark pages.
  std::string svg(const std::string& title) const {
    const int left = 130, width = 560, row_height = 24, top = 82;
    const int bottom = top + 3 * row_height * stream_count_, height = bottom + 40;
    const double elapsed = std::max(elapsed_ms(), 1e-6);
    const auto x_of = [=](double ms) { return left + ms / elapsed * width; };
    std::string text;
    const auto add = [&](const char* format, auto... values) {
      char line[400];
      snprintf(line, sizeof line, format, values...);
      text += line;
    };
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 %d\" width=\"720\" "
        "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
        height, height);
    text +=
        "<style>text { fill: #1f2328 } .page { fill: #fff; stroke: #8c959f } .tick { stroke: #ddd "
        "}\n"
        "@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .tick { stroke: #303943 }\n"
        "  .page { fill: #191f27; stroke: #57606a } }</style>\n";
    add("<rect class=\"page\" x=\"1\" y=\"1\" width=\"718\" height=\"%d\" rx=\"10\"/>\n",
        height - 2);
    add("<text x=\"20\" y=\"26\" font-size=\"14\" font-weight=\"bold\">%s</text>\n", title.c_str());
    int legend = 20;
    for (Work work : {Work::kUp, Work::kKernel, Work::kDown}) {
      add("<rect x=\"%d\" y=\"40\" width=\"14\" height=\"14\" fill=\"%s\"/>", legend, color(work));
      add("<text x=\"%d\" y=\"52\">%s</text>\n", legend + 20, label(work));
      legend += work == Work::kKernel ? 86 : 150;
    }
    add("<line x1=\"%d\" y1=\"47\" x2=\"%d\" y2=\"47\" stroke=\"%s\" stroke-width=\"3\"/>"
        "<text x=\"%d\" y=\"52\">waits for a copy engine (estimated)</text>\n",
        legend, legend + 14, "#999", legend + 20);
    const double step = tick_step(elapsed);
    for (int tick = 0; tick * step <= elapsed * 1.0001; tick++) {
      add("<line class=\"tick\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x_of(tick * step),
          top - 8, x_of(tick * step), bottom);
      add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x_of(tick * step),
          bottom + 18, tick * step);
    }
    add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">ms</text>\n", left - 8, bottom + 18);
    for (int stream = 0; stream < stream_count_; stream++)
      for (Work work : {Work::kUp, Work::kKernel, Work::kDown}) {
        const int y = top + (3 * stream + static_cast<int>(work)) * row_height;
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">stream %d %s</text>\n", left - 8, y + 14,
            stream, name(work));
        for (const Operation& operation : operations_)
          if (operation.stream == stream && operation.work == work) {
            const double x = x_of(operation.begin_ms), end = x_of(operation.end_ms);
            add("<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\">", x, y,
                std::max(2.0, end - x - 0.5), row_height - 6, color(work));
            add("<title>%.3f to %.3f ms</title></rect>\n", operation.begin_ms, operation.end_ms);
            if (operation.begin_ms > operation.ready_ms)
              add("<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"#999\" "
                  "stroke-width=\"3\"/>\n",
                  x_of(operation.ready_ms), y + 9, x, y + 9);
          }
      }
    return text + "</svg>\n";
  }

 private:
  struct Mark {
    int stream;
    Work work;
    cudaEvent_t end;
  };

  static const char* name(Work work) {
    return work == Work::kUp ? "to device" : work == Work::kKernel ? "kernel" : "to host";
  }
  static const char* label(Work work) {
    return work == Work::kUp       ? "copy to the device"
           : work == Work::kKernel ? "kernel"
                                   : "copy to the host";
  }
  // A round number of milliseconds, so that a time has 4 to 10 ticks: 1, 2 or 5 times a power of
  // ten.
  static double tick_step(double elapsed) {
    double power = 1e-9;
    while (power * 10 <= elapsed) power *= 10;
    return elapsed >= 5 * power ? power : elapsed >= 2 * power ? power / 2 : power / 5;
  }
  static char symbol(Work work) {
    return work == Work::kUp ? '>' : work == Work::kKernel ? '#' : '<';
  }
  static const char* color(Work work) {
    return work == Work::kUp ? "#3b7dd8" : work == Work::kKernel ? "#e07b39" : "#4a9e5c";
  }

  void destroy_events() {
    for (const Mark& mark : marks_) cudaEventDestroy(mark.end);
    if (start_ != nullptr) cudaEventDestroy(start_);
    marks_.clear();
    start_ = nullptr;
  }

  void set_beginnings() {
    std::vector<size_t> by_end(operations_.size());
    for (size_t i = 0; i < by_end.size(); i++) by_end[i] = i;
    std::stable_sort(by_end.begin(), by_end.end(), [this](size_t i, size_t j) {
      return operations_[i].end_ms < operations_[j].end_ms;
    });
    std::vector<double> stream_free(stream_count_, 0);
    double engine_free[3] = {};
    for (size_t i : by_end) {
      Operation& operation = operations_[i];
      double& engine = engine_free[static_cast<int>(operation.work)];
      double& stream = stream_free[operation.stream];
      operation.ready_ms = operation.begin_ms = stream;
      if (operation.work != Work::kKernel) operation.begin_ms = std::max(stream, engine);
      stream = engine = operation.end_ms;
    }
  }

  bool enabled_;
  std::vector<cudaStream_t> streams_;
  int stream_count_ = 0;
  cudaEvent_t start_ = nullptr;
  std::vector<Mark> marks_;
  std::vector<Operation> operations_;
};
