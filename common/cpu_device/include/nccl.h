// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nccl.h: NCCL, communication between devices, is not available on the CPU device. CudaMemcpyPeer() copies between devices (CPU_DEVICE_COUNT=2 shows two), and a loop over them adds up"
