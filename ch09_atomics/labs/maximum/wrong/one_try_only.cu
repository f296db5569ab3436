// Verdict: checked: lost update
// REGION 1
  const int seen = atomicCAS(bits, 0, 0);
  if (__int_as_float(seen) < value) atomicCAS(bits, seen, __float_as_int(value));
