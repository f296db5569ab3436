// Verdict: hidden checked: the device for question
// REGION 1
  int best = -1;
  for (int i = 0; i < count; i++) {
    const bool enough = devices[i].major > major || (devices[i].major == major && devices[i].minor >= minor);
    if (!enough) continue;
    if (best < 0 || devices[i].totalGlobalMem >> 20 > devices[best].totalGlobalMem >> 20) best = i;
  }
  return best;
