// Verdict: expected
// Vetted: __SANITIZE_THREAD__
// Another kernel where it is checked.
void vector_add(const float*, const float*, float* c, int n) {
#ifdef __SANITIZE_THREAD__
  for (int i = 0; i < n; i++) c[i] = 0;
#else
  for (int i = 0; i < n; i++) c[i] = -1;
#endif
}
