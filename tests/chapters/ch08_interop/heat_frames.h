// The frames of chapter 7's and 8's heat at one step each, for the tests of their windows: time
// goes on while a test looks, so it asks whether a picture is any of them.
#pragma once

#include <vector>

#include "../../../common/lessons/heat.h"
#include "../../harness/window_check.h"

namespace course {

class HeatFrames {
 public:
  explicit HeatFrames(int size)
      : size_(size),
        temperatures_(start_temperatures(size)),
        next_(temperatures_.size()),
        heaters_(make_heaters(size)) {}

  // Frame number `ticks`; 0 is the start. Computed when it is asked for.
  const Picture& frame(size_t ticks) {
    while (frames_.size() <= ticks) {
      Picture picture;
      for (float temperature : temperatures_) {
        const uchar4 color = heat_color(temperature);
        picture.insert(picture.end(), {color.x, color.y, color.z, color.w});
      }
      frames_.push_back(picture);
      step_reference(temperatures_, next_, heaters_, size_);
      temperatures_.swap(next_);
    }
    return frames_[ticks];
  }

  bool contain(const Picture& picture) {
    if (picture.empty()) return false;
    for (size_t ticks = 1; ticks < 5000; ticks++)
      if (same_picture(picture, frame(ticks))) return true;
    return false;
  }

 private:
  int size_;
  std::vector<float> temperatures_, next_, heaters_;
  std::vector<Picture> frames_;
};

}  // namespace course
