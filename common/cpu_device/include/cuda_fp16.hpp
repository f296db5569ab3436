// As in CUDA: the functions of cuda_fp16.h, which has them all here.
#pragma once
#include "cuda_fp16.h"
