// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "npp.h: NPP, the library for image processing, is not on the CPU device: write the filter as a kernel, or run this part on a GPU"
