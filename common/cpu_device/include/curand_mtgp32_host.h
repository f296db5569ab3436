// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "curand_mtgp32_host.h: cuRAND is not available on the CPU device"
