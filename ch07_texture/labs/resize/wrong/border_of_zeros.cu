// Verdict: everything: the picture, row 0
// REGION 2
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = cudaAddressModeBorder;
  description.addressMode[1] = cudaAddressModeBorder;
