// Copies, computes and copies back chunk by chunk in one stream: nothing overlaps yet.
//
// The book's section 10.4. What to look at: with pinned memory, cudaMemcpyAsync only queues a copy
// and returns immediately, as a kernel launch does. A stream performs its work in the order in
// which it was queued. So the operations on a chunk need no further synchronization, and one call
// at the end waits for all of them. The timeline shows that only one of the device's engines is
// busy at any time.
//
//   ./course run stream_single --save single.svg

#include "stream_program.h"

double average_in_one_stream(const int* a, const int* b, int* c, size_t n, size_t chunk, int rounds,
                             Timeline& timeline) {
  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  int *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, chunk * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_b, chunk * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_c, chunk * sizeof(int)));

  course::Stopwatch watch;
  timeline.start({stream});
  for (size_t i = 0; i < n; i += chunk) {
    const size_t count = std::min(chunk, n - i), bytes = count * sizeof(int);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a, a + i, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(0, Work::kUp);
    HANDLE_ERROR(cudaMemcpyAsync(dev_b, b + i, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(0, Work::kUp);
    average<<<blocks_for(count), kGroup, 0, stream>>>(dev_a, dev_b, dev_c, count, rounds);
    HANDLE_ERROR(cudaGetLastError());
    timeline.mark(0, Work::kKernel);
    HANDLE_ERROR(cudaMemcpyAsync(c + i, dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    timeline.mark(0, Work::kDown);
  }
  HANDLE_ERROR(cudaStreamSynchronize(stream));  // before this, c is not valid
  const double elapsed_ms = watch.elapsed_ms();
  timeline.finish();

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  return elapsed_ms;
}

// ---- Checking and timing, not the lesson: see stream_program.h.

int main(int argc, char** argv) {
  return stream_program(argc, argv, "Chunks in one stream, one operation after the other.",
                        average_in_one_stream);
}
