// Adds two vectors on two cores of the CPU: one adds even elements, the other odd ones.
//
// Section 4.2.1 of the book, which leaves the threads to the reader. What to look at: each worker
// starts at its own number and steps by the number of workers. Chapter 5 uses the same loop on the
// device. Look at the times as well: starting a thread costs more than a thousand additions. For
// long vectors two cores can be slower than one, because they compete for every cache line. On a
// GPU, neighboring threads should use neighboring elements.
//
//   ./course run vector_add_two_cores --size 20000000

#include <thread>

#include "../common/program/timing.h"
#include "../common/lessons/vector_sums.h"

// The work of one worker, 0 to workers - 1.
void add(const int* a, const int* b, int* c, int n, int worker, int workers) {
  long long i = worker;  // an int could overflow after the last element
  while (i < n) {
    c[i] = a[i] + b[i];
    i += workers;
  }
}

// c = a + b on two cores; a, b and c hold n elements each.
void vector_add(const int* a, const int* b, int* c, int n) {
  std::thread second_core(add, a, b, c, n, 1, 2);
  add(a, b, c, n, 0, 2);
  second_core.join();
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  const int n = static_cast<int>(course::vector_size(
      argc, argv, "Adds two vectors on two cores of the CPU.", 10, 2147483647, false));
  course::VectorSums sums(n, -1);
  int* const c = sums.c.data();
  vector_add(sums.a.data(), sums.b.data(), c, n);
  if (const int wrong = sums.report()) return wrong;

  const double one_ms =
      course::measure_host_ms([&] { add(sums.a.data(), sums.b.data(), c, n, 0, 1); });
  const double two_ms =
      course::measure_host_ms([&] { vector_add(sums.a.data(), sums.b.data(), c, n); });
  printf("one core %.4f ms, two cores %.4f ms (this machine has %u)\n", one_ms, two_ms,
         std::thread::hardware_concurrency());
  return 0;
}
