// Numbers in a program's output: whether they fit each other. No test expects a time; but what a
// program says of a time, such as GB/s, can be worked out from the time that it prints next to it.
#pragma once

#include <cmath>
#include <string>

namespace course {

// A printed number: what it may have been before it was rounded. NaN if it is not there.
struct Printed {
  double low = NAN, high = NAN;
};

// The number that follows the first `label` in the text, and any blanks.
Printed printed_after(const std::string& text, const std::string& label);

// Whether `result` can be factor * dividend / divisor.
bool is_quotient(Printed result, double factor, Printed dividend, Printed divisor);

// Checks that the number after `rate` is `amount` divided by the number after `time`.
void check_rate(const std::string& text, const std::string& rate, double amount,
                const std::string& time);

}  // namespace course
