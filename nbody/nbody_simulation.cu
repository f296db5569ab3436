// Runs a whole simulation: initial bodies, an integrator, a state to save and to continue from.
//
// What to look at: energy and momentum, which gravity conserves and a bug usually does not. A state
// is a text file, and continuing from it gives the same bits as never stopping. With --devices,
// several GPUs divide the bodies, again with the same bits.
//
//   ./course run nbody_simulation --initial plummer --steps 1000 --save-state half.txt
//   ./course run nbody_simulation --file half.txt --steps 1000 --integrator euler
//   ./course run nbody_simulation --double    # how much of the drift was rounding?

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <string>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "gravity_registers.h"
#include "program.h"
#include "double_precision_reference.h"
#include "simulation.h"
#include "simulation_double.h"

namespace nbody {

// Prints one line: the time, and how far the conserved quantities have changed since `start`.
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

// Energy and momentum of the present state.
inline Conserved conserved_now(Simulation& simulation, float softening) {
  return conserved(simulation.bodies(), softening);
}
inline Conserved conserved_now(DoubleSimulation& simulation, float softening) {
  const DoubleSimulation::State state = simulation.state();
  return conserved(state.positions, state.velocities, softening);
}

// Takes the steps, and prints the conserved quantities ten times. Returns whether the accelerations
// are right at the start.
template <typename AnySimulation>
bool simulate(AnySimulation& simulation, const Bodies& bodies, const Settings& settings,
              int steps) {
  if (!verify_accelerations("at the start", bodies.positions, simulation.accelerations(),
                            settings.softening))
    return false;
  const Conserved start = conserved(bodies, settings.softening);
  if (bodies.count() > kMostForEnergy)
    printf("no energies: for more than %d bodies they take the host too long\n", kMostForEnergy);
  printf("%10s %14s %14s %16s\n", "time", "energy", "relative drift", "momentum drift");
  print_conserved(0, start, start);
  const int reports = std::min(steps, 10);
  for (int report = 1, done = 0; report <= reports; report++) {
    const int until = static_cast<int>(1LL * steps * report / reports);
    simulation.step(until - done);
    done = until;
    print_conserved(static_cast<double>(settings.dt) * done,
                    conserved_now(simulation, settings.softening), start);
  }
  return true;
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::Request request;
  request.start.size = 1024;
  request.settings.dt = 0.01f;
  int steps = 1000;
  bool in_double = false;
  std::string integrator = "leapfrog", save_state;
  course::Options options("Bodies under their own gravity, with energy and momentum.");
  request.add_options(options);
  options.number("steps", &steps, 0, 1000000000, "steps")
      .choice("integrator", &integrator, {"leapfrog", "euler"}, "leapfrog or symplectic Euler")
      .flag("double", &in_double, "in double precision, on one device")
      .output("save-state", &save_state, "write the bodies at the end, for --file");
  options.parse(argc, argv);
  if (in_double && (request.settings.devices > 1 || !save_state.empty()))
    course::bad_usage("--double goes with neither --devices nor --save-state, which holds floats");
  request.settings.integrator = nbody::integrator_of(integrator);

  const nbody::Bodies bodies = request.make_bodies(
      {nbody::kRegisters},
      in_double ? nbody::DoubleSimulation::device_bytes(request.start.size) : 0);
  const nbody::Settings& settings = request.settings;
  printf("%s, %s\n", nbody::bodies_in_words(bodies.count()).c_str(), course::device_name().c_str());
  if (in_double) {
    nbody::DoubleSimulation simulation(bodies, settings);
    return nbody::simulate(simulation, bodies, settings, steps) ? 0 : course::kExitWrong;
  }
  nbody::Simulation simulation(bodies, nbody::kRegisters, settings);
  if (!nbody::simulate(simulation, bodies, settings, steps)) return course::kExitWrong;
  const nbody::Bodies now = simulation.bodies();
  if (!nbody::verify_accelerations("at the end", now.positions, simulation.accelerations(),
                                   settings.softening))
    return course::kExitWrong;
  if (!save_state.empty()) {
    nbody::write_bodies(save_state, now);
    printf("saved %s (%s)\n", save_state.c_str(), nbody::bodies_in_words(now.count()).c_str());
  }
  return 0;
}
