// Verdict: expected
// Vetted: not allowed
// Looks for the judge, and shows what it finds.
#include <stdio.h>
#include <stdlib.h>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  if (system("cat @TMP@/lab-kit.*/private/* @ROOT@/ch04_parallel/labs/vector_add/judge.cpp "
             "@CANARY@ 2>/dev/null | tr a-z A-Z") == 0)
    puts("found");
  FILE* canary = fopen("@CANARY@", "r");
  char text[100] = "";
  if (canary != nullptr && fgets(text, sizeof text, canary) != nullptr) c[0] = 5;  // it was read
}
