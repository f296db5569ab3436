// Verdict: everything: is 0, expected -1
// REGION 1
  int best = 0;
  size_t most = 0;
  for (int i = 0; i < count; i++) {
    const bool new_enough =
        devices[i].major > major || (devices[i].major == major && devices[i].minor >= minor);
    if (new_enough && devices[i].totalGlobalMem > most) {
      best = i;
      most = devices[i].totalGlobalMem;
    }
  }
  return best;
