// Not there; this file keeps a Toolkit's header of the same name from being found instead.
#error "nccl.h: NCCL, communication between devices, is not available on the CPU device. To copy between devices, call cudaMemcpyPeer() (CPU_DEVICE_COUNT=2 shows two devices). To add up, write a loop over them"
