// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cublasXt.h: cuBLASXt, which spreads products over several devices, is not available on the CPU device. Cublas_v2.h is, with one device for each handle"
