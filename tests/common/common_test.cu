// The helpers in common/ that every chapter uses. What they do when a program has to end is seen in
// a child process.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <climits>
#include <cstring>
#include <functional>
#include <limits>
#include <sstream>

#include "../../common/book.h"
#include "../../common/program/broken_on_purpose.h"
#include "../../common/program/compare.h"
#include "../../common/cpu_bitmap.h"
#include "../../common/program/device.h"
#include "../../common/program/long_run.h"
#include "../../common/program/options.h"
#include "../../common/pictures/picture.h"
#include "../../common/program/random.h"
#include "../../common/program/rounding.h"
#include "../../common/program/timing.h"
#include "../../common/pictures/verify_picture.h"
#include "../../common/pictures/window.h"
#include "../harness/run_program.h"
#include "../harness/slow_kernel.h"

// For the build with AddressSanitizer: after fork() it does not see what the device's threads,
// which are the parent's, hold, and would report it as lost. The program itself never calls this.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

namespace {

// AddressSanitizer answers with a report of its own where new finds no memory.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMemoryMayEnd = false;
#else
constexpr bool kMemoryMayEnd = true;
#endif

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

struct Ending {
  int exit_code = -1;  // -1: by a signal
  int signal = 0;
  std::string out, err;
};

// Runs `work` in a child process, which ends with 0 if `work` returns. `work` must not use the
// device: after fork() the CUDA runtime is not the child's.
Ending in_child(const std::function<void()>& work) {
  course::TemporaryFolder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);  // doctest's own handlers would report the child's signals
    signal(SIGTERM, SIG_DFL);
    if (freopen(out.c_str(), "w", stdout) == nullptr) _exit(99);
    if (freopen(err.c_str(), "w", stderr) == nullptr) _exit(99);
    work();
    fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Ending ending;
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.out = course::read_file(out);
  ending.err = course::read_file(err);
  return ending;
}

void check_bad_usage(const Ending& ending, const std::string& reason) {
  INFO(ending.err);
  CHECK(ending.exit_code == 2);
  CHECK(ending.out == "");
  CHECK(course::count_lines(ending.err) == 1);
  CHECK(course::contains(ending.err, reason));
}

}  // namespace

// ------------------------------------------------------------------------------------- compare.h

TEST_CASE("compare: equality is the default") {
  const int a[] = {1, 2, 3}, b[] = {1, 2, 3}, c[] = {1, 5, 4};
  CHECK(course::compare("a", a, b, 3).equal);
  CHECK(course::compare("a", a, c, 0).equal);
  const course::Comparison outcome = course::compare("a", a, c, 3);
  CHECK_FALSE(outcome.equal);
  CHECK(outcome.differing == 2);
  CHECK(outcome.worst == 1);
  CHECK(outcome.message == "a is wrong at [1]: got 2, expected 5 (2 of 3 differ)");
}

TEST_CASE("compare: tolerances") {
  const float result[] = {100, 0.5f}, expected[] = {101, 0};
  CHECK_FALSE(course::compare("x", result, expected, 1, 0.009).equal);
  CHECK(course::compare("x", result, expected, 1, 0.01).equal);
  CHECK(course::compare("x", result, expected, 1, 0, 1).equal);
  CHECK_FALSE(course::compare("x", result, expected, 2, 0.01).equal);
  CHECK(course::compare("x", result, expected, 2, 0.01, 0.5).equal);
}

TEST_CASE("compare: tolerances are relative to the size of what is expected") {
  const float result[] = {-100}, expected[] = {-101};
  CHECK(course::compare("x", result, expected, 1, 0.01).equal);
  CHECK_FALSE(course::compare("x", result, expected, 1, 0.009).equal);
  // Of two differences of one size the first is named.
  const int a[] = {1, 2, 3}, b[] = {1, 4, 5};
  CHECK(course::compare("x", a, b, 3).worst == 1);
}

TEST_CASE("compare: NaN never passes") {
  const double infinite_tolerance = kInfinity;
  const float nan[] = {kNan}, one[] = {1};
  for (double tolerance : {0.0, 1.0, infinite_tolerance}) {
    CHECK_FALSE(course::compare("x", nan, one, 1, tolerance, tolerance).equal);
    CHECK_FALSE(course::compare("x", one, nan, 1, tolerance, tolerance).equal);
    CHECK_FALSE(course::compare("x", nan, nan, 1, tolerance, tolerance).equal);
  }
  const float mixed[] = {0, kNan, 5}, expected[] = {100, 1, 5};
  const course::Comparison outcome = course::compare("x", mixed, expected, 3);
  CHECK(outcome.worst == 1);  // worse than any number
  CHECK(outcome.differing == 2);
}

TEST_CASE("compare: infinity passes only for the same infinity") {
  const double plus[] = {kInfinity}, minus[] = {-kInfinity}, one[] = {1};
  CHECK(course::compare("x", plus, plus, 1).equal);
  CHECK(course::compare("x", minus, minus, 1, 1e9, 1e9).equal);
  CHECK_FALSE(course::compare("x", plus, minus, 1, 1e9, 1e9).equal);
  CHECK_FALSE(course::compare("x", plus, one, 1, 1e9, 1e9).equal);
  CHECK_FALSE(course::compare("x", one, plus, 1, 1e9, 1e9).equal);
}

TEST_CASE("compare: whole numbers that a double does not hold") {
  const long long a[] = {(1LL << 53) + 1}, b[] = {1LL << 53};
  CHECK_FALSE(course::compare("x", a, b, 1).equal);
  CHECK(course::compare("x", a, a, 1).equal);
  const unsigned long long c[] = {ULLONG_MAX}, d[] = {ULLONG_MAX - 1};
  CHECK_FALSE(course::compare("x", c, d, 1).equal);
  const int minus_one[] = {-1};
  CHECK_FALSE(course::compare("x", minus_one, c, 1).equal);
}

TEST_CASE("compare: bytes are printed as numbers") {
  const unsigned char a[] = {65}, b[] = {66};
  CHECK(course::compare("x", a, b, 1).message ==
        "x is wrong at [0]: got 65, expected 66 (1 of 1 differ)");
}

TEST_CASE("compare: floats that differ are printed differently") {
  const float a[] = {1}, b[] = {1 + 0x1p-23f};
  CHECK(course::compare("x", a, b, 1).message ==
        "x is wrong at [0]: got 1, expected 1.00000012 (1 of 1 differ)");
}

TEST_CASE("verify: one line on stderr, nothing if all is right") {
  const int a[] = {1}, b[] = {2};
  const Ending wrong = in_child([&] { exit(course::verify("c", a, b, 1) ? 0 : 5); });
  CHECK(wrong.exit_code == 5);
  CHECK(wrong.out == "");
  CHECK(wrong.err == "c is wrong at [0]: got 1, expected 2 (1 of 1 differ)\n");
  const Ending right = in_child([&] { exit(course::verify("c", a, a, 1) ? 0 : 5); });
  CHECK(right.exit_code == 0);
  CHECK(right.out + right.err == "");
}

TEST_CASE("compare_pictures") {
  const unsigned char a[] = {0, 0, 0, 255, 10, 20, 30, 255};
  unsigned char b[sizeof a];
  memcpy(b, a, sizeof a);
  CHECK(course::compare_pictures(a, b, 2).largest == 0);
  CHECK(course::compare_pictures(a, b, 2).share() == 0);
  CHECK(course::compare_pictures(a, b, 0).share() == 0);
  b[5] = 25;
  b[6] = 29;
  const course::PictureDifference difference = course::compare_pictures(a, b, 2);
  CHECK(difference.largest == 5);
  CHECK(difference.differing_pixels == 1);
  CHECK(difference.share() == 0.5);
}

// ------------------------------------------------------------------------------ verify_picture.h

TEST_CASE("verify_picture allows for the last bit of a gray, and for no more") {
  const unsigned char a[] = {100, 100, 100, 255}, near[] = {102, 99, 100, 255},
                      far[] = {103, 100, 100, 255};
  const course::TemporaryFolder folder;
  const auto verify = [&](const unsigned char* rgba) {
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    exit(course::verify_picture(rgba, a, 1, 1) ? 0 : 5);
  };
  const Ending right = in_child([&] { verify(near); });
  CHECK(right.exit_code == 0);
  CHECK(right.out == "1 of 1 pixel differs from the CPU's (100 %), by 2 of 255 at most\n");
  CHECK(folder.names().empty());
  const Ending wrong = in_child([&] { verify(far); });
  CHECK(wrong.exit_code == 5);
  CHECK(course::count_lines(wrong.err) == 1);
}

TEST_CASE("a wrong picture is saved, and its first wrong pixel named with its thread") {
  const int width = 40, height = 3;
  std::vector<unsigned char> expected(4 * width * height, 200), result = expected;
  result[4 * (35 + 2 * width) + 1] = 100;  // pixel (35, 2), green
  result[4 * (36 + 2 * width) + 1] = 150;
  result[4 * 7] = 201;  // within the tolerance
  for (const char* save : {"", "sub.folder/mine.png", "missing/mine.png"}) {
    const course::TemporaryFolder folder;
    const Ending wrong = in_child([&] {
      if (chdir(folder.path().c_str()) != 0 || mkdir("sub.folder", 0700) != 0) _exit(99);
      course::picture_request().save = save;
      exit(course::verify_picture(result.data(), expected.data(), width, height) ? 0 : 5);
    });
    CHECK(wrong.exit_code == 5);
    CHECK_MESSAGE(course::contains(wrong.err,
                                   "pixel (x, y) = (35, 2), counted from the lower left, drawn by "
                                   "block (2,0), thread (3,2): red, green, blue, alpha are "
                                   "200 100 200 200 instead of 200 200 200 200\n"),
                  wrong.err);
    if (std::string(save) == "missing/mine.png") {
      CHECK(course::contains(wrong.err, "missing/ is not writable"));
      continue;
    }
    const std::string name = *save == '\0' ? program_invocation_short_name : "sub.folder/mine";
    CHECK(course::contains(wrong.out, "saved " + name + "_wrong.png and " + name + "_difference"));
    CHECK(folder.names().size() == (*save == '\0' ? 3 : 1));
    CHECK(course::read_file(folder.file(name + "_wrong.png")).substr(1, 3) == "PNG");
    CHECK(course::read_file(folder.file(name + "_difference.png")).substr(1, 3) == "PNG");
  }
  CHECK(course::pixel_in_words(7, 5, dim3(0, 0)) ==
        "pixel (x, y) = (2, 1), counted from the lower left");
}

TEST_CASE("the block and thread of each pixel, in blocks of any shape") {
  const int width = 30, height = 20;
  for (const dim3& block : {dim3(16, 16), dim3(8, 4), dim3(4, 8), dim3(32, 1), dim3(1, 7)})
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        unsigned at[2] = {0, 0}, left[2] = {unsigned(x), unsigned(y)};
        for (; left[0] >= block.x; left[0] -= block.x) at[0]++;
        for (; left[1] >= block.y; left[1] -= block.y) at[1]++;
        std::ostringstream expected;
        expected << "pixel (x, y) = (" << x << ", " << y
                 << "), counted from the lower left, drawn by block (" << at[0] << "," << at[1]
                 << "), thread (" << left[0] << "," << left[1] << ")";
        REQUIRE(course::pixel_in_words(x + y * width, width, block) == expected.str());
      }
}

TEST_CASE("the picture of what is wrong: black where nothing is, stretched, opaque") {
  const unsigned char a[] = {10, 20, 30, 255, 1, 2, 3, 255, 9, 9, 9, 255};
  const unsigned char b[] = {10, 20, 30, 255, 1, 42, 23, 255, 9, 9, 9, 245};
  const std::vector<unsigned char> expected = {0, 0, 0, 255, 0, 255, 127, 255, 63, 63, 63, 255};
  CHECK(course::difference_picture(a, b, 3, 1) == expected);
}

// ------------------------------------------------------------------------------------ long_run.h

TEST_CASE("how long and how much, in words") {
  CHECK(course::time_in_words(0) == "0.0 s");
  CHECK(course::time_in_words(0.5) == "0.5 s");
  CHECK(course::time_in_words(9.94) == "9.9 s");
  CHECK(course::time_in_words(40.4) == "40 s");
  CHECK(course::time_in_words(116) == "116 s");
  CHECK(course::time_in_words(120) == "2.0 min");
  CHECK(course::time_in_words(3600) == "60 min");
  CHECK(course::time_in_words(7200) == "2.0 h");
  CHECK(course::time_in_words(1e6) == "12 days");
  CHECK(course::announcement(4.9, 1e9) == "");
  CHECK(course::announcement(40, 1.2e9) == "this will take about 40 s and 1.2 GB here");
  CHECK(course::announcement(40, 0) == "this will take about 40 s here");
}

TEST_CASE("the whole is estimated by a part, which is done twice") {
  int calls = 0;
  const auto sleep = [&] {
    calls++;
    usleep(1000);
  };
  CHECK(course::estimate_s(7.9, 1, sleep) == 0);  // not worth it
  CHECK(calls == 0);
  CHECK(course::estimate_s(8000, 2, sleep) >= 4);
  CHECK(calls == 2);
  int sizes = 0;
  course::estimate_picture_s(1024, [&](int part) { sizes += part; });
  CHECK(sizes == 2 * 256);
}

TEST_CASE("how long measuring takes") {
  CHECK(course::measuring_ms(0.1) == doctest::Approx(0.6));   // warms up, and 5 times
  const double third = course::kLongEnoughMs * 0.37;
  CHECK(course::measuring_ms(third) == doctest::Approx(4 * third));  // 3 times are long enough
  CHECK(course::measuring_ms(3000) == doctest::Approx(3000));  // the first is long enough
  CHECK(course::measuring_ms(0) == 0);
}

TEST_CASE("the first run warms up, unless it is long enough") {
  std::vector<double> times = {course::kLongEnoughMs / 2, 4, 1, 3, 2, 5, 6};
  size_t runs = 0;
  const auto next = [&] { return times[runs++]; };
  CHECK(course::measure_ms(next, 5) == 3);
  CHECK(runs == 6);
  runs = 0;
  times[0] = course::kLongEnoughMs;
  CHECK(course::measure_ms(next, 5) == course::kLongEnoughMs);
  CHECK(runs == 1);
}

TEST_CASE("a long run says so once, and shows itself on a terminal only") {
  const Ending silent = in_child([] { course::LongRun(4, 1e9, true); });
  CHECK(silent.out + silent.err == "");
  const Ending file = in_child([] {
    const course::LongRun long_run(60, 1e9, false);
    usleep(700000);
  });
  CHECK(file.err == std::string(program_invocation_short_name) +
                        ": this will take about 60 s and 1.0 GB here\n");
  const Ending terminal = in_child([] {
    course::LongRun long_run(60, 1e9, true);
    usleep(700000);
    long_run.hide();
    fprintf(stderr, "result\n");
  });
  CHECK_MESSAGE(course::contains(terminal.err, " s of about 60 s\033[K"), terminal.err);
  CHECK_MESSAGE(course::contains(terminal.err, "\r\033[Kresult\n"), terminal.err);
  CHECK(course::LongRun::line(15, 60) ==
        "[" + std::string(10, '#') + std::string(30, ' ') + "] 15 s of about 60 s");
  CHECK(course::LongRun::line(70, 60) ==
        "[" + std::string(40, '#') + "] 70 s, longer than expected");
}

TEST_CASE("what is counted") {
  CHECK(course::count_of(0, "step") == "0 steps");
  CHECK(course::count_of(1, "step") == "1 step");
  CHECK(course::count_of(2, "step") == "2 steps");
}

// ------------------------------------------------------------------------------------- options.h

namespace {

struct Parsed {
  int size = 10;
  long long count = 5;
  float scale = 1.5f;
  bool fast = false;
  std::string label = "none", mode = "one", report;
};

Parsed parse(std::vector<std::string> args) {
  Parsed parsed;
  course::Options options("Is for the test.");
  options.number("size", &parsed.size, 0, 1000, "elements");
  options.number("count", &parsed.count, -5, 1LL << 40, "things");
  options.real("scale", &parsed.scale, -10, 10, "factor");
  options.flag("fast", &parsed.fast, "hurry");
  options.text("label", "TEXT", &parsed.label, "what to call it");
  options.choice("mode", &parsed.mode, {"one", "two"}, "which");
  options.output("report", &parsed.report, "to write");
  options.picture();
  args.insert(args.begin(), "program");
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(&arg[0]);
  argv.push_back(nullptr);
  options.parse(static_cast<int>(args.size()), argv.data());
  return parsed;
}

void check_refused(const std::vector<std::string>& args, const std::string& reason) {
  check_bad_usage(in_child([&] { parse(args); }), reason);
}

}  // namespace

TEST_CASE("options: defaults, and every kind of value") {
  CHECK(parse({}).size == 10);
  CHECK(parse({}).mode == "one");
  const Parsed parsed = parse({"--size", "0", "--count=-5", "--scale", "-2.5", "--fast", "--label",
                               "-x y", "--mode", "two"});
  CHECK(parsed.size == 0);
  CHECK(parsed.count == -5);
  CHECK(parsed.scale == -2.5f);
  CHECK(parsed.fast);
  CHECK(parsed.label == "-x y");
  CHECK(parsed.mode == "two");
  CHECK(parsed.report == "");
  CHECK(parse({"--report", "/dev/null"}).report == "/dev/null");
  CHECK(parse({"--count", "1099511627776"}).count == 1LL << 40);
  CHECK(parse({"-size", "7"}).size == 7);                  // one dash is a dash
  CHECK(parse({"--size", "7", "--size", "8"}).size == 8);  // the last one counts
}

TEST_CASE("options: numbers that are none, or too large") {
  for (const char* bad : {"", " ", "abc", "5x", "1.5", "1e2", "0x10", "-1", "1001", "1000000000000",
                          "99999999999999999999", "-99999999999999999999", "--fast"})
    check_refused({"--size", bad}, "--size must be a whole number, 0 to 1000, not '");
  for (const char* bad : {"", "abc", "1.5x", "nan", "inf", "-inf", "10.01", "1e999"})
    check_refused({"--scale", bad}, "--scale must be a number, -10 to 10, not '");
}

TEST_CASE("options: what there is not") {
  check_refused({"--no-such"}, "there is no option '--no-such'");
  check_refused({"--fast", "--no-such=5"}, "there is no option '--no-such=5'");
  check_refused({"-x"}, "there is no option '-x'");
  check_refused({"-xyz"}, "there is no option '-xyz'");
  check_refused({"--s"}, "there is no option '--s'");  // size, scale or save?
  check_refused({"--fast=1"}, "'--fast=1'");
  check_refused({"--size"}, "--size needs a value");
  check_refused({"--fast", "--mode"}, "--mode needs a value");
  check_refused({"--label", ""}, "--label needs a value");
  check_refused({"--report", ""}, "--report needs a value");
  check_refused({"--report", "no/such/folder/report.txt"}, "No such file or directory");
  check_refused({"--report", "/"}, "Is a directory");
  check_refused({"extra"}, "nothing to do with 'extra'");
  check_refused({"--mode", "three"}, "--mode must be one of one|two, not 'three'");
}

TEST_CASE("options: --help names each, and its default") {
  const Ending ending = in_child([] { parse({"--size", "3", "--help"}); });
  CHECK(ending.exit_code == 0);
  CHECK(ending.err == "");
  for (const char* part : {"Is for the test.", "--size N", "0 to 1000, default 10", "--scale X",
                           "--fast", "--label TEXT", "--mode one|two", "--save FILE", "--help"})
    CHECK_MESSAGE(course::contains(ending.out, part), ending.out);
}

TEST_CASE("options: a size that memory does not hold is no crash") {
  if (!kMemoryMayEnd) return;
  check_bad_usage(in_child([] {
                    parse({});
                    rlimit limit = {1 << 30, 1 << 30};
                    setrlimit(RLIMIT_AS, &limit);
                    std::vector<char> too_large(size_t(1) << 40);
                    printf("%p\n", too_large.data());  // or the compiler may leave it out
                  }),
                  "not enough host memory");
}

TEST_CASE("skip: exit code 77 and the reason") {
  const Ending ending = in_child([] { course::skip("no second GPU"); });
  CHECK(ending.exit_code == 77);
  CHECK(ending.out == "skipped: no second GPU\n");
}

TEST_CASE("options: a picture that cannot be written is refused at once") {
  course::TemporaryFolder folder;
  CHECK(mkdir(folder.file("folder.png").c_str(), 0777) == 0);
  check_refused({"--save", folder.file("no/x.png")}, "No such file or directory");
  check_refused({"--save", folder.file("folder.png")}, "Is a directory");
  check_refused({"--save", "/dev/null/x.png"}, "Not a directory");
  check_refused({"--save", folder.file("x.jpg")}, "ends in .png");
  check_refused({"--save", folder.file("")}, "ends in .png");
  check_refused({"--save", ".png"}, "ends in .png");
  CHECK(folder.names() == std::vector<std::string>{"folder.png"});
}

TEST_CASE("options: what only looks like a file is refused at once") {
  course::TemporaryFolder folder;
  check_refused({"--save", "/proc/x.png"}, "cannot write '/proc/x.png'");
  check_refused({"--save", "/sys/x.png"}, "cannot write '/sys/x.png'");
  // The file is written under a longer name first.
  check_refused({"--save", folder.file(std::string(250, 'x') + ".png")}, "File name too long");
  CHECK(folder.names().empty());
  CHECK(in_child([&] { parse({"--save", folder.file("x.png")}); }).exit_code == 0);
  CHECK(folder.names().empty());  // what was tried leaves nothing
}

TEST_CASE("output that nobody reads ends the program with 1 and one line") {
  const auto ending_with = [](const std::function<void()>& redirect) {
    return in_child([&] {
      parse({});
      redirect();
      for (int i = 0; i < 10000; i++) printf("a line of output\n");
      exit(0);
    });
  };
  const Ending closed = ending_with([] {
    int ends[2];
    CHECK(pipe(ends) == 0);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
  });
  const Ending full = ending_with([] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  course::TemporaryFolder folder;
  const Ending limited = ending_with([&] {
    const rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(open(folder.file("out.txt").c_str(), O_WRONLY | O_CREAT, 0666), STDOUT_FILENO);
  });
  for (const Ending& ending : {closed, full, limited}) {
    CHECK(ending.exit_code == 1);
    CHECK_MESSAGE(course::count_lines(ending.err) == 1, ending.err);
    CHECK(course::contains(ending.err, "the output could not be written: "));
  }
  CHECK(ending_with([] {}).exit_code == 0);
  // Another reason to end keeps its own exit code and its one line.
  const Ending skipped = in_child([&] {
    parse({});
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
    course::skip("a reason");
  });
  CHECK(skipped.exit_code == 77);
  CHECK(skipped.err == "");
}

TEST_CASE("options: no permission") {
  course::TemporaryFolder folder;
  course::write_text(folder.file("mine.png"), "");
  CHECK(chmod(folder.file("mine.png").c_str(), 0444) == 0);
  CHECK(chmod(folder.path().c_str(), 0555) == 0);
  const auto as_somebody = [&](const std::string& name) {
    return in_child([&] {
      // root may do everything, so the child becomes nobody
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) exit(99);
      parse({"--save", folder.file(name)});
    });
  };
  // In the child of an ordinary user the folder is read-only; for nobody it is another's.
  Ending ending = as_somebody("new.png");
  if (ending.exit_code == 99) return;  // a container that lets nobody become nobody
  check_bad_usage(ending, "Permission denied");
  check_bad_usage(as_somebody("mine.png"), "Permission denied");
  CHECK(chmod(folder.path().c_str(), 0755) == 0);
}

// ------------------------------------------------------------------------------------- picture.h

namespace {

std::vector<unsigned char> random_picture(int width, int height) {
  course::Random random(3);
  std::vector<unsigned char> rgba(4 * static_cast<size_t>(width) * height);
  for (unsigned char& byte : rgba) byte = static_cast<unsigned char>(random.below(256));
  return rgba;
}

}  // namespace

TEST_CASE("pictures: what is encoded comes back, the first row at the bottom") {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(3, 2), std::pair(97, 31)}) {
    const std::vector<unsigned char> rgba = random_picture(width, height);
    const std::vector<unsigned char> png = course::encode_png(rgba.data(), width, height);
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, png.data(), png.size()));
    CHECK(static_cast<int>(image.width) == width);
    CHECK(static_cast<int>(image.height) == height);
    image.format = PNG_FORMAT_RGBA;
    std::vector<unsigned char> top_first(rgba.size());
    REQUIRE(png_image_finish_read(&image, nullptr, top_first.data(), 4 * width, nullptr));
    const size_t row = 4 * static_cast<size_t>(width);
    for (int y = 0; y < height; y++)
      CHECK(memcmp(&top_first[y * row], &rgba[(height - 1 - y) * row], row) == 0);
  }
}

TEST_CASE("pictures: a file is written whole, and replaces an older one") {
  course::TemporaryFolder folder;
  const std::string path = folder.file("x.png");
  course::write_file(path, "old and long", 12);
  course::write_file(path, "new", 3);
  CHECK(course::read_file(path) == "new");
  CHECK(folder.names() == std::vector<std::string>{"x.png"});
  course::write_file(path, "", 0);
  CHECK(course::read_file(path) == "");
  course::write_file("/dev/null", "abc", 3);
}

TEST_CASE("pictures: what cannot be written ends the program with one line, and leaves nothing") {
  course::TemporaryFolder folder;
  check_bad_usage(in_child([&] { course::write_file(folder.file("no/x.png"), "x", 1); }),
                  "No such file or directory");
  CHECK(mkdir(folder.file("folder").c_str(), 0777) == 0);
  check_bad_usage(in_child([&] { course::write_file(folder.file("folder"), "x", 1); }),
                  "Is a directory");
  CHECK(symlink("/dev/full", folder.file("full.png").c_str()) == 0);
  check_bad_usage(in_child([&] { course::write_file(folder.file("full.png"), "x", 1); }),
                  "No space left on device");
  CHECK(folder.names() == std::vector<std::string>{"folder", "full.png"});
}

TEST_CASE("pictures: a disk that becomes full leaves the older picture as it was") {
  course::TemporaryFolder folder;
  course::write_file(folder.file("x.png"), "old", 3);
  const std::string data(100000, 'x');
  check_bad_usage(in_child([&] {
                    rlimit limit = {4096, 4096};  // the nearest to a full disk that one can have
                    setrlimit(RLIMIT_FSIZE, &limit);
                    course::write_file(folder.file("x.png"), data.data(), data.size());
                  }),
                  "File too large");
  CHECK(folder.names() == std::vector<std::string>{"x.png"});
  CHECK(course::read_file(folder.file("x.png")) == "old");
}

TEST_CASE("pictures: Ctrl-C waits for the file") {
  const Ending ending = in_child([] {
    const course::SignalsHeldBack held_back;
    kill(getpid(), SIGINT);
    printf("still here\n");
    fflush(stdout);
  });
  CHECK(ending.out == "still here\n");
  CHECK(ending.exit_code == -1);
  CHECK(ending.signal == SIGINT);
}

// ---------------------------------------------------------------------------------- cpu_bitmap.h

TEST_CASE("CPUBitmap: the book's interface") {
  int data = 0;
  CPUBitmap bitmap(3, 2, &data);
  CHECK(bitmap.x == 3);
  CHECK(bitmap.y == 2);
  CHECK(bitmap.image_size() == 24);
  CHECK(bitmap.get_ptr() == bitmap.pixels);
  CHECK(bitmap.dataBlock == &data);
  for (int i = 0; i < 24; i++) CHECK(bitmap.pixels[i] == 0);
}

TEST_CASE("CPUBitmap: without a display it saves the picture, calls back, and ends with 0") {
  course::TemporaryFolder folder;
  const Ending ending = in_child([&] {
    unsetenv("DISPLAY");
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    static int answer = 42;
    CPUBitmap bitmap(3, 2, &answer);
    bitmap.display_and_exit([](void* data) { printf("%d\n", *static_cast<int*>(data)); });
    _exit(98);
  });
  CHECK(ending.exit_code == 0);
  CHECK(ending.out == "saved common_test.png (3 x 2)\n42\n");
  CHECK(folder.names() == std::vector<std::string>{"common_test.png"});
}

TEST_CASE("CPUBitmap: a size that makes no picture") {
  check_bad_usage(in_child([] { CPUBitmap(0, 5); }), "0 x 5");
  check_bad_usage(in_child([] { CPUBitmap(5, -1); }), "5 x -1");
  check_bad_usage(in_child([] { CPUBitmap(INT_MAX, INT_MAX); }), "take a smaller size");
}

// -------------------------------------------------------------------------------------- random.h

TEST_CASE("pictures and animations too large for their file are refused before they are drawn") {
  const auto refused = [](const std::string& file, const std::function<void()>& make) {
    return in_child([&] {
      course::picture_request().save = file;
      make();
    });
  };
  check_bad_usage(refused("x.png", [] { CPUBitmap bitmap(32768, 32768); }), "take a smaller size");
  check_bad_usage(refused("x.png", [] { CPUBitmap bitmap(1000001, 1); }), "take a smaller size");
  CHECK(refused("x.png", [] { CPUBitmap bitmap(1000000, 1); }).exit_code == 0);
}

TEST_CASE("random numbers: the same everywhere") {
  course::Random random(5489);  // the engine's first number for its default seed
  CHECK(random.bits() == 3499211612u);
  course::Random a(1), b(1), c(2);
  CHECK(a.bits() == b.bits());
  CHECK(a.bits() != c.bits());
}

TEST_CASE("random numbers: their ranges") {
  course::Random random(1);
  float lowest = 1, highest = 0;
  int seen[3] = {};
  for (int i = 0; i < 100000; i++) {
    const float u = random.uniform();
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
    const float v = random.uniform(1, 2);
    REQUIRE((v >= 1 && v < 2));
    const float w = random.uniform(-1e30f, 1e30f);
    REQUIRE((w >= -1e30f && w < 1e30f));
    seen[random.below(3)]++;
    REQUIRE(random.below(1) == 0);
  }
  CHECK(lowest >= 0);
  CHECK(lowest < 0.001f);
  CHECK(highest < 1);
  CHECK(highest > 0.999f);
  for (int count : seen) CHECK(std::abs(count - 33333) < 1000);
  // A range of two neighboring floats leaves only the lower one.
  const float next = std::nextafter(1.0f, 2.0f);
  for (int i = 0; i < 100; i++) CHECK(random.uniform(1, next) == 1);
}

// ------------------------------------------------------------------------------------ rounding.h

__global__ static void sums_of_products(const float* x, float* sums, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    sums[i] = course::product(x[i], x[i + 1]) + course::product(x[i + 2], x[i + 3]) - x[i + 4];
}

TEST_CASE("product: rounded alike on the device, on the CPU, and by hand") {
  const int n = 10000;
  course::Random random(1);
  std::vector<float> x(n + 4), sums(n), by_hand(n), on_cpu(n);
  for (float& number : x) number = random.uniform(-1, 1);
  for (int i = 0; i < n; i++) {
    volatile float a = x[i] * x[i + 1], b = x[i + 2] * x[i + 3];  // volatile: rounded, and stored
    by_hand[i] = a + b - x[i + 4];
    on_cpu[i] = course::product(x[i], x[i + 1]) + course::product(x[i + 2], x[i + 3]) - x[i + 4];
  }
  float *dev_x, *dev_sums;
  HANDLE_ERROR(cudaMalloc(&dev_x, x.size() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_sums, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  sums_of_products<<<(n + 255) / 256, 256>>>(dev_x, dev_sums, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(sums.data(), dev_sums, n * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  HANDLE_ERROR(cudaFree(dev_sums));
  CHECK(course::compare("on the CPU", on_cpu.data(), by_hand.data(), n).message == "");
  CHECK(course::compare("on the device", sums.data(), by_hand.data(), n).message == "");
}

// ---------------------------------------------------------------------------------------- book.h

TEST_CASE("HANDLE_ERROR names the place, the call and the error in words") {
  const Ending ending = in_child([] { HANDLE_ERROR(cudaErrorInvalidValue); });
  CHECK(ending.exit_code == 1);
  CHECK(ending.out == "");
  CHECK(course::count_lines(ending.err) == 1);
  for (const char* part : {"common_test.cu:", "cudaErrorInvalidValue failed: invalid argument"})
    CHECK_MESSAGE(course::contains(ending.err, part), ending.err);
  CHECK(in_child([] { HANDLE_ERROR(cudaSuccess); }).exit_code == 0);
}

TEST_CASE("HANDLE_ERROR: what the machine lacks is no fault of the program") {
  const Ending none = in_child([] { HANDLE_ERROR(cudaErrorNoDevice); });
  CHECK(none.exit_code == 77);
  CHECK(none.err == "");
  CHECK(none.out.rfind("skipped: there is no device", 0) == 0);
  CHECK(course::count_lines(none.out) == 1);
  if (course::on_cpu_device())  // a GPU's memory is not the child's
    check_bad_usage(in_child([] { HANDLE_ERROR(cudaErrorMemoryAllocation); }),
                    "the device's memory is too small for this");
}

TEST_CASE("HANDLE_NULL") {
  int* number = static_cast<int*>(malloc(sizeof(int)));
  HANDLE_NULL(number);
  free(number);
  const Ending ending = in_child([] {
    int* nothing = nullptr;
    HANDLE_NULL(nothing);
  });
  CHECK(ending.exit_code == 1);
  CHECK(course::contains(ending.err, "nothing is NULL"));
}

TEST_CASE("random blocks: the same in every run, with every value of a byte") {
  unsigned char* a = static_cast<unsigned char*>(big_random_block(100003));
  unsigned char* b = static_cast<unsigned char*>(big_random_block(100003));
  CHECK(memcmp(a, b, 100003) == 0);
  int histogram[256] = {};
  for (int i = 0; i < 100003; i++) histogram[a[i]]++;
  for (int count : histogram) CHECK(std::abs(count - 390) < 120);  // six standard deviations
  free(a);
  free(b);
  free(big_random_block(0));
  free(big_random_block(-1));
  int* numbers = big_random_block_int(1000);
  for (int i = 0; i < 1000; i++) CHECK(numbers[i] >= 0);
  free(numbers);
}

TEST_CASE("swap") {
  float one = 1, two = 2;
  float *a = &one, *b = &two;
  swap(a, b);
  CHECK(*a == 2);
  CHECK(*b == 1);
}

TEST_CASE("the heat colors: hue by hue") {
  CHECK(value(0, 1, 0) == 0);
  CHECK(value(0, 1, 30) == 127);
  CHECK(value(0, 1, 60) == 255);
  CHECK(value(0, 1, 179) == 255);
  CHECK(value(0, 1, 210) == 127);
  CHECK(value(0, 1, 240) == 0);
  CHECK(value(0, 1, -60) == value(0, 1, 300));
  CHECK(value(0, 1, 420) == value(0, 1, 60));
  const uchar4 cold = heat_color(0), hot = heat_color(1), half = heat_color(0.5f);
  CHECK((cold.x == 0 && cold.y == 0 && cold.z == 0 && cold.w == 255));
  CHECK((hot.x == 255 && hot.y == 255 && hot.z == 255));
  CHECK((half.x == 255 && half.y == 0 && half.z == 0));  // pure red
}

// Hue, lightness and saturation 1 to a channel, the way textbooks do it: chroma, and a triangle
// wave over the hue, in degrees, of which each channel takes another part.
static double channel_by_the_textbook(double hue, double lightness, double turned) {
  const double chroma = 1 - std::fabs(2 * lightness - 1);
  const double sextant = std::fmod(hue + turned + 720, 360) / 60;
  const double wave = sextant < 1 ? sextant : sextant < 3 ? 1 : sextant < 4 ? 4 - sextant : 0;
  return 255 * (lightness - chroma / 2 + chroma * wave);
}

TEST_CASE("the heat colors are those of a textbook") {
  for (int i = 0; i < 1000; i++) {
    const float temperature = (i + 0.4f) / 1000;  // whose hue is never near a whole degree
    // The hue is cut to whole degrees, which are 4 of 255.
    const double hue = 180 + std::floor(360.0 * temperature);
    const uchar4 color = heat_color(temperature);
    CAPTURE(temperature);
    REQUIRE(std::abs(color.x - channel_by_the_textbook(hue, temperature, 120)) < 1.5);
    REQUIRE(std::abs(color.y - channel_by_the_textbook(hue, temperature, 0)) < 1.5);
    REQUIRE(std::abs(color.z - channel_by_the_textbook(hue, temperature, -120)) < 1.5);
    REQUIRE(color.w == 255);
  }
  // By hand: a quarter of the way, hue 270, half as bright: violet; three quarters, hue 90, pale.
  const uchar4 quarter = heat_color(0.25f), three_quarters = heat_color(0.75f);
  CHECK((quarter.x == 63 && quarter.y == 0 && quarter.z == 127));
  CHECK((three_quarters.x == 191 && three_quarters.y == 255 && three_quarters.z == 127));
}

TEST_CASE("float_to_color: both kernels give the colors of heat_color") {
  const int width = 32, height = 16;
  std::vector<float> field(width * height);
  for (int i = 0; i < width * height; i++) field[i] = static_cast<float>(i) / (width * height);
  float* dev_field;
  uchar4* dev_colors;
  HANDLE_ERROR(cudaMalloc(&dev_field, field.size() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_colors, field.size() * sizeof(uchar4)));
  HANDLE_ERROR(
      cudaMemcpy(dev_field, field.data(), field.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (bool bytes : {false, true}) {
    HANDLE_ERROR(cudaMemset(dev_colors, 0, field.size() * sizeof(uchar4)));
    const dim3 grid(width / 16, height / 8), block(16, 8);
    if (bytes)
      float_to_color<<<grid, block>>>(reinterpret_cast<unsigned char*>(dev_colors), dev_field);
    else
      float_to_color<<<grid, block>>>(dev_colors, dev_field);
    HANDLE_ERROR(cudaGetLastError());
    std::vector<uchar4> colors(field.size()), expected(field.size());
    HANDLE_ERROR(cudaMemcpy(colors.data(), dev_colors, field.size() * sizeof(uchar4),
                            cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < field.size(); i++) expected[i] = heat_color(field[i]);
    const course::PictureDifference difference =
        course::compare_pictures(&colors[0].x, &expected[0].x, field.size());
    CHECK(difference.largest <= 1);
    CHECK(colors[0].w == 255);
  }
  HANDLE_ERROR(cudaFree(dev_field));
  HANDLE_ERROR(cudaFree(dev_colors));
}

TEST_CASE("host threads") {
  static int results[3];
  CUTThread threads[3];
  for (int i = 0; i < 3; i++) {
    results[i] = i;
    threads[i] = start_thread(
        [](void* data) -> void* {
          *static_cast<int*>(data) += 10;
          return nullptr;
        },
        &results[i]);
  }
  wait_for_threads(threads, 2);
  end_thread(threads[2]);
  for (int i = 0; i < 3; i++) CHECK(results[i] == 10 + i);
}

// ---------------------------------------------------------------------------- device.h, timing.h

TEST_CASE("bytes in words") {
  CHECK(course::bytes_in_words(0) == "0 bytes");
  CHECK(course::bytes_in_words(1) == "1 byte");
  CHECK(course::bytes_in_words(999) == "999 bytes");
  CHECK(course::bytes_in_words(1500) == "1.5 kB");
  CHECK(course::bytes_in_words(12e6) == "12 MB");
  CHECK(course::bytes_in_words(1e30) == "1000000000000 EB");
}

TEST_CASE("memory: what fits passes, what does not is refused with one line") {
  CHECK(course::available_host_memory() > 1e6);
  CHECK(course::available_host_memory() < 1e15);
  course::require_memory(1000, 1000);
  check_bad_usage(in_child([] { course::require_host_memory(1e18); }),
                  "needs 1.0 EB of host memory");
}

TEST_CASE("memory: what a container's limit leaves") {
  const course::TemporaryFolder version_2, version_1, none;
  course::write_text(version_2.file("memory.max"), "5000000\n");
  course::write_text(version_2.file("memory.current"), "2000000\n");
  CHECK(course::container_memory_left(version_2.path()) == 3e6);
  course::write_text(version_2.file("memory.max"), "max\n");
  CHECK(course::container_memory_left(version_2.path()) > 1e18);
  CHECK(mkdir(version_1.file("memory").c_str(), 0777) == 0);
  course::write_text(version_1.file("memory/memory.limit_in_bytes"), "7000000\n");
  course::write_text(version_1.file("memory/memory.usage_in_bytes"), "8000000\n");
  CHECK(course::container_memory_left(version_1.path()) == 0);
  CHECK(course::container_memory_left(none.path()) > 1e18);
}

TEST_CASE("the device's name and multiprocessors") {
  CHECK(!course::device_name().empty());
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(course::multiprocessors() == properties.multiProcessorCount);
}

TEST_CASE("median") {
  CHECK(course::median({}) == 0);
  CHECK(course::median({3}) == 3);
  CHECK(course::median({3, 1}) == 2);
  CHECK(course::median({5, 1, 3}) == 3);
}

TEST_CASE("billions per second: 10^9, not 2^30, in milliseconds") {
  CHECK(course::billions_per_second(1e9, 1000) == doctest::Approx(1));
  CHECK(course::billions_per_second(3.0 * (1 << 30), 1000) == doctest::Approx(3.221225472));
  CHECK(course::billions_per_second(2e6, 0.5) == doctest::Approx(4));
  CHECK(course::billions_per_second(0, 1) == 0);
  CHECK(course::billions_per_second(1, 0) == 0);
}

TEST_CASE("measuring runs the work once more than it says, and gives a time") {
  // Sleeping may take longer than asked for, never less; and no run takes longer than all of them.
  int runs = 0;
  course::Stopwatch watch;
  const double host_ms = course::measure_host_ms(
      [&] {
        usleep(3000);
        runs++;
      },
      3);
  CHECK(runs == 4);
  CHECK(host_ms >= 3);
  CHECK(3 + 2 * host_ms <= watch.elapsed_ms());  // the first run, and two are not below the median
  runs = 0;
  watch = course::Stopwatch();
  const double device_ms = course::measure_device_ms(
      [&] {
        course::slow_kernel<<<1, 1>>>(3);
        runs++;
      },
      3);
  CHECK(runs == 4);
  CHECK(device_ms >= course::at_least(3));
  CHECK(course::at_least(3) + 2 * device_ms <= 1.01 * watch.elapsed_ms());
  // The copies did not take longer than all of it, which was for at least 1 MiB, there and back.
  watch = course::Stopwatch();
  const double gb_per_s = course::measure_copy_gb_per_s(), whole_ms = watch.elapsed_ms();
  CHECK(gb_per_s >= 2e-6 * (1 << 20) / whole_ms);
  CHECK(gb_per_s < 1e6);
}

TEST_CASE("an event timer measures what is queued between its two calls") {
  course::slow_kernel<<<1, 1>>>(20);
  course::EventTimer timer;
  const course::Stopwatch watch;
  timer.start();
  course::slow_kernel<<<1, 1>>>(5);
  const double ms = timer.stop();
  CHECK(ms >= course::at_least(5));
  CHECK(ms <= watch.elapsed_ms() * 1.01);
}

TEST_CASE("a program that is wrong on purpose: what it says, and how it ends") {
  const bool cpu = course::on_cpu_device();
  // In this process: they ask CUDA on which device they are.
  CHECK(course::broken_as_intended(true, "(seen)", "(elsewhere)") == 0);
  CHECK(course::broken_as_intended(false, "(not seen)", "(elsewhere)") == (cpu ? 1 : 0));
}

TEST_CASE("a display is asked for only if there is one") {
  CHECK(in_child([] {
          unsetenv("DISPLAY");
          exit(course::has_display() ? 5 : 0);
        }).exit_code == 0);
  CHECK(in_child([] {
          setenv("DISPLAY", "", 1);
          exit(course::has_display() ? 5 : 0);
        }).exit_code == 0);
}
