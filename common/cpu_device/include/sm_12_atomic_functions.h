// Part of CUDA's headers; on the CPU device everything is in cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
