// See detail/brought.h.
#pragma once
#include_next <thrust/sort.h>

#include <thrust/detail/brought.h>
