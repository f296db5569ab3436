// As in CUDA: the functions of cuda_bf16.h, which has them all here.
#pragma once
#include "cuda_bf16.h"
