// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "npp.h: NPP, the library for image processing, is not available on the CPU device. Write the filter as a kernel, or run this part on a GPU"
