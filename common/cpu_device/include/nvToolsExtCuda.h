// The same, from before NVTX version 3.
#pragma once
#include "nvtx3/nvToolsExtCuda.h"
