// cuFFT's part for callbacks and several devices: here what it shares with cufft.h.
#pragma once
#include "cufft.h"
