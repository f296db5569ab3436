// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cuda_fp6.h: 6-bit floating point is not available on the CPU device"
