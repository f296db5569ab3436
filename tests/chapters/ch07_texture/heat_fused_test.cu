#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch07_texture/heat_fused.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "heat_check.h"

TEST_CASE("temperatures are the reference's, for every number of steps") {
  course::check_heat(heat);
}

TEST_CASE("frames go on where the last one ended, with the heaters set anew") {
  for (int steps : {0, 1, 2, 9}) {
    Plate p;
    p.size = 33;
    p.steps = steps;
    CPUAnimBitmap bitmap(33, 33, &p);
    p.bitmap = &bitmap;
    create(&p);
    for (int frame = 1; frame <= 4; frame++) {
      anim_gpu(&p, frame);
      const std::vector<float> temperatures = heat_reference(33, frame * steps);
      std::vector<uchar4> expected(temperatures.size());
      for (size_t i = 0; i < expected.size(); i++) expected[i] = heat_color(temperatures[i]);
      const course::PictureDifference difference =
          course::compare_pictures(bitmap.get_ptr(), &expected[0].x, expected.size());
      CHECK(difference.largest <= 2);
    }
    CHECK(p.frames == 4);
    destroy(&p);
  }
}

TEST_CASE("the program") { course::check_heat_program("heat_fused"); }

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "32", "--steps", "3"});
}
