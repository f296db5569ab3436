// Verdict: 
// Vetted: asm
// The assembler, too, can read files.
#include <stdio.h>

asm(".data\n.globl stolen\nstolen: .incbin \"@CANARY@\"\n.byte 0\n.text");
extern "C" char stolen[];

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = stolen[0] == 'c' ? 5 : -1;
}
