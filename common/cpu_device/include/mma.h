// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "mma.h: the interface of tensor cores (wmma) is not on the CPU device"
