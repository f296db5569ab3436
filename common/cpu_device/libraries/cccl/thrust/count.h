// See detail/brought.h.
#pragma once
#include_next <thrust/count.h>

#include <thrust/detail/brought.h>
