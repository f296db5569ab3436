// The missing barrier must show in every order of threads.
#define main program_main
#include "../../../ch05_threads/shared_bitmap_broken.cu"
#undef main

#include <doctest/doctest.h>
#include <stdlib.h>

#include "../../harness/bad_input.h"

TEST_CASE("the picture is broken, and the program says so") {
  course::TemporaryFolder folder;
  for (const char* order : {"forward", "reverse", "shuffle:1", "shuffle:2"})
    for (const char* size : {"16", "17", "97", "1000", "1021", "1024"}) {
      INFO(order << ", " << size);
      course::RunOptions options;
      options.working_directory = folder.path();
      options.environment["CPU_DEVICE_ORDER"] = order;
      const course::RunResult result =
          course::run_program({"--size", size, "--save", "b.png"}, options);
      CHECK(result.exit_code == 0);
      if (course::on_cpu_device())
        CHECK(course::contains(result.out, "broken as intended: "));
      else
        CHECK((course::contains(result.out, "broken as intended: ") ||
               course::contains(result.out, "the mistake did not show this time: ")));
      CHECK(course::contains(result.out, "saved b.png"));
    }
}

TEST_CASE("bad options") {
  course::check_number_option("size");
  course::check_save_option();
  for (const char* size : {"0", "1", "15"}) course::check_refused({"--size", size}, "16 to 8192");
}
