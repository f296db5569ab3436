// See all.cuh.
#pragma once
#include "all.cuh"
