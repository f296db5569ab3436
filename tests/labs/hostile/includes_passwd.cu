// Verdict: line 3 includes /etc/passwd
// The compiler's messages would show the file.
#include "/etc/passwd"

void vector_add(const float*, const float*, float*, int) {}
