// Verdict: given hidden checked: the largest is
// REGION 1
  atomicMax(bits, __float_as_int(value));
