// See detail/brought.h.
#pragma once
#include_next <thrust/scan.h>

#include <thrust/detail/brought.h>
