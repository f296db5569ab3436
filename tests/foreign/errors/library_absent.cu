// expect: errors/library_absent.cu:2: npp.h: NPP, the library for image processing, is not available on the CPU device. Write the filter
#include <npp.h>
int main() { return 0; }
