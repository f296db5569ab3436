// Part of libcu++'s runtime classes (cuda::stream, cuda::buffer ...): how they call the driver. They load its
// library, and ask it for functions by their names, whose types they take from cuda.h. Here the driver is part of
// the program, and its functions in cuda.h have one parameter more, the line of the call.
#pragma once

#include <cpu_device/driver_entry_points.h>
#include <cuda.h>
#include <dlfcn.h>

// What the library's header includes comes first, so that only its own text sees the macros below.
#include <cuda/__runtime/api_wrapper.h>
#include <cuda/std/__bit/bit_cast.h>
#include <cuda/std/__cstddef/types.h>
#include <cuda/std/__exception/cuda_error.h>
#include <cuda/std/__exception/exception_macros.h>
#include <cuda/std/__internal/namespaces.h>
#include <cuda/std/__limits/numeric_limits.h>
#include <cuda/std/__type_traits/always_false.h>
#include <cuda/std/__type_traits/is_same.h>

#include <stdexcept>

#define dlopen(name, flags) cpu_device::driver_library()
#define dlsym(library, name) cpu_device::driver_function(name)
#define decltype(...) ::cpu_device::CudaForm<decltype(__VA_ARGS__)>
#include_next <cuda/__driver/driver_api.h>
#undef dlopen
#undef dlsym
#undef decltype
