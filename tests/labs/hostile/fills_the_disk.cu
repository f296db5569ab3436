// Verdict: wrote more than
// Vetted: did not end
// Writes as many files as it can.
#include <stdio.h>

#include <string>

void vector_add(const float*, const float*, float*, int) {
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 100000; i++) {
    FILE* file = fopen(("file" + std::to_string(i)).c_str(), "w");
    for (int k = 0; file != nullptr && k < 20; k++) fwrite(megabyte.data(), 1, megabyte.size(), file);
    if (file != nullptr) fclose(file);
  }
  while (true) {
  }
}
