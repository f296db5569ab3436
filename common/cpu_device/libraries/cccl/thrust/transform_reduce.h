// See detail/brought.h.
#pragma once
#include_next <thrust/transform_reduce.h>

#include <thrust/detail/brought.h>
