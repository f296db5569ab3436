// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cusolverDn.h: cuSOLVER is not on the CPU device"
