// Captures: the work of streams is written into a graph instead of running.
#pragma once

#include <functional>
#include <string>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

struct Capture;
struct Stream;

void write_into(Capture* capture, Stream* stream, Site site, std::function<cudaError_t()> run,
                bool is_kernel);
void capture_event(cudaEvent_t event, Stream* stream);
void forget_captured_event(cudaEvent_t event);
// True if the event was recorded in a capture, which the stream then joins.
bool wait_for_captured_event(cudaEvent_t event, Stream* stream);

// A call that is not allowed in a capture ends it: cudaErrorStreamCaptureUnsupported, and cudaStreamEndCapture() gives no graph.
cudaError_t refuse_in_capture(Stream* stream, Site site, const std::string& why, const char* remedy);

// cudaMallocAsync() and cudaFreeAsync() in a stream that is being captured (graph_memory.cpp).
cudaError_t capture_allocation(Stream* stream, void** pointer, size_t bytes, Site site);
void capture_free(Stream* stream, void* pointer, Site site);

}  // namespace cpu_device
