// The same, under the name of NVTX version 3.
#pragma once
#include "../nvToolsExt.h"
