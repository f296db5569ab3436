// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cudnn.h: cuDNN, the library for neural networks, is not available on the CPU device. Write the layer as a kernel (cuBLAS multiplies matrices), or run this part on a GPU"
