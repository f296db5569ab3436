// common/program/watchdog.h: every way in which a child process can end.
#include "../../common/program/watchdog.h"

#include <doctest/doctest.h>

TEST_CASE("a child that finishes hands over its result") {
  course::SharedArray<int> result(3);
  CHECK(result[2] == 0);
  const course::Attempt attempt = course::attempt([&] { result[2] = 7; }, 20);
  CHECK_FALSE(attempt.hung);
  CHECK(attempt.signal == 0);
  CHECK(attempt.exit_code == 0);
  CHECK(result[2] == 7);
}

TEST_CASE("a child that exits is told by its code") {
  const course::Attempt attempt = course::attempt([] { _exit(5); }, 20);
  CHECK_FALSE(attempt.hung);
  CHECK(attempt.exit_code == 5);
}

TEST_CASE("a child that crashes is told by its signal") {
  const course::Attempt attempt = course::attempt([] { raise(SIGKILL); }, 20);
  CHECK_FALSE(attempt.hung);
  CHECK(attempt.signal == SIGKILL);
}

TEST_CASE("a child that hangs is killed") {
  course::SharedArray<pid_t> child(1);
  const course::Attempt attempt = course::attempt(
      [&] {
        child[0] = getpid();
        for (;;) pause();
      },
      0.3);
  CHECK(attempt.hung);
  CHECK(kill(child[0], 0) == -1);  // it is gone
}

TEST_CASE("COURSE_WATCHDOG=off, and nothing else, keeps the work in this process") {
  for (const char* setting : {"off", "", "0", "on", "offline"}) {
    CAPTURE(setting);
    setenv("COURSE_WATCHDOG", setting, 1);
    pid_t seen = 0;  // of this process: what a child writes here is not seen
    const course::Attempt attempt = course::attempt([&] { seen = getpid(); }, 20);
    CHECK((seen == getpid()) == (strcmp(setting, "off") == 0));
    CHECK_FALSE(attempt.hung);
    CHECK(attempt.exit_code == 0);
  }
  unsetenv("COURSE_WATCHDOG");
}
