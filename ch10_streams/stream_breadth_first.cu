// Queues each operation for two chunks, in two streams, before the next operation: breadth-first.
//
// The book's section 10.7. What to look at: the same calls as in the depth-first program, in a
// different order. On the book's GPU, with one queue for all copies, this order was the remedy (61
// ms became 48 ms): the second chunk's copies to the device no longer wait for the first chunk's
// kernel. Compare the total with the copies to the device, the kernels, and the copies back. It
// cannot be shorter than the longest of these.
//
//   ./course run stream_breadth_first --save breadth_first.svg

#include "stream_program.h"

double average_breadth_first(const int* a, const int* b, int* c, size_t n, size_t chunk, int rounds,
                             Timeline& timeline) {
  cudaStream_t stream[2];
  int *dev_a[2], *dev_b[2], *dev_c[2];
  for (int s = 0; s < 2; s++) {
    HANDLE_ERROR(cudaStreamCreate(&stream[s]));
    HANDLE_ERROR(cudaMalloc(&dev_a[s], chunk * sizeof(int)));
    HANDLE_ERROR(cudaMalloc(&dev_b[s], chunk * sizeof(int)));
    HANDLE_ERROR(cudaMalloc(&dev_c[s], chunk * sizeof(int)));
  }

  course::Stopwatch watch;
  timeline.start({stream[0], stream[1]});
  for (size_t i = 0; i < n; i += 2 * chunk) {  // two chunks at a time, the second may be missing
    size_t begin[2], count[2];
    for (int s = 0; s < 2; s++) {
      begin[s] = std::min(n, i + s * chunk);
      count[s] = std::min(chunk, n - begin[s]);
    }
    for (int s = 0; s < 2 && count[s] > 0; s++) {
      HANDLE_ERROR(cudaMemcpyAsync(dev_a[s], a + begin[s], count[s] * sizeof(int),
                                   cudaMemcpyHostToDevice, stream[s]));
      timeline.mark(s, Work::kUp);
    }
    for (int s = 0; s < 2 && count[s] > 0; s++) {
      HANDLE_ERROR(cudaMemcpyAsync(dev_b[s], b + begin[s], count[s] * sizeof(int),
                                   cudaMemcpyHostToDevice, stream[s]));
      timeline.mark(s, Work::kUp);
    }
    for (int s = 0; s < 2 && count[s] > 0; s++) {
      average<<<blocks_for(count[s]), kGroup, 0, stream[s]>>>(dev_a[s], dev_b[s], dev_c[s],
                                                              count[s], rounds);
      HANDLE_ERROR(cudaGetLastError());
      timeline.mark(s, Work::kKernel);
    }
    for (int s = 0; s < 2 && count[s] > 0; s++) {
      HANDLE_ERROR(cudaMemcpyAsync(c + begin[s], dev_c[s], count[s] * sizeof(int),
                                   cudaMemcpyDeviceToHost, stream[s]));
      timeline.mark(s, Work::kDown);
    }
  }
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaStreamSynchronize(stream[k]));  // both streams
  const double elapsed_ms = watch.elapsed_ms();
  timeline.finish();

  for (int k = 0; k < 2; k++) {
    HANDLE_ERROR(cudaFree(dev_a[k]));
    HANDLE_ERROR(cudaFree(dev_b[k]));
    HANDLE_ERROR(cudaFree(dev_c[k]));
    HANDLE_ERROR(cudaStreamDestroy(stream[k]));
  }
  return elapsed_ms;
}

// ---- Checking and timing, not the lesson: see stream_program.h.

int main(int argc, char** argv) {
  return stream_program(argc, argv, "Chunks in two streams, queued breadth-first.",
                        average_breadth_first);
}
