// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "cusparse.h: cuSPARSE, the library for sparse matrices, is not available on the CPU device. A product with a CSR matrix is a kernel with one thread for each row, or run this part on a GPU"
