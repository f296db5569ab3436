// See detail/brought.h.
#pragma once
#include_next <thrust/reduce.h>

#include <thrust/detail/brought.h>
