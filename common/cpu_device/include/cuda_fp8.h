// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cuda_fp8.h: 8-bit floating point is not on the CPU device"
