// Shows moving bodies, from colliding galaxies to a periodic box.
//
// What to look at: the next steps are computed while the last ones are drawn. The steps have a
// stream of their own, from which the positions are copied once per frame. The drawing has another
// one, into a buffer shared with OpenGL (chapter 8). Each waits for the other only where necessary.
// splats.h turns bodies into light.
//
//   ./course run nbody_view --size 16384              a window; Esc closes it
//   ./course run nbody_view --initial box --times
//   ./course run nbody_view --size 16384 --frames 90 --save galaxies.webp
//
// Drag to turn, zoom with the wheel. Space pauses, r restarts, c changes the colors, 1 to 5 choose
// other bodies, + and - double and halve the time step.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/gpu_anim.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "gravity_pairs.h"
#include "gravity_periodic.h"
#include "gravity_registers.h"
#include "program.h"
#include "simulation.h"
#include "splats.h"

namespace nbody {

// Settings for an initial system: time step, softening, and the simulated time per second.
struct Scene {
  const char* initial;
  float dt, softening, rate;
};
constexpr Scene kScenes[] = {{"galaxies", 0.02f, 0.05f, 2},
                             {"plummer", 0.01f, 0.05f, 1},
                             {"collapse", 0.005f, 0.03f, 0.5f},
                             {"planets", 0.005f, 0.002f, 0.5f},
                             {"box", 0.005f, 0.02f, 0.5f},  // keys 1 to 5
                             {"galaxy", 0.02f, 0.05f, 2},
                             {"cube", 0.01f, 0.05f, 0.5f},
                             {"orbit", 0.01f, 0, 1}};
constexpr int kSceneKeys = 5;

inline const Scene& scene_of(const std::string& initial) {
  const Scene* scene = kScenes;
  while (initial != scene->initial) scene++;
  return *scene;
}

// Computes how many steps a frame needs. Without a window, all frames are equally long, and all
// steps are taken. With a window, no more steps are taken than fit into a frame, because the window
// must respond. Simulated time then passes more slowly.
class Clock {
 public:
  // Simulated time advances by `amount`. A step is `dt`, and there is time for `most` steps.
  int steps_for(double amount, double dt, int most) {
    due_ += amount;
    const double wanted = dt > 0 ? std::min(floor(due_ / dt), 1e9) : 0;
    if (wanted > most) due_ = most * dt + fmod(due_, dt);  // the others are lost
    const int steps = static_cast<int>(std::min(wanted, 1.0 * most));
    due_ -= steps * dt;
    return steps;
  }
  // The time that is left, less than a step.
  double rest() const { return due_; }

 private:
  double due_ = 0;
};

// How much of the bodies' world the picture shows. It grows quickly, so that no body leaves the
// picture, and shrinks slowly, so that it does not pulse with every orbit.
inline float follow_extent(float shown, float measured, double seconds) {
  const double reaction = measured > shown ? 0.3 : 5;
  const double eased = shown + (measured - shown) * (1 - exp(-seconds / reaction));
  return std::max(static_cast<float>(eased), 0.87f * measured);  // the picture reaches to 1.25
}

// Steps and frames of the last half second, for the title.
struct Pace {
  course::Stopwatch watch;
  long long frames = 0, steps = 0;

  std::string in_words(int n) const {
    const double seconds = watch.elapsed_ms() * 1e-3;
    char text[120];
    snprintf(text, sizeof text, "%.0f frames/s, %.0f steps/s, %.3g TFLOP/s", frames / seconds,
             steps / seconds, kOperationsPerInteraction * n * n * (steps / seconds) * 1e-12);
    return text;
  }
};

// The data that the callbacks share.
class View {
 public:
  Request request;  // the options, later changed by keys
  Version version = kRegisters;
  float rate = 1;        // time that passes in a second
  float turning = 0.1f;  // radians per second, by itself
  bool speed_colors = false;

  // Starts with these bodies, as request says. Ends the program if the accelerations are wrong.
  void begin(const Bodies& bodies) {
    HANDLE_ERROR(cudaStreamSynchronize(drawing_));
    simulation_.reset();
    steps_ = 0;
    const bool box = in_box();
    simulation_ = std::make_unique<Simulation>(bodies, box ? kPeriodic : version, request.settings);
    if (!verify_accelerations("at the start", bodies.positions, simulation_->accelerations(),
                              request.settings.softening, nullptr,
                              box ? Space::kBox : Space::kOpen))
      exit(course::kExitWrong);
    const size_t n = std::max(1, bodies.count());
    HANDLE_ERROR(cudaSetDevice(screen_));
    free_copies();
    HANDLE_ERROR(cudaMalloc(&bodies_, n * sizeof(float4)));
    HANDLE_ERROR(cudaMalloc(&velocities_, n * sizeof(float3)));
    HANDLE_ERROR(cudaMalloc(&origins_, n * sizeof(Origin)));
    HANDLE_ERROR(cudaMemcpy(origins_, bodies.origins.data(), bodies.count() * sizeof(Origin),
                            cudaMemcpyHostToDevice));
    shining_ = static_cast<int>(bodies.origins.size()) -
               static_cast<int>(std::count(bodies.origins.begin(), bodies.origins.end(), kHalo));
    center_ = center_of_mass(bodies);
    extent_ = 1;
    clock_ = Clock();
    time_ = 0;
    extent_ = extent_of(bodies);
    drawn_once_ = false;
    dragging_ = false;
    look(0, 0.5f, 1);
  }

  // Belongs to the current device, which is the one that draws.
  void show_in(GPUAnimBitmap* bitmap) {
    bitmap_ = bitmap;
    HANDLE_ERROR(cudaGetDevice(&screen_));
    int least = 0, greatest = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    HANDLE_ERROR(cudaStreamCreateWithPriority(&drawing_, cudaStreamNonBlocking, greatest));
    for (cudaEvent_t* event : {&mapped_, &drawn_})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    HANDLE_ERROR(cudaEventRecord(drawn_, drawing_));  // nothing to wait for yet
    HANDLE_ERROR(cudaSetDevice(0));  // where the simulation's first stream is
    HANDLE_ERROR(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming));
    HANDLE_ERROR(cudaEventCreate(&steps_begin_));
    HANDLE_ERROR(cudaEventCreate(&steps_end_));
    HANDLE_ERROR(cudaSetDevice(screen_));
    painter_ = std::make_unique<Painter>(bitmap->width, drawing_);
  }

  // One frame. The picture shows the state after the steps of the last frame. The steps for the
  // next frame are queued before it is drawn.
  void draw(uchar4* pixels) {
    const double seconds = seconds_of_frame();
    wait_for_steps();
    HANDLE_ERROR(cudaEventSynchronize(drawn_));
    if (drawn_once_) extent_ = follow_extent(extent_, painter_->extent(), paused_ ? 0 : seconds);
    drawn_once_ = true;
    if (!dragging_) yaw_ += static_cast<float>(turning * seconds);

    simulation_->copy_state(screen_, bodies_, velocities_, drawn_, copied_);
    const Shot shot = make_shot();
    queue_steps(seconds);
    HANDLE_ERROR(cudaSetDevice(screen_));
    // The buffer is ours from here on in the default stream.
    HANDLE_ERROR(cudaEventRecord(mapped_, nullptr));
    HANDLE_ERROR(cudaStreamWaitEvent(drawing_, mapped_, 0));
    HANDLE_ERROR(cudaStreamWaitEvent(drawing_, copied_, 0));
    painter_->draw(bodies_, velocities_, origins_, simulation_->count(), shot, exposure(), pixels);
    HANDLE_ERROR(cudaEventRecord(drawn_, drawing_));
    HANDLE_ERROR(cudaStreamWaitEvent(nullptr, drawn_, 0));
    if (bitmap_->has_window()) show_pace();
  }

  // While the mouse is dragged: half a turn for the whole width.
  void turn(int from_x, int from_y, int to_x, int to_y) {
    if (!dragging_) {
      dragging_ = true;
      pressed_yaw_ = yaw_;
      pressed_pitch_ = pitch_;
    }
    const float radians_per_pixel = static_cast<float>(M_PI) / bitmap_->width;
    yaw_ = pressed_yaw_ + radians_per_pixel * (to_x - from_x);
    pitch_ = pressed_pitch_ + radians_per_pixel * (to_y - from_y);
  }
  void end_turn() { dragging_ = false; }

  // From another side, and closer or from further away.
  void look(float yaw, float pitch, float zoom) {
    yaw_ = yaw;
    pitch_ = pitch;
    zoom_ = zoom;
  }

  void zoom(int direction) {
    zoom_ = std::clamp(zoom_ * (direction > 0 ? 1.25f : 0.8f), 0.01f, 1000.0f);
  }

  void press(unsigned char key) {
    if (key == ' ') paused_ = !paused_;
    if (key == 'c') speed_colors = !speed_colors;
    if (key == 'r') begin(request.start.make());
    if (key == '+' || key == '-') {
      float& dt = request.settings.dt;
      dt = std::clamp(key == '+' ? 2 * dt : dt / 2, 1e-6f, 1.0f);
      simulation_->set_time_step(dt);
    }
    if (key >= '1' && key < '1' + kSceneKeys) {
      const Scene& scene = kScenes[key - '1'];
      request.start.file.clear();
      request.start.initial = scene.initial;
      request.start.softening = request.settings.softening = scene.softening;
      request.settings.dt = scene.dt;
      rate = scene.rate;
      begin(request.start.make());
    }
  }

  void leave() {
    if (bitmap_->has_window() && whole_.frames > 0)
      printf("%s: %s\n", bodies_in_words(simulation_->count()).c_str(),
             whole_.in_words(simulation_->count()).c_str());
    HANDLE_ERROR(cudaStreamSynchronize(drawing_));
    simulation_.reset();
    painter_.reset();
    HANDLE_ERROR(cudaSetDevice(screen_));
    free_copies();
    for (cudaEvent_t event : {mapped_, drawn_, copied_, steps_begin_, steps_end_})
      HANDLE_ERROR(cudaEventDestroy(event));
    HANDLE_ERROR(cudaStreamDestroy(drawing_));
  }

  // What the next frame is drawn with.
  Shot make_shot() const {
    Shot shot = {};
    const int pixels = bitmap_->width;
    const double now = time_ + clock_.rest();
    shot.camera = make_camera(yaw_, pitch_, 0.4f * pixels * zoom_ / extent_,
                              make_float3(static_cast<float>(center_.x + now * drift_.x),
                                          static_cast<float>(center_.y + now * drift_.y),
                                          static_cast<float>(center_.z + now * drift_.z)));
    shot.pixels = pixels;
    shot.ahead = static_cast<float>(clock_.rest());
    shot.box = in_box();
    shot.speed_colors = speed_colors;
    shot.usual_speed = sqrtf(mass_ / extent_);
    shot.radius = std::max(1.5f, pixels / 256.0f);
    return shot;
  }

  // Few bodies are bright each, many only together.
  float exposure() const {
    const float radius = std::max(1.5f, bitmap_->width / 256.0f);
    const float splats = static_cast<float>(M_PI) / 3 * radius * radius * std::max(1, shining_);
    return std::min(0.5f * bitmap_->width * bitmap_->width / splats, 2.0f);
  }

 private:
  bool in_box() const { return request.start.file.empty() && request.start.initial == "box"; }

  // Also measures the mass, and how the center drifts. (A box has no center.)
  double3 center_of_mass(const Bodies& bodies) {
    double3 center = make_double3(0, 0, 0);
    drift_ = center;
    double mass = 0;
    for (int i = 0; i < bodies.count(); i++) {
      const float4 p = bodies.positions[i];
      const float3 v = bodies.velocities[i];
      mass += p.w;
      center = make_double3(center.x + 1.0 * p.w * p.x, center.y + 1.0 * p.w * p.y,
                            center.z + 1.0 * p.w * p.z);
      drift_ = make_double3(drift_.x + 1.0 * p.w * v.x, drift_.y + 1.0 * p.w * v.y,
                            drift_.z + 1.0 * p.w * v.z);
    }
    mass_ = mass > 0 ? static_cast<float>(mass) : 1;
    if (in_box()) center = drift_ = make_double3(0, 0, 0);
    drift_ = make_double3(drift_.x / mass_, drift_.y / mass_, drift_.z / mass_);
    return make_double3(center.x / mass_, center.y / mass_, center.z / mass_);
  }

  // What the painter will measure.
  float extent_of(const Bodies& bodies) const {
    const Shot shot = make_shot();
    std::vector<unsigned int> bins(kBins);
    for (int i = 0; i < bodies.count(); i++) {
      const float3 place = seen(shot, bodies.positions[i], bodies.velocities[i]);
      if (bodies.origins[i] != kHalo)
        bins[bin_of(sqrtf(place.x * place.x + place.y * place.y + place.z * place.z))]++;
    }
    return extent(bins.data());
  }

  // Frames of a file are equally long. In a window, a frame lasts as long as it takes.
  double seconds_of_frame() {
    double seconds = course::kFrameDuration * 1e-3;
    if (bitmap_->has_window()) seconds = std::min(frame_.elapsed_ms() * 1e-3, 0.1);
    frame_ = course::Stopwatch();
    return seconds;
  }

  void queue_steps(double seconds) {
    // With a window: as many as fit into 15 ms, and at least one.
    int most = 1000000000;
    if (bitmap_->has_window())
      most = step_ms_ > 0 ? static_cast<int>(std::clamp(15 / step_ms_, 1.0, 1e6)) : 1;
    const float dt = request.settings.dt;
    steps_ = paused_ ? 0 : clock_.steps_for(rate * seconds, dt, most);
    time_ += steps_ * static_cast<double>(dt);
    HANDLE_ERROR(cudaSetDevice(0));
    HANDLE_ERROR(cudaEventRecord(steps_begin_, simulation_->stream()));
    simulation_->step(steps_);
    HANDLE_ERROR(cudaEventRecord(steps_end_, simulation_->stream()));
  }

  // Estimates how long a step takes.
  void wait_for_steps() {
    if (steps_ == 0) return;
    simulation_->wait();
    float ms = 0;
    HANDLE_ERROR(cudaEventElapsedTime(&ms, steps_begin_, steps_end_));
    step_ms_ = ms / steps_;
    pace_.steps += steps_;
    whole_.steps += steps_;
  }

  void show_pace() {
    if (whole_.frames == 0) whole_ = pace_ = Pace();
    pace_.frames++;
    whole_.frames++;
    if (pace_.watch.elapsed_ms() < 500) return;
    const int n = simulation_->count();
    const std::string title = std::string(program_invocation_short_name) + ": " +
                              (request.start.file.empty() ? request.start.initial : "a file") +
                              ", " + bodies_in_words(n) + ", " + pace_.in_words(n);
    glutSetWindowTitle(title.c_str());
    pace_ = Pace();
  }

  void free_copies() {
    HANDLE_ERROR(cudaFree(bodies_));
    HANDLE_ERROR(cudaFree(velocities_));
    HANDLE_ERROR(cudaFree(origins_));
    bodies_ = nullptr;
    velocities_ = nullptr;
    origins_ = nullptr;
  }

  GPUAnimBitmap* bitmap_ = nullptr;
  int screen_ = 0;  // the device that draws
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Painter> painter_;
  cudaStream_t drawing_ = nullptr;
  cudaEvent_t mapped_ = nullptr, drawn_ = nullptr, copied_ = nullptr;
  cudaEvent_t steps_begin_ = nullptr, steps_end_ = nullptr;
  float4* bodies_ = nullptr;  // on the device that draws, as they are drawn
  float3* velocities_ = nullptr;
  Origin* origins_ = nullptr;

  int shining_ = 0;  // bodies that are not of the halo
  float mass_ = 1;
  double3 center_{}, drift_{};  // of the mass, at the start; and its velocity
  float extent_ = 1;            // as it is drawn
  bool drawn_once_ = false;

  Clock clock_;
  double time_ = 0;  // that the steps have taken since the start
  int steps_ = 0;    // queued for the next frame
  double step_ms_ = 0;
  bool paused_ = false;
  course::Stopwatch frame_;
  Pace pace_, whole_;

  float yaw_ = 0, pitch_ = 0.5f, zoom_ = 1;
  bool dragging_ = false;
  float pressed_yaw_ = 0, pressed_pitch_ = 0;
};

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::View view;
  nbody::Request& request = view.request;
  request.start.initial = "galaxies";
  request.start.size = 2048;
  int pixels = 512;
  std::string integrator = "leapfrog", colors = "origin", version = "registers";
  course::Options options(
      "Draws bodies under their own gravity. Drag to turn, zoom with the wheel; keys: space "
      "pauses, "
      "r starts again, c changes the colors, 1 to 5 choose the start, + and - the time step.");
  course::gpu_animation(options);
  request.add_options(options, {"box"});
  options.number("pixels", &pixels, 1, 8192, "width and height of the picture")
      .real("rate", &view.rate, 0, 10000, "time that passes in a second")
      .real("turn", &view.turning, -100, 100, "radians per second that the view turns by itself")
      .choice("colors", &colors, {"origin", "speed"}, "color bodies by origin or by speed")
      .choice("version", &version, {"registers", "pairs"}, "version of gravity (not for the box)")
      .choice("integrator", &integrator, {"leapfrog", "euler"}, "leapfrog or symplectic Euler");
  options.parse(argc, argv);
  // Again: now the initial system is known, and with it the defaults of dt, softening and rate.
  const nbody::Scene& scene = nbody::scene_of(request.start.initial);
  request.settings.dt = scene.dt;
  request.start.softening = scene.softening;
  view.rate = scene.rate;
  options.parse(argc, argv);
  request.settings.integrator = nbody::integrator_of(integrator);
  view.version = version == "pairs" ? nbody::kPairs : nbody::kRegisters;
  view.speed_colors = colors == "speed";

  const double picture_bytes = nbody::Painter::device_bytes(pixels) + 4.0 * pixels * pixels;
  const nbody::Bodies bodies =
      request.make_bodies({view.version}, picture_bytes + 29.0 * request.start.size);
  GPUAnimBitmap bitmap(pixels, pixels, &view);
  view.show_in(&bitmap);
  view.begin(bodies);
  bitmap.drag_motion([](void* data, int from_x, int from_y, int to_x, int to_y) {
    static_cast<nbody::View*>(data)->turn(from_x, from_y, to_x, to_y);
  });
  bitmap.click_drag(
      [](void* data, int, int, int, int) { static_cast<nbody::View*>(data)->end_turn(); });
  bitmap.wheel_turn(
      [](void* data, int direction) { static_cast<nbody::View*>(data)->zoom(direction); });
  bitmap.key_press(
      [](void* data, unsigned char key) { static_cast<nbody::View*>(data)->press(key); });
  bitmap.anim_and_exit(
      [](uchar4* rgba, void* data, int) { static_cast<nbody::View*>(data)->draw(rgba); },
      [](void* data) { static_cast<nbody::View*>(data)->leave(); });
  return 0;
}
