// Verdict: checked: race
// REGION 1
  if (__int_as_float(*bits) < value) *bits = __float_as_int(value);
