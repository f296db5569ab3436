// Bodies on the host: initial systems, and files.
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/write_file.h"
#include "body.h"
#include "initial_conditions.h"
#include "state.h"

namespace nbody {

constexpr int kBodiesPerCheck = 1 << 18;  // after so many bodies, the free memory is tested
constexpr float kLargestMass = 1e8f;      // beyond these the squares and cubes in attract() leave
constexpr float kLargestPosition = 1e9f;  // the range of float

namespace bodies_detail {

// The beginning of what was read, printable in a terminal.
inline std::string printable(std::string text) {
  if (text.size() > 40) text = text.substr(0, 40) + "...";
  for (char& character : text)
    if (character < ' ' || character > '~') character = '?';
  return text;
}

// Whether the host has memory for kBodiesPerCheck more bodies. A vector that grows needs twice
// its new size for a moment.
inline bool memory_for_more(const Bodies& bodies) {
  const double bytes = sizeof(float4) + sizeof(float3);
  return 2 * bytes * (bodies.count() + kBodiesPerCheck) < 0.9 * course::available_host_memory();
}

}  // namespace bodies_detail

// Reads the next line, without its end, and no more than one character beyond kLongestLine: a file
// without line ends, such as /dev/zero, must not fill the memory. Returns false at the end.
constexpr size_t kLongestLine = 10000;
inline bool read_line(FILE* file, std::string& line) {
  line.clear();
  int character = 0;
  while (line.size() <= kLongestLine && (character = getc_unlocked(file)) != EOF) {
    if (character == '\n') return true;
    line.push_back(static_cast<char>(character));
  }
  return !line.empty();
}

// Reads a text file with one body per line: mass, position (x y z), velocity (x y z), separated by
// blanks. Empty lines and lines that begin with # are skipped. Ends the program with exit code 2
// and one line that names the file and the line if anything is wrong.
inline Bodies read_bodies(const std::string& path) {
  FILE* file = fopen(path.c_str(), "r");
  if (file == nullptr) course::bad_usage("cannot read '" + path + "': " + strerror(errno));
  Bodies bodies;
  std::string line;
  errno = 0;
  for (long long number = 1; read_line(file, line); number++) {
    const auto refuse = [&](const std::string& what) {
      course::bad_usage(path + ", line " + std::to_string(number) + ": " + what);
    };
    if (line.size() > kLongestLine)
      refuse("longer than " + std::to_string(kLongestLine) + " characters");
    if (line.find('\0') != std::string::npos) refuse("a zero byte; this is not a text file");
    const char* const names[] = {"the mass", "x", "y", "z", "vx", "vy", "vz"};
    const char* const blanks = " \t\r\n";
    const char* rest = line.c_str() + strspn(line.c_str(), blanks);
    if (*rest == '\0' || *rest == '#') continue;
    float values[7];
    for (int i = 0; i < 7; i++) {
      char* end = nullptr;
      if (*rest == '\0')
        refuse(std::to_string(i) + " numbers instead of 7 (mass, x y z, vx vy vz)");
      values[i] = strtof(rest, &end);
      const std::string word = bodies_detail::printable({rest, strcspn(rest, blanks)});
      if (end == rest || (*end != '\0' && strchr(blanks, *end) == nullptr))
        refuse("'" + word + "' is not a number");
      if (!std::isfinite(values[i])) refuse(std::string(names[i]) + " is " + word);
      rest = end + strspn(end, blanks);
    }
    if (*rest != '\0') refuse("more than 7 numbers (mass, x y z, vx vy vz)");
    if (values[0] < 0) refuse("the mass is negative");
    if (values[0] > kLargestMass)
      refuse("the mass is above 1e8; choose units in which masses are about 1");
    for (int i = 1; i < 4; i++)
      if (std::fabs(values[i]) > kLargestPosition)
        refuse(std::string(names[i]) +
               " is beyond 1e9; choose units in which distances are about 1");
    if (bodies.count() == kMostBodies) refuse("more than 1000000000 bodies");
    if (bodies.count() % kBodiesPerCheck == 0 && !bodies_detail::memory_for_more(bodies))
      refuse("the memory is full after " + std::to_string(bodies.count()) + " bodies");
    bodies.add(values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
  }
  if (ferror(file)) course::bad_usage("cannot read '" + path + "': " + strerror(errno));
  fclose(file);
  return bodies;
}

// Writes such a file. 9 digits are enough to reproduce every float exactly.
inline void write_bodies(const std::string& path, const Bodies& bodies) {
  std::string text = "# mass  x y z  vx vy vz\n";
  char line[160];
  for (int i = 0; i < bodies.count(); i++) {
    const float4 p = bodies.positions[i];
    const float3 v = bodies.velocities[i];
    snprintf(line, sizeof line, "%.9g  %.9g %.9g %.9g  %.9g %.9g %.9g\n", p.w, p.x, p.y, p.z, v.x,
             v.y, v.z);
    text += line;
  }
  course::write_file(path, text.data(), text.size());
}

// The options for the bodies to start from.
struct Start {
  std::string initial = "plummer";
  std::string file;
  int size = 4096;
  int seed = 1;
  float softening = 0.05f;

  // Adds the options. The present values of `initial`, `size` and `softening` are their defaults.
  // `more` names further systems that only this program has.
  void add_options(course::Options& options, const std::vector<std::string>& more = {}) {
    std::vector<std::string> initials = {"cube",     "plummer", "collapse", "galaxy",
                                         "galaxies", "planets", "orbit"};
    initials.insert(initials.end(), more.begin(), more.end());
    options.choice("initial", &initial, initials, "where the bodies start; orbit: two bodies")
        .number("size", &size, 0, kMostBodies, "bodies (orbit always has 2)")
        .number("seed", &seed, 0, 2147483647, "seed of the random numbers")
        .text("file", "FILE", &file, "read the bodies instead: lines of mass, x y z, vx vy vz")
        .real("softening", &softening, 0, 1e6, "softening length, in the unit of the positions");
  }

  Bodies make() const {
    if (!file.empty()) return read_bodies(file);
    if (initial == "cube") return uniform_cube(size, seed);
    if (initial == "collapse") return cold_ball(size, seed);
    if (initial == "galaxy") return galaxy(size, seed, softening);
    if (initial == "galaxies") return colliding_galaxies(size, seed, softening);
    if (initial == "planets") return planet_system(size, seed);
    if (initial == "box") return periodic_box(size, seed);
    if (initial == "orbit") return two_body_orbit();
    return plummer_sphere(size, seed);
  }
};

}  // namespace nbody
