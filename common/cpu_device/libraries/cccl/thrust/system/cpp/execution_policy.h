// Thrust's policy for the host, and with it thrust::cuda::par, which programs find in all of Thrust's
// headers that bring the policies of the device's system.
#pragma once
#include_next <thrust/system/cpp/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
