// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nvJitLink.h: nvJitLink, which links code for a GPU, is not available on the CPU device. NVRTC is: compile all of the source in one nvrtcProgram"
