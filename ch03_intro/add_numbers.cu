// Adds two numbers on the device: arguments go to a kernel, and a result comes back.
//
// The book's section 3.2.3. What to look at: the numbers are passed like to any function, but a
// kernel returns nothing. It writes the sum to memory of the device, which the host may allocate,
// hand on and copy, and must not read through the pointer itself.
//
//   ./course run add_numbers --a 2 --b 7

#include <climits>
#include <string>

#include "../common/book.h"
#include "../common/compare.h"
#include "../common/options.h"

__global__ void add(int a, int b, int* c) { *c = a + b; }

// a + b, computed by one thread on the device.
int add_on_device(int a, int b) {
  int c = 0;
  int* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_c, sizeof(int)));

  add<<<1, 1>>>(a, b, dev_c);
  HANDLE_ERROR(cudaGetLastError());

  HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));  // waits for the kernel
  HANDLE_ERROR(cudaFree(dev_c));
  return c;
}

int main(int argc, char** argv) {
  int a = 2, b = 7;
  course::Options options("Adds two numbers on the device.");
  options.number("a", &a, INT_MIN, INT_MAX, "first number");
  options.number("b", &b, INT_MIN, INT_MAX, "second number");
  options.parse(argc, argv);
  const long long exact = static_cast<long long>(a) + b;
  if (exact < INT_MIN || exact > INT_MAX)
    course::bad_usage(std::to_string(a) + " + " + std::to_string(b) + " = " +
                      std::to_string(exact) + " does not fit into an int, " +
                      std::to_string(INT_MIN) + " to " + std::to_string(INT_MAX));

  const int c = add_on_device(a, b);

  if (!course::verify("the sum", &c, &exact, 1)) return course::kExitWrong;
  printf("%d + %d = %d\n", a, b, c);
  return 0;
}
