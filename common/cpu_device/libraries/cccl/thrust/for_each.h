// See detail/brought.h.
#pragma once
#include_next <thrust/for_each.h>

#include <thrust/detail/brought.h>
