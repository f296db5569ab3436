#include "run_program.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>

using course::run;
using course::RunOptions;
using course::RunResult;

TEST_CASE("exit code, stdout and stderr are kept apart") {
  const RunResult result = run({"sh", "-c", "echo out; echo err >&2; exit 42"});
  CHECK(result.exit_code == 42);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK_FALSE(result.signalled);
  CHECK_FALSE(result.timed_out);
}

TEST_CASE("arguments reach the program without a shell in between") {
  CHECK(run({"printf", "%s|%s|%s", "a b", "$HOME", ""}).out == "a b|$HOME|");
}

TEST_CASE("output larger than a pipe's buffer, on both at once") {
  const RunResult result =
      run({"sh", "-c", "head -c 1000000 /dev/zero >&2 & head -c 2000000 /dev/zero; wait"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.size() == 2000000);
  CHECK(result.err.size() == 1000000);
}

TEST_CASE("a signal is told from an exit code") {
  const RunResult result = run({"sh", "-c", "kill -SEGV $$"});
  CHECK(result.signalled);
  CHECK(result.signal == SIGSEGV);
  CHECK(result.exit_code == -1);
}

TEST_CASE("the time limit ends the program and its children, also when they closed their output") {
  RunOptions options;
  options.timeout_s = 0.2;
  for (const char* script : {"echo begun; sleep 100", "echo begun; exec >&- 2>&-; sleep 100"}) {
    const RunResult result = run({"sh", "-c", script}, options);
    CHECK(result.timed_out);
    CHECK(result.signalled);
    CHECK(result.out == "begun\n");
    CHECK(result.elapsed_s < 50);
  }
}

TEST_CASE("Ctrl-C") {
  RunOptions options;
  options.interrupt_after_s = 0.1;
  const RunResult result = run({"sleep", "50"}, options);
  CHECK(result.signalled);
  CHECK(result.signal == SIGINT);
  CHECK_FALSE(result.timed_out);
}

TEST_CASE("environment, folder and input") {
  course::TemporaryFolder folder;
  RunOptions options;
  options.environment["COURSE_TEST_VARIABLE"] = "a=b";
  options.unset = {"HOME"};
  options.working_directory = folder.path();
  options.input = "line\n";
  const RunResult result =
      run({"sh", "-c", "cat; pwd; echo $COURSE_TEST_VARIABLE ${HOME-none}"}, options);
  CHECK(result.out == "line\n" + folder.path() + "\na=b none\n");
  CHECK(run({"cat"}).out == "");  // no input: the end of the file at once
}

TEST_CASE("what cannot be run says so") {
  CHECK_THROWS_WITH(run({"/no/such/program"}),
                    "cannot run '/no/such/program': No such file or directory");
  RunOptions options;
  options.working_directory = "/no/such/folder";
  CHECK_THROWS(run({"true"}, options));
}

// A test program runs thousands of others. A descriptor that each leaves behind ends it at the 1024th.
TEST_CASE("no descriptor is left open") {
  const auto open_now = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  RunOptions with_input, short_time, elsewhere;
  with_input.input = "text";
  short_time.timeout_s = 0.1;
  elsewhere.working_directory = "/no/such/folder";
  const auto before = open_now();
  run({"true"});
  CHECK(open_now() == before);
  run({"cat"}, with_input);
  CHECK(open_now() == before);
  run({"sleep", "10"}, short_time);
  CHECK(open_now() == before);
  CHECK_THROWS(run({"/no/such/program"}));
  CHECK_THROWS(run({"true"}, elsewhere));
  CHECK(open_now() == before);
  CHECK(course::written_to(stdout, [] { puts("words"); }) == "words\n");
  CHECK(open_now() == before);
  // Nor does a child get any of ours: it has what a shell's child has.
  const course::TemporaryFolder folder;
  REQUIRE(system(("ls /proc/self/fd >" + folder.file("list")).c_str()) == 0);
  CHECK(run({"ls", "/proc/self/fd"}).out == course::read_file(folder.file("list")));
}

TEST_CASE("temporary folders") {
  std::string path;
  {
    course::TemporaryFolder folder, other;
    path = folder.path();
    CHECK(path != other.path());
    CHECK(folder.names().empty());
    course::write_text(folder.file("b"), "text");
    course::write_text(folder.file("a"), "");
    CHECK(folder.names() == std::vector<std::string>{"a", "b"});
    CHECK(course::read_file(folder.file("b")) == "text");
    CHECK_THROWS(course::read_file(folder.file("c")));
  }
  CHECK(access(path.c_str(), F_OK) != 0);
}

TEST_CASE("counting lines") {
  CHECK(course::count_lines("") == 0);
  CHECK(course::count_lines("one") == 1);
  CHECK(course::count_lines("one\n") == 1);
  CHECK(course::count_lines("one\n\nthree") == 3);
}
