// Checking, not the lesson: the main() of the programs that add two numbers on the device.
#pragma once

#include <climits>
#include <string>

#include "../common/program/compare.h"
#include "../common/program/options.h"

// Takes two numbers from the command line, adds them on the device, and compares the sum with the
// CPU's.
inline int add_program(int argc, char** argv, const char* purpose, int (*add_on_device)(int, int)) {
  int a = 2, b = 7;
  course::Options options(purpose);
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
