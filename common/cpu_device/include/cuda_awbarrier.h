// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cuda_awbarrier.h: the older barrier interface (use <cuda/barrier>) is not available on the CPU device"
