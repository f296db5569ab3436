// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cudaTypedefs.h: the types PFN_... of the driver's functions are not on the CPU device; declare the type of the function's pointer yourself (cuGetProcAddress() finds it)"
