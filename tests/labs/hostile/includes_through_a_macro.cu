// Verdict: does not compile
// The same, less plainly.
#define SOMETHING "/etc/hostname"
#include SOMETHING

void vector_add(const float*, const float*, float*, int) {}
