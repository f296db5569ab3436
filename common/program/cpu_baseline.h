// All cores of the CPU and their SIMD instructions, through OpenMP: what a GPU is fairly compared
// with. Without OpenMP (-Xcompiler -fopenmp) the same programs run on one core, and say so.
#pragma once

#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "options.h"

namespace course {

// How many cores `#pragma omp parallel` uses.
inline int cores() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// "all 8 cores", or why there is only one.
inline std::string cores_in_words() {
#ifdef _OPENMP
  return "all " + count_of(cores(), "core");
#else
  return "1 core (no OpenMP)";
#endif
}

// A line that says what is missing, "" if nothing is.
inline std::string cores_hint() {
#ifdef _OPENMP
  return "";
#else
  return "built without OpenMP, so all of it ran on one core, without SIMD: compile with "
         "-Xcompiler -fopenmp,-march=native\n";
#endif
}

}  // namespace course
