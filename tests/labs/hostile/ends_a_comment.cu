// Verdict: without a result
// Vetted: line 6: asm
// A backslash with a blank after it joins two lines. So the comment ends earlier than it seems to.
void vector_add(const float*, const float*, float*, int) {
  long result;
  /* *\ 
/ asm volatile("syscall" : "=a"(result) : "a"(231), "D"(0) : "rcx", "r11", "memory"); /* */
}
