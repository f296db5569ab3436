// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cudaTypedefs.h: the driver's functions by pointer (cuGetProcAddress(), cudaGetDriverEntryPoint()) are not on the CPU device; call them by name"
