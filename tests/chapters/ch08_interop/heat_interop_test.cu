#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../ch08_interop/heat_interop.cu"
#undef main

#include "../../harness/damaged_run.h"
#include "interop_check.h"

TEST_CASE("frames go on where the last one ended") {
  for (int steps : {0, 1, 2, 3}) {
    DataBlock d;
    d.size = 33;
    d.steps = steps;
    create(&d);
    GPUAnimBitmap bitmap(33, 33, &d);
    for (int frame = 1; frame <= 4; frame++) {
      const std::vector<unsigned char> rgba = bitmap.read_frame(anim_gpu, &d, frame);
      const std::vector<float> temperatures = heat_reference(33, frame * steps);
      std::vector<uchar4> expected(temperatures.size());
      for (size_t i = 0; i < expected.size(); i++) expected[i] = heat_color(temperatures[i]);
      CHECK(course::compare_pictures(rgba.data(), &expected[0].x, expected.size()).largest <= 2);
    }
    CHECK(d.frames == 4);
    destroy(&d);
  }
}

TEST_CASE("temperatures are the reference's") {
  for (int size : {0, 1, 16, 17, 257})
    for (int steps : {0, 1, 7}) {
      const std::vector<float> result = heat(size, steps), expected = heat_reference(size, steps);
      CHECK(course::compare("heat", result.data(), expected.data(), result.size(), 0,
                            heat_tolerance(steps))
                .message == "");
    }
}

TEST_CASE("the program") {
  course::check_interop_animation("heat_interop", {"--steps", "3"});
  course::TemporaryFolder folder;
  course::RunOptions options;
  options.working_directory = folder.path();
  const course::RunResult result = course::run_program({"--size", "16", "--steps", "1"}, options);
  CHECK_MESSAGE(course::contains(result.out, " 12 frames)"), result.out);
  CHECK(course::contains(result.out, "Average Time per frame: "));
  course::check_number_option("steps");
  course::check_refused({"--size", "20000"}, "a 1-D texture holds");
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "32", "--steps", "3"});
}
