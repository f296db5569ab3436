// Queues all work on a chunk before any work on the next one, in two streams: depth-first.
//
// The book's section 10.5. What to look at: two chunks are in flight at a time, each in a stream
// and with buffers of its own. On the book's GPU this gained nothing. That GPU had one queue for
// all copies. The second chunk's copy to the device waited there for the first chunk's copy to the
// host, which waited for the kernel. Since Hyper-Q (Kepler, 2012) streams have their own queues.
// Most of today's GPUs also have a copy engine for each direction. There, this order overlaps no
// less than that of stream_breadth_first. Compare their timelines.
//
//   ./course run stream_depth_first --save depth_first.svg

#include "stream_program.h"

double average_depth_first(const int* a, const int* b, int* c, size_t n, size_t chunk, int rounds,
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
  int s = 0;
  for (size_t i = 0; i < n; i += chunk, s = 1 - s) {  // chunks alternate between the streams
    const size_t count = std::min(chunk, n - i), bytes = count * sizeof(int);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a[s], a + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    timeline.mark(s, Work::kUp);
    HANDLE_ERROR(cudaMemcpyAsync(dev_b[s], b + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    timeline.mark(s, Work::kUp);
    average<<<blocks_for(count), kGroup, 0, stream[s]>>>(dev_a[s], dev_b[s], dev_c[s], count,
                                                         rounds);
    HANDLE_ERROR(cudaGetLastError());
    timeline.mark(s, Work::kKernel);
    HANDLE_ERROR(cudaMemcpyAsync(c + i, dev_c[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
    timeline.mark(s, Work::kDown);
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
  return stream_program(argc, argv, "Chunks in two streams, queued depth-first.",
                        average_depth_first);
}
