// Verdict: expected
// Streams of C++ write files, too.
#include <fstream>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  std::ofstream("report.sarif") << "{}";
}
