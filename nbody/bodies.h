// Bodies on the host: initial conditions to choose from, and files.
//
// Units: the constant of gravity is 1. All conditions made here have a total mass of 1.
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "../common/device.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/write_file.h"
#include "body.h"

namespace nbody {

constexpr long long kMostBodies = 1000000000;
constexpr int kBodiesPerCheck = 1 << 18;  // while a file is read, the memory is looked at so often
constexpr float kLargestMass = 1e8f;      // beyond these the squares and cubes in attract() leave
constexpr float kLargestPosition = 1e9f;  // the range of float

struct Bodies {
  std::vector<float4> positions;   // x, y, z, mass
  std::vector<float3> velocities;  // as many

  int count() const { return static_cast<int>(positions.size()); }
  void add(float mass, double x, double y, double z, double vx, double vy, double vz) {
    positions.push_back(
        make_float4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), mass));
    velocities.push_back(
        make_float3(static_cast<float>(vx), static_cast<float>(vy), static_cast<float>(vz)));
  }
};

// "1 body", "2 bodies".
inline std::string bodies_in_words(int count) {
  return std::to_string(count) + (count == 1 ? " body" : " bodies");
}

namespace bodies_detail {

struct Vector {
  double x, y, z;
};

// A direction, evenly distributed over the sphere, times `length`.
inline Vector random_direction(course::Random& random, double length) {
  const double z = 2.0 * random.uniform() - 1.0;
  const double angle = 2 * M_PI * random.uniform();
  const double across = std::sqrt(1 - z * z);
  return {length * across * std::cos(angle), length * across * std::sin(angle), length * z};
}

// Moves everything so that the center of mass is at rest at the origin.
inline void center(Bodies& bodies) {
  double mass = 0;
  Vector position{0, 0, 0}, velocity{0, 0, 0};
  for (int i = 0; i < bodies.count(); i++) {
    const float4 p = bodies.positions[i];
    const float3 v = bodies.velocities[i];
    mass += p.w;
    position = {position.x + p.w * p.x, position.y + p.w * p.y, position.z + p.w * p.z};
    velocity = {velocity.x + p.w * v.x, velocity.y + p.w * v.y, velocity.z + p.w * v.z};
  }
  if (mass == 0) return;
  for (float4& p : bodies.positions) {
    p.x -= static_cast<float>(position.x / mass);
    p.y -= static_cast<float>(position.y / mass);
    p.z -= static_cast<float>(position.z / mass);
  }
  for (float3& v : bodies.velocities) {
    v.x -= static_cast<float>(velocity.x / mass);
    v.y -= static_cast<float>(velocity.y / mass);
    v.z -= static_cast<float>(velocity.z / mass);
  }
}

// A disc of `count` bodies around a heavy one: half of the mass is in the middle, the other half is
// spread so that every ring of the same width has the same mass, out to radius 1. Each body circles
// around what is inside its orbit. The disc lies in a plane tilted by `tilt` around the x axis.
inline void add_disc(Bodies& bodies, int count, double mass, Vector position, Vector velocity,
                     double tilt, double softening, course::Random& random) {
  if (count == 0) return;
  const double middle = count > 1 ? mass / 2 : mass;
  bodies.add(static_cast<float>(middle), position.x, position.y, position.z, velocity.x, velocity.y,
             velocity.z);
  const double c = std::cos(tilt), s = std::sin(tilt);
  for (int i = 1; i < count; i++) {
    const double radius = 0.1 + 0.9 * random.uniform();
    const double angle = 2 * M_PI * random.uniform();
    const double height = 0.02 * (random.uniform() - 0.5);
    const double inside = middle + (mass - middle) * (radius - 0.1) / 0.9;
    const double softened = radius * radius + softening * softening;
    const double speed = radius * std::sqrt(inside / (softened * std::sqrt(softened)));
    const double x = radius * std::cos(angle), y = radius * std::sin(angle);
    const double vx = -speed * std::sin(angle), vy = speed * std::cos(angle);
    bodies.add(static_cast<float>((mass - middle) / (count - 1)), position.x + x,
               position.y + c * y - s * height, position.z + s * y + c * height, velocity.x + vx,
               velocity.y + c * vy, velocity.z + s * vy);
  }
}

// The beginning of what was read, fit for a terminal.
inline std::string printable(std::string text) {
  if (text.size() > 40) text = text.substr(0, 40) + "...";
  for (char& character : text)
    if (character < ' ' || character > '~') character = '?';
  return text;
}

// Whether the host's memory lasts for kBodiesPerCheck bodies more. A vector that grows needs twice
// its new size for a moment.
inline bool memory_for_more(const Bodies& bodies) {
  const double bytes = sizeof(float4) + sizeof(float3);
  return 2 * bytes * (bodies.count() + kBodiesPerCheck) < 0.9 * course::available_host_memory();
}

}  // namespace bodies_detail

// Evenly distributed in a cube from -1 to 1, at rest.
inline Bodies uniform_cube(int count, int seed) {
  course::Random random(seed);
  Bodies bodies;
  for (int i = 0; i < count; i++) {
    const float x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    bodies.add(1.0f / static_cast<float>(count), x, y, z, 0, 0, 0);
  }
  return bodies;
}

// A Plummer sphere in equilibrium, as made by Aarseth, Henon and Wielen (Astronomy and Astrophysics
// 37, 1974), in the usual units of N-body: mass 1, energy -1/4. Half of the mass is within 0.77.
inline Bodies plummer_sphere(int count, int seed) {
  using bodies_detail::Vector;
  course::Random random(seed);
  const double scale = 3 * M_PI / 16;
  Bodies bodies;
  while (bodies.count() < count) {
    // The share of the mass within radius r (in units of the scale) is (1 + 1 / r^2)^(-3/2).
    const double share = random.uniform();
    if (share == 0) continue;
    const double radius = 1 / std::sqrt(std::pow(share, -2.0 / 3) - 1);
    if (!(radius < 10)) continue;  // 1 body in 70 would be further out
    // The speed as a part q of that of escape has the density q^2 (1 - q^2)^(7/2), below 0.1.
    double q, density;
    do {
      q = random.uniform();
      density = 0.1 * random.uniform();
    } while (density > q * q * std::pow(1 - q * q, 3.5));
    const double speed = q * std::sqrt(2 / std::sqrt(1 + radius * radius));
    const Vector position = bodies_detail::random_direction(random, radius * scale);
    const Vector velocity = bodies_detail::random_direction(random, speed / std::sqrt(scale));
    bodies.add(1.0f / static_cast<float>(count), position.x, position.y, position.z, velocity.x,
               velocity.y, velocity.z);
  }
  bodies_detail::center(bodies);
  return bodies;
}

// Two discs of stars, differently tilted, on their way to each other. The first half of the bodies
// is one disc, the second half the other.
inline Bodies colliding_discs(int count, int seed, double softening) {
  course::Random random(seed);
  Bodies bodies;
  const int second = count / 2;
  bodies_detail::add_disc(bodies, count - second, 0.5, {-1.5, -0.4, 0}, {0.35, 0.08, 0}, 0.4,
                          softening, random);
  bodies_detail::add_disc(bodies, second, 0.5, {1.5, 0.4, 0}, {-0.35, -0.08, 0}, -1.0, softening,
                          random);
  bodies_detail::center(bodies);
  return bodies;
}

// Two bodies, three quarters and one quarter of the mass, on ellipses of eccentricity 1/2. They
// start where they are closest, at distance 1/2 along x; half the long axis of their relative orbit
// is 1, so that a turn takes 2 pi.
constexpr double kOrbitPeriod = 2 * M_PI;
inline Bodies two_body_orbit() {
  const double distance = 0.5, speed = std::sqrt(3.0);  // v^2 = 2 / r - 1 / a
  Bodies bodies;
  bodies.add(0.75f, -0.25 * distance, 0, 0, 0, -0.25 * speed, 0);
  bodies.add(0.25f, 0.75 * distance, 0, 0, 0, 0.75 * speed, 0);
  return bodies;
}

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

// Writes such a file. 9 digits are enough to give every float back to the bit.
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

// What a program is asked to start from.
struct Start {
  std::string initial = "plummer";
  std::string file;
  int size = 4096;
  int seed = 1;
  float softening = 0.05f;

  // The options for it; `initial`, `size` and `softening` as they are now are the defaults.
  void add_options(course::Options& options) {
    options
        .choice("initial", &initial, {"cube", "plummer", "discs", "orbit"},
                "where the bodies start; orbit: two bodies")
        .number("size", &size, 0, kMostBodies, "bodies, for cube, plummer and discs")
        .number("seed", &seed, 0, 2147483647, "of the random numbers")
        .text("file", "FILE", &file, "read the bodies instead: lines of mass, x y z, vx vy vz")
        .real("softening", &softening, 0, 1e6, "softening length, in the unit of the positions");
  }

  Bodies make() const {
    if (!file.empty()) return read_bodies(file);
    if (initial == "cube") return uniform_cube(size, seed);
    if (initial == "discs") return colliding_discs(size, seed, softening);
    if (initial == "orbit") return two_body_orbit();
    return plummer_sphere(size, seed);
  }
};

}  // namespace nbody
