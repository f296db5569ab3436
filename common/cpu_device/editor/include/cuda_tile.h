// For editors: all of <cuda_tile.h> is for both sides, see cuda_editor.h.
#pragma once
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
#include_next <cuda_tile.h>
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
