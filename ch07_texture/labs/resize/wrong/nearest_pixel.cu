// Verdict: everything: the picture, row
// REGION 2
  description.filterMode = cudaFilterModePoint;
  description.addressMode[0] = cudaAddressModeClamp;
  description.addressMode[1] = cudaAddressModeClamp;
