// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nccl.h: NCCL is not on the CPU device"
