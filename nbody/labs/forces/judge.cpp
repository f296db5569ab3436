#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long n = one.number("n");
    std::vector<float> bodies = one.floats(4 * n, -1, 1);
    for (long i = 0; i < n; i++) bodies[4 * i + 3] = one.random.uniform(0.5f, 1.5f) / n;
    one.give(bodies);

    std::vector<float> accelerations;
    for (long i = 0; i < n; i++) {
      double sum[3] = {0, 0, 0};
      for (long j = 0; j < n; j++) {
        double way[3], square = 0.01f;
        for (int k = 0; k < 3; k++) {
          way[k] = static_cast<double>(bodies[4 * j + k]) - bodies[4 * i + k];
          square += way[k] * way[k];
        }
        for (int k = 0; k < 3; k++) sum[k] += bodies[4 * j + 3] * way[k] / (square * std::sqrt(square));
      }
      for (const double part : sum) accelerations.push_back(static_cast<float>(part));
    }
    one.expect("acceleration (row: body; column: x, y, z)", accelerations, 1e-4, 3);
  });
}
