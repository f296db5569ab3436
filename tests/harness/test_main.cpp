// The main function of every test program.
// The CPU device explains faults in kernels itself; doctest must not take their signals.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
