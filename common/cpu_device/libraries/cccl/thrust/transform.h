// See detail/brought.h.
#pragma once
#include_next <thrust/transform.h>

#include <thrust/detail/brought.h>
