// CUDA's runtime interface on the CPU device: what `#include <cuda_runtime.h>` finds when a program
// is compiled by common/cpu_device/nvcc. Names, values and meanings are CUDA's.
#pragma once

#include "cpu_device/qualifiers.h"

#include "cpu_device/vector_types.h"

#include "cpu_device/errors.h"

#include "cpu_device/builtins.h"
#include "cpu_device/device_math.h"
#include "cpu_device/launch.h"
#include "cpu_device/properties.h"

#include "cpu_device/api.h"

#include "cpu_device/atomics.h"
#include "cpu_device/graphics.h"
#include "cpu_device/textures.h"
#include "cpu_device/warp.h"
