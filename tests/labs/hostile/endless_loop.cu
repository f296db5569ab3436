// Verdict: did not end
// Never comes back.
void vector_add(const float*, const float*, float* c, int) {
  volatile bool forever = true;
  while (forever) c[0] = 1;
}
