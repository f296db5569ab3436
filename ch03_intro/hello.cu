// Prints a greeting from the CPU: any C++ program is also a CUDA C++ program.
//
// Section 3.2.1 of the book. What to look at: nothing here uses a GPU. Code that runs on the CPU is
// called host code. nvcc passes it to the C++ compiler of the machine.
//
//   ./course run hello

#include <stdio.h>

#include "../common/program/options.h"

int main(int argc, char** argv) {
  course::Options("Prints a greeting from the CPU.").parse(argc, argv);
  printf("Hello, World!\n");
  return 0;
}
