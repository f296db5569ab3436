// Allocates and frees memory in stream order, with cudaMallocAsync and cudaFreeAsync.
//
// Today's version of stream_depth_first. cudaMalloc and cudaFree may wait for the whole device, so
// a program allocates all its buffers beforehand. cudaMallocAsync (CUDA 11.2, 2020) takes memory
// from a pool, and is queued like a copy. What to look at: each chunk has its own memory, from just
// before its first copy until just after its last. Memory freed in a stream is reused for the
// stream's next chunk, so two chunks' worth is enough. The memory is usable only between
// cudaMallocAsync and cudaFreeAsync, in stream order. Another stream that used it would have to
// wait for an event.
//
//   ./course run stream_malloc_async

#include "stream_program.h"

double average_with_a_pool(const int* a, const int* b, int* c, size_t n, size_t chunk, int rounds,
                           Timeline& timeline) {
  cudaStream_t stream[2];
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaStreamCreate(&stream[k]));

  course::Stopwatch watch;
  timeline.start({stream[0], stream[1]});
  int s = 0;
  for (size_t i = 0; i < n; i += chunk, s = 1 - s) {  // chunks alternate between the streams
    const size_t count = std::min(chunk, n - i), bytes = count * sizeof(int);
    int *dev_a, *dev_b, *dev_c;
    HANDLE_ERROR(cudaMallocAsync(&dev_a, bytes, stream[s]));
    HANDLE_ERROR(cudaMallocAsync(&dev_b, bytes, stream[s]));
    HANDLE_ERROR(cudaMallocAsync(&dev_c, bytes, stream[s]));
    HANDLE_ERROR(cudaMemcpyAsync(dev_a, a + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    timeline.mark(s, Work::kUp);
    HANDLE_ERROR(cudaMemcpyAsync(dev_b, b + i, bytes, cudaMemcpyHostToDevice, stream[s]));
    timeline.mark(s, Work::kUp);
    average<<<blocks_for(count), kGroup, 0, stream[s]>>>(dev_a, dev_b, dev_c, count, rounds);
    HANDLE_ERROR(cudaGetLastError());
    timeline.mark(s, Work::kKernel);
    HANDLE_ERROR(cudaMemcpyAsync(c + i, dev_c, bytes, cudaMemcpyDeviceToHost, stream[s]));
    timeline.mark(s, Work::kDown);
    for (int* memory : {dev_a, dev_b, dev_c}) HANDLE_ERROR(cudaFreeAsync(memory, stream[s]));
  }
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaStreamSynchronize(stream[k]));  // both streams
  const double elapsed_ms = watch.elapsed_ms();
  timeline.finish();
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaStreamDestroy(stream[k]));
  return elapsed_ms;
}

// ---- Checking and timing, not the lesson: see stream_program.h.

int main(int argc, char** argv) {
  return stream_program(argc, argv, "Chunks in two streams, each with memory from a pool.",
                        average_with_a_pool);
}
