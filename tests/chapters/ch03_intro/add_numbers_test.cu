#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch03_intro/add_numbers.cu"
#undef main

#include "add_numbers_check.h"
