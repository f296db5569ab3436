// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nvrtc.h: run-time compilation (NVRTC) is not on the CPU device"
