// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nvjpeg.h: nvJPEG is not available on the CPU device. Read and write JPEG files on the host, for example with libjpeg-dev"
