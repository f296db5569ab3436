// Verdict: given hidden fresh checked: the device for question
// REGION 1
  int best = -1;
  for (int i = 0; i < count; i++) {
    const bool new_enough =
        devices[i].major > major || (devices[i].major == major && devices[i].minor >= minor);
    if (!new_enough) continue;
    if (best < 0 || devices[i].totalGlobalMem >= devices[best].totalGlobalMem) best = i;
  }
  return best;
