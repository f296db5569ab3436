// Verdict: everything: the pixels (bytes), row 0
// REGION 1
  return static_cast<unsigned char>(fminf(fmaxf(number, 0.0f), 1.0f) * 255.0f);
