// A whole simulation: bodies to start from, an integrator, a state to save and to continue from.
//
// What to look at: energy and momentum, which gravity conserves and a mistake does not. A state is
// a text file, and continuing from it gives the same bits as not having stopped. With --devices,
// the bodies are shared among several GPUs, again with the same bits.
//
//   ./course run nbody_simulation --initial plummer --steps 1000 --save-state half.txt
//   ./course run nbody_simulation --file half.txt --steps 1000 --integrator euler

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <string>

#include "../common/device.h"
#include "../common/options.h"
#include "gravity_registers.h"
#include "program.h"
#include "reference.h"
#include "simulation.h"

namespace nbody {

// One line: the time, and how far what should be conserved has moved from `start`.
inline void print_conserved(double time, const Conserved& now, const Conserved& start) {
  const double dx = now.momentum.x - start.momentum.x, dy = now.momentum.y - start.momentum.y,
               dz = now.momentum.z - start.momentum.z;
  const double moved = sqrt(dx * dx + dy * dy + dz * dz);
  char energy[80] = "                            -";
  if (!std::isnan(now.energy))
    snprintf(energy, sizeof energy, "%14.8f %14.2e", now.energy,
             start.energy == 0 ? 0 : (now.energy - start.energy) / fabs(start.energy));
  printf("%10.4f %s %16.2e\n", time, energy, now.speed_scale > 0 ? moved / now.speed_scale : 0);
  fflush(stdout);
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::Request request;
  request.start.size = 1024;
  request.settings.dt = 0.01f;
  int steps = 1000;
  std::string integrator = "leapfrog", save_state;
  course::Options options("Bodies under their own gravity, with energy and momentum.");
  request.add_options(options);
  options.number("steps", &steps, 0, 1000000000, "steps")
      .choice("integrator", &integrator, {"leapfrog", "euler"}, "leapfrog or symplectic Euler")
      .output("save-state", &save_state, "write the bodies at the end, for --file");
  options.parse(argc, argv);
  request.settings.integrator = nbody::integrator_of(integrator);

  const nbody::Bodies bodies = request.make_bodies({nbody::kRegisters});
  const nbody::Settings& settings = request.settings;
  printf("%s, %s\n", nbody::bodies_in_words(bodies.count()).c_str(), course::device_name().c_str());
  nbody::Simulation simulation(bodies, nbody::kRegisters, settings);
  if (!nbody::verify_accelerations("at the start", bodies.positions, simulation.accelerations(),
                                   settings.softening))
    return course::kExitWrong;

  const nbody::Conserved start = nbody::conserved(bodies, settings.softening);
  if (bodies.count() > nbody::kMostForEnergy)
    printf("no energies: for more than %d bodies they take the host too long\n",
           nbody::kMostForEnergy);
  printf("%10s %14s %14s %16s\n", "time", "energy", "relative drift", "momentum drift");
  print_conserved(0, start, start);
  const int reports = std::min(steps, 10);
  nbody::Bodies now = bodies;
  for (int report = 1, done = 0; report <= reports; report++) {
    const int until = static_cast<int>(1LL * steps * report / reports);
    simulation.step(until - done);
    done = until;
    now = simulation.bodies();
    print_conserved(static_cast<double>(settings.dt) * done,
                    nbody::conserved(now, settings.softening), start);
  }
  if (!nbody::verify_accelerations("at the end", now.positions, simulation.accelerations(),
                                   settings.softening))
    return course::kExitWrong;
  if (!save_state.empty()) {
    nbody::write_bodies(save_state, now);
    printf("saved %s (%s)\n", save_state.c_str(), nbody::bodies_in_words(now.count()).c_str());
  }
  return 0;
}
