// What programs use without including it, because the headers of Thrust's CUDA backend bring it: common
// iterators, minimum and maximum, the exceptions.
//
// Only for the program's own includes. Thrust's headers include each other from further within, when half of what
// these headers need has not been declared yet.
#if __INCLUDE_LEVEL__ <= 4 && !defined(CPU_DEVICE_BROUGHT) && !defined(CPU_DEVICE_BRING_LATER)
#define CPU_DEVICE_BROUGHT
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
#endif
