// See detail/brought.h.
#pragma once
#include_next <thrust/device_vector.h>

#include <thrust/detail/brought.h>
