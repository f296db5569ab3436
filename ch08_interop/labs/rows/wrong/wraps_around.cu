// Verdict: everything: the pixels (bytes), row 0
// REGION 1
  return static_cast<unsigned char>(static_cast<int>(number * 255.0f + 0.5f));
