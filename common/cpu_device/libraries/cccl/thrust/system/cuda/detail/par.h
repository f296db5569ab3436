#pragma once
#include <thrust/system/cuda/execution_policy.h>
