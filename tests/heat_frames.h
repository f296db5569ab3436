// The frames of chapter 7's and 8's heat at one step each, for the tests of their windows: time
// goes on while a test looks, so it asks whether a picture is any of them.
#pragma once

#include <algorithm>
#include <vector>

#include "../common/heat.h"
#include "window_check.h"

namespace course {

class HeatFrames {
 public:
  explicit HeatFrames(int size)
      : size_(size), temperatures_(start_temperatures(size)), heaters_(make_heaters(size)) {}

  // Frame number `ticks`; 0 is the start. Computed when it is asked for.
  const Picture& frame(size_t ticks) {
    while (frames_.size() <= ticks) {
      Picture picture;
      for (float temperature : temperatures_) {
        const uchar4 color = heat_color(temperature);
        picture.insert(picture.end(), {color.x, color.y, color.z, color.w});
      }
      frames_.push_back(picture);
      step();
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
  void step() {
    for (size_t i = 0; i < temperatures_.size(); i++)
      if (heaters_[i] != 0) temperatures_[i] = heaters_[i];
    const std::vector<float> old = temperatures_;
    const auto at = [&](int x, int y) {
      return old[std::clamp(x, 0, size_ - 1) + size_ * std::clamp(y, 0, size_ - 1)];
    };
    for (int y = 0; y < size_; y++)
      for (int x = 0; x < size_; x++)
        temperatures_[x + size_ * y] =
            next_temperature(at(x, y), at(x, y - 1), at(x - 1, y), at(x + 1, y), at(x, y + 1));
  }

  int size_;
  std::vector<float> temperatures_, heaters_;
  std::vector<Picture> frames_;
};

}  // namespace course
