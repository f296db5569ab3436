// What programs use without including it, because the headers of Thrust's CUDA backend bring it: common
// iterators, minimum and maximum, the exceptions.
#pragma once

#include <algorithm>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/system_error.h>
#include <thrust/tuple.h>
