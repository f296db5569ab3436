// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cudnn.h: cuDNN, the library for neural networks, is not on the CPU device: write the layer as a kernel (cuBLAS multiplies matrices), or run this part on a GPU"
