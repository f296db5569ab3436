#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../appA_hashtable/lock_acquire_release.cu"
#undef main

#include "lock_check.h"
