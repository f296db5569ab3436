// Verdict: checked: the checked run gives no right result
// REGION 1
  int seen = atomicCAS(bits, 0, 0);
  for (int tries = 0; tries < 2 && __int_as_float(seen) < value; tries++) {
    const int found = atomicCAS(bits, seen, __float_as_int(value));
    if (found == seen) return;
    seen = found;
  }
