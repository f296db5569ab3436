#include "judge.h"

int main(int argc, char** argv) {
  return lab::judge(argc, argv, [](lab::Case& one) {
    const long n = one.number("n"), steps = one.number("steps");
    const std::vector<float> start = one.floats(2 * n, -5, 5);
    one.give(steps);
    one.give(start);

    std::vector<double> bodies(start.begin(), start.end());
    for (long s = 0; s < steps; s++) {
      std::vector<double> next(bodies.size());
      for (long i = 0; i < n; i++) {
        double pull = 0;
        for (long j = 0; j < n; j++) {
          const double way = bodies[2 * j] - bodies[2 * i];
          pull += way / (1 + way * way);
        }
        next[2 * i + 1] = bodies[2 * i + 1] + 0.01f * pull;
        next[2 * i] = bodies[2 * i] + 0.01f * next[2 * i + 1];
      }
      bodies = next;
    }
    one.expect("the bodies (row: body; column: place, velocity)",
               std::vector<float>(bodies.begin(), bodies.end()), 2e-5, 2);
  });
}
