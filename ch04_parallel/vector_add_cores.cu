// Adds two vectors on the CPU: with one thread, with all cores, and with all cores and SIMD.
//
// Not in the book. Unlike in vector_add_two_cores, each core has a contiguous piece, so no two
// cores write to the same cache line. What to look at: vectors that do not fit into a cache are
// memory-bound. A few cores keep the memory busy, and SIMD (eight or sixteen sums per instruction)
// gains nothing more. A GPU is faster here because of its memory, not because of its arithmetic.
//
//   ./course run vector_add_cores --size 200000000

#include <string>

#include "../common/program/cpu_baseline.h"
#include "../common/program/timing.h"
#include "../common/lessons/vector_sums.h"

// The usual loop.
void add_by_one_thread(const int* a, const int* b, int* c, long long n) {
  for (long long i = 0; i < n; i++) c[i] = a[i] + b[i];
}

// A contiguous piece for each core.
void add_by_all_cores(const int* a, const int* b, int* c, long long n) {
#pragma omp parallel for schedule(static)
  for (long long i = 0; i < n; i++) c[i] = a[i] + b[i];
}

// And in each piece as many sums at a time as a vector register holds.
void add_with_simd(const int* a, const int* b, int* c, long long n) {
#pragma omp parallel for simd schedule(static)
  for (long long i = 0; i < n; i++) c[i] = a[i] + b[i];
}
// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  const size_t n = course::vector_size(argc, argv, "Adds two vectors with all cores of the CPU.",
                                       1000000, 2147483647, false);
  course::VectorSums sums(n);
  const struct {
    std::string name;
    void (*add)(const int* a, const int* b, int* c, long long n);
  } ways[] = {{"one thread", add_by_one_thread},
              {course::cores_in_words(), add_by_all_cores},
              {course::cores_in_words() + ", SIMD", add_with_simd}};
  for (const auto& way : ways) {
    sums.c.assign(n, 0);
    way.add(sums.a.data(), sums.b.data(), sums.c.data(), n);
    if (!course::verify_sums(sums.c.data(), n)) return course::kExitWrong;
  }
  printf("%s, all verified\n", course::count_of(n, "sum").c_str());
  for (const auto& way : ways) {
    const double ms =
        course::measure_host_ms([&] { way.add(sums.a.data(), sums.b.data(), sums.c.data(), n); });
    printf("%-28s %10.3f ms, %.2f GB/s\n", way.name.c_str(), ms, course::billions_per_second(12.0 * n, ms));
  }
  printf("%s", course::cores_hint().c_str());
  return 0;
}
