// Verdict: checked: no progress
// REGION 1
  const int seen = atomicCAS(bits, 0, 0);
  while (__int_as_float(seen) < value)
    if (atomicCAS(bits, seen, __float_as_int(value)) == seen) break;
