// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cuda_fp4.h: 4-bit floating point is not available on the CPU device"
