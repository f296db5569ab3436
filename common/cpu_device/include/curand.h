// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "curand.h: cuRAND is not on the CPU device"
