// A header that is nowhere: the first line names the option that helps.
// expect: header_of_nobody.cu:3: there is no header my_helpers.h in CUDA, nor in the folders that nvcc searches.
#include "my_helpers.h"

int main() { return 0; }
