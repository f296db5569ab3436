// Adds two vectors on two cores of the CPU: one core for even, one for odd elements.
//
// The book's section 4.2.1, which leaves the threads to the reader. What to look at: each worker
// starts at its own number and steps by the number of workers. With blocks for workers this is the
// loop of the coming chapters. And the times: starting a thread costs more than a thousand
// additions, and for long vectors two cores can even be slower than one. Neighbors in memory belong
// to different cores here, which fight over every cache line. On a GPU they are what one wants.
//
//   ./course run vector_add_two_cores --size 20000000

#include <thread>
#include <vector>

#include "../common/compare.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/timing.h"

// What one worker does: `worker` counts from 0 to workers - 1.
void add(const int* a, const int* b, int* c, int n, int worker, int workers) {
  long long i = worker;  // an int could overflow when it steps over the end
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

int main(int argc, char** argv) {
  int n = 10;
  course::Options options("Adds two vectors on two cores of the CPU.");
  options.number("size", &n, 0, 2147483647, "elements");
  options.parse(argc, argv);
  course::require_host_memory(4.0 * sizeof(int) * n);

  std::vector<int> a(n), b(n), c(n), expected(n);
  for (int i = 0; i < n; i++) {
    a[i] = -i;
    b[i] = static_cast<int>(1LL * i * i % 1000000007);  // i * i alone would overflow from 46341 on
  }
  add(a.data(), b.data(), expected.data(), n, 0, 1);
  vector_add(a.data(), b.data(), c.data(), n);

  if (!course::verify("c", c.data(), expected.data(), n)) return course::kExitWrong;
  for (int i = 0; i < n && i < 10; i++) printf("%d + %d = %d\n", a[i], b[i], c[i]);
  printf("%s, all verified\n", course::count_of(n, "sum").c_str());

  const double one_ms =
      course::measure_host_ms([&] { add(a.data(), b.data(), c.data(), n, 0, 1); });
  const double two_ms =
      course::measure_host_ms([&] { vector_add(a.data(), b.data(), c.data(), n); });
  printf("one core %.4f ms, two cores %.4f ms; this machine has %u\n", one_ms, two_ms,
         std::thread::hardware_concurrency());
  return 0;
}
