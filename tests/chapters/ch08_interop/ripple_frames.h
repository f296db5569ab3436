// The frames of the ripples of chapters 5 and 8, which have one formula, for the tests of their
// windows: time goes on while a test looks, so it asks whether a picture is any of them.
#pragma once

#include <cstdlib>
#include <utility>

#include "../../../ch08_interop/ripple.h"
#include "../../../common/pictures/window.h"
#include "../../harness/window_check.h"

namespace course {

// Whether the picture shows waves at some time from where center(ticks), a pair, says: in pixels
// from the lower left corner.
template <typename Center>
bool shows_waves(const Picture& picture, int size, const Center& center) {
  if (picture.empty()) return false;
  for (int ticks = 1; ticks < 20000; ticks++) {
    const auto [x, y] = center(ticks);
    const uchar4 corner = ripple_color(-x, -y, ticks);
    if (std::abs(corner.x - picture[0]) > 2) continue;
    if (same_picture(picture, ripple_reference(size, x, y, ticks))) return true;
  }
  return false;
}

// The program `name`, whose waves come from the middle of `size` x `size` pixels.
inline WindowCase ripple_case(const std::string& chapter, const std::string& name, int size) {
  return {name,
          {"--size", std::to_string(size)},
          size,
          [size](const Picture& picture) {
            return shows_waves(picture, size, [size](int) {
              return std::pair<int, int>{size / 2, size / 2};
            });
          },
          chapter};
}

}  // namespace course
