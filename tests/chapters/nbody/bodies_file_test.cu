// Files of bodies, damaged at random: the reader either reads bodies that can be computed with or
// says in one line what is wrong. Never a crash, never a hang. The same damage in each run.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "../../../common/program/random.h"
#include "../../../common/program/watchdog.h"
#include "../../../nbody/bodies.h"
#include "../../harness/run_program.h"

namespace {

const std::string kGood =
    "# mass  x y z  vx vy vz\n"
    "1 0 0 0 0 0 0\n"
    "\n"
    "0.5 1.5e0 -2 3.25 .1 -1e-3 7\r\n"
    "\t1e-5  100 200\t300 0x10 1 1  \n"
    "2 -1 -1 -1 0 0 0";

const char* const kWords[] = {"nan",  "-nan",   "inf", "1e999", "-1",   "1e-400",
                              "0x",   "0x1p-3", "1e",  "+",     "--",   ".",
                              "1e10", "#",      "\n",  "\r",    "\n\n", " ",
                              "e5",   "1,5",    "1e8", "-0",    "\x80", "99999999999"};

std::string damaged(course::Random& random) {
  std::string text = kGood;
  const auto below = [&](size_t n) {
    return static_cast<size_t>(random.below(static_cast<int>(n)));
  };
  for (size_t i = 1 + below(4); i > 0 && !text.empty(); i--) {
    const size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), 1 + below(40)));
        break;
      case 4:
        text.insert(at, kWords[below(std::size(kWords))]);
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

// What reading the text comes to: 0 bodies that can be computed with, 1 others, 2 refused.
int outcome(const std::string& text, std::string* complaint) {
  const course::TemporaryFolder folder;
  const std::string path = folder.path() + "/bodies.txt", words = folder.path() + "/stderr";
  std::ofstream(path, std::ios::binary) << text;
  const course::Attempt attempt = course::attempt(
      [&] {
        if (freopen(words.c_str(), "w", stderr) == nullptr) _exit(3);
        const nbody::Bodies bodies = nbody::read_bodies(path);
        bool good = true;
        for (int i = 0; i < bodies.count(); i++) {
          const float4 p = bodies.positions[i];
          const float3 v = bodies.velocities[i];
          for (float value : {p.x, p.y, p.z, p.w, v.x, v.y, v.z})
            good = good && std::isfinite(value);
          good = good && p.w >= 0;
        }
        if (!good) _exit(1);
      },
      20);
  std::stringstream said;
  said << std::ifstream(words).rdbuf();
  *complaint = said.str();
  if (attempt.hung || attempt.signal != 0) return 4;
  return attempt.exit_code;
}

}  // namespace

TEST_CASE("the file that is damaged is a good one") {
  std::string complaint;
  CHECK(outcome(kGood, &complaint) == 0);
  CHECK(complaint == "");
  CHECK(outcome("", &complaint) == 0);
}

TEST_CASE("damaged files") {
  course::Random random(4);
  int good = 0, refused = 0;
  for (int i = 0; i < 600; i++) {
    const std::string text = damaged(random);
    std::string complaint;
    const int result = outcome(text, &complaint);
    INFO("file " << i << ":\n" << text << "\nsaid: " << complaint);
    REQUIRE((result == 0 || result == 2));
    REQUIRE(course::count_lines(complaint) == (result == 0 ? 0 : 1));
    if (result == 2) REQUIRE(course::contains(complaint, "bodies.txt, line "));
    (result == 0 ? good : refused)++;
  }
  CHECK(good > 40);
  CHECK(refused > 200);
}
