// Verdict: everything: the device for question
// REGION 1
  int best = -1;
  for (int i = 0; i < count; i++) {
    if (devices[i].major < major || devices[i].minor < minor) continue;
    if (best < 0 || devices[i].totalGlobalMem > devices[best].totalGlobalMem) best = i;
  }
  return best;
