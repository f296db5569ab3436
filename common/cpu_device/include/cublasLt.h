// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cublasLt.h: cuBLAS is not on the CPU device"
