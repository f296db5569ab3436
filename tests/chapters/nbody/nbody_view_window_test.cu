// nbody_view in a window: what the mouse and the keys do, each seen in what the window shows.

#define main program_main
#include "../../../nbody/nbody_view.cu"
#undef main

#include "../../harness/window_check.h"

namespace {

constexpr int kBodies = 60, kPixels = 96;

// What the program shows of bodies that stand still (--rate 0 --turn 0).
struct Still {
  const char* initial = "galaxies";
  float yaw = 0, pitch = 0.5f, zoom = 1;
  bool speed_colors = false;
};

course::Picture draw(const Still& still) {
  nbody::View view;
  view.request.start.initial = still.initial;
  view.request.start.size = kBodies;
  view.request.start.softening = nbody::scene_of(still.initial).softening;
  view.speed_colors = still.speed_colors;
  view.turning = view.rate = 0;
  GPUAnimBitmap bitmap(kPixels, kPixels, &view);
  view.show_in(&bitmap);
  view.begin(view.request.start.make());
  view.look(still.yaw, still.pitch, still.zoom);
  const course::Picture picture = bitmap.read_frame(
      [](uchar4* rgba, void* data, int) { static_cast<nbody::View*>(data)->draw(rgba); }, &view, 1);
  view.leave();
  return picture;
}

course::WindowCase showing(const Still& still) {
  const course::Picture expected = draw(still);
  return {"nbody_view",
          {"--size", std::to_string(kBodies), "--pixels", std::to_string(kPixels), "--rate", "0",
           "--turn", "0"},
          kPixels,
          [expected](const course::Picture& picture) {
            return course::same_picture(picture, expected);
          },
          "nbody"};
}

}  // namespace

TEST_CASE("the window") { course::check_window(showing({})); }

TEST_CASE("the animation") { course::check_animation_window(showing({})); }

TEST_CASE("drag, wheel, keys") {
  const course::XServer server;
  course::WindowedProgram run(showing({}).command(), server, course::window_options());
  const course::XWindow window = run.window();
  Still still;
  course::check_shown(showing(still), window);

  // Half a turn for a drag across the window; it turns while the button is pressed, and the next
  // drag goes on from there.
  const float radians_per_pixel = static_cast<float>(M_PI) / kPixels;
  window.move_mouse(40, 20);
  window.press_button();
  course::check_shown(showing(still), window);
  window.move_mouse(60, 10);
  still.yaw += 20 * radians_per_pixel;
  still.pitch -= 10 * radians_per_pixel;
  course::check_shown(showing(still), window);
  window.move_mouse(40, 20);  // where it began
  still.yaw -= 20 * radians_per_pixel;
  still.pitch += 10 * radians_per_pixel;
  course::check_shown(showing(still), window);
  window.move_mouse(40, 44);
  window.release_button();
  still.pitch += 24 * radians_per_pixel;
  course::check_shown(showing(still), window);
  window.resize(2 * kPixels, 2 * kPixels);  // where the same drag takes twice the way
  course::check_shown(showing(still), window);
  window.move_mouse(80, 40);
  window.press_button();
  window.move_mouse(80 + 2 * 30, 40);
  window.release_button();
  still.yaw += 30 * radians_per_pixel;
  course::check_shown(showing(still), window);
  window.resize(kPixels, kPixels);

  window.move_mouse(40, 40);
  const auto wheel = [&](int button) {
    window.press_button(button);
    window.release_button(button);
  };
  wheel(4);  // away from the user: closer
  wheel(4);
  still.zoom = 1.25f * 1.25f;
  course::check_shown(showing(still), window);
  wheel(5);
  wheel(5);
  wheel(5);
  still.zoom *= 0.8f * 0.8f * 0.8f;
  course::check_shown(showing(still), window);

  window.press("c");
  still.speed_colors = true;
  course::check_shown(showing(still), window);
  window.press("c");
  still.speed_colors = false;
  course::check_shown(showing(still), window);

  window.press("x");  // means nothing
  window.press("r");  // from the beginning, as it was seen there
  course::check_shown(showing({}), window);

  window.press("Escape");
  const course::RunResult result = run.result();
  CHECK(result.exit_code == 0);
  course::check_quiet(result.err);
  CHECK_MESSAGE(course::contains(result.out, std::to_string(kBodies) + " bodies: "), result.out);
  CHECK(course::contains(result.out, " frames/s, 0 steps/s, 0 TFLOP/s"));
}

TEST_CASE("the keys 1 to 5 choose the start") {
  const course::XServer server;
  std::vector<std::string> command = showing({}).command();
  command.insert(command.end(), {"--dt", "0"});  // the start's own rate comes with the key
  for (const int key : {2, 3, 4, 5, 1}) {
    CAPTURE(key);
    course::WindowedProgram run(command, server, course::window_options());
    const course::XWindow window = run.window();
    course::check_shown(showing({}), window);
    window.press("space");  // pauses, before anything can move
    window.press(std::to_string(key));
    Still still;
    still.initial = nbody::kScenes[key - 1].initial;
    course::check_shown(showing(still), window);
    course::wait_until("its title", [&] {
      return course::contains(window.title(), std::string("nbody_view: ") + still.initial + ", " +
                                                  std::to_string(kBodies) + " bodies, ");
    });
    window.close();
    CHECK(run.result().exit_code == 0);
  }
}

TEST_CASE("it moves, pauses, goes on, and takes smaller steps") {
  const course::XServer server;
  course::WindowedProgram run({showing({}).path(), "--initial", "orbit", "--pixels",
                               std::to_string(kPixels), "--turn", "0"},
                              server, course::window_options());
  const course::XWindow window = run.window();
  const auto moves = [&] {
    const course::Picture first = window.picture();
    course::wait_until("bodies that move", [&] { return window.picture() != first; });
  };
  // What the title says: steps per second, at a rate of 1 in steps of 0.01.
  const auto steps_per_second = [&] {
    const std::string title = window.title();
    const size_t at = title.find(" frames/s, ");
    return at == std::string::npos ? -1 : atoi(title.c_str() + at + strlen(" frames/s, "));
  };
  moves();
  course::wait_until("100 steps per second",
                     [&] { return steps_per_second() >= 85 && steps_per_second() <= 115; });
  CHECK(course::contains(window.title(), "nbody_view: orbit, 2 bodies, "));
  CHECK(course::contains(window.title(), " TFLOP/s"));
  window.press("minus");
  course::wait_until("200 steps per second",
                     [&] { return steps_per_second() >= 170 && steps_per_second() <= 230; });
  window.press("plus");
  window.press("plus");
  course::wait_until("50 steps per second",
                     [&] { return steps_per_second() >= 40 && steps_per_second() <= 60; });

  window.press("space");
  course::wait_until("a pause", [&] { return steps_per_second() == 0; });
  const course::Picture paused = window.picture();
  usleep(300000);
  CHECK(window.picture() == paused);
  window.press("space");
  moves();
  window.press("q");
  CHECK(run.result().exit_code == 0);
}
