#define main program_main
#include "../../../ch04_parallel/vector_add_cpu.cu"
#undef main

#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) { add_while(a, b, c, n); }
