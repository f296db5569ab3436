// Verdict: everything: ended with
// REGION 1
  memory = static_cast<float*>(malloc(n * sizeof(float)));
