// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cusparse.h: cuSPARSE is not on the CPU device"
