// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cupti.h: CUPTI is not available on the CPU device"
