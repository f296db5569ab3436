// Prints a greeting from the CPU: any C++ program is a CUDA C++ program.
//
// The book's section 3.2.1. What to look at: nothing here concerns a GPU. What runs on the CPU is
// called host code; nvcc hands it to the C++ compiler of the machine.
//
//   ./course run hello

#include <stdio.h>

#include "../common/program/options.h"

int main(int argc, char** argv) {
  course::Options("Prints a greeting from the CPU.").parse(argc, argv);
  printf("Hello, World!\n");
  return 0;
}
