#include "figures.h"

#include <doctest/doctest.h>

#include <cstdlib>

namespace course {

Printed printed_after(const std::string& text, const std::string& label) {
  const size_t at = text.find(label);
  if (at == std::string::npos) return {};
  const char* const begin = text.c_str() + at + label.size();
  char* end = nullptr;
  const double value = strtod(begin, &end);
  if (end == begin) return {};
  const std::string number(begin, static_cast<size_t>(end - begin));
  const size_t exponent_at = number.find('e');
  const size_t point = number.find('.');
  const size_t digits_end = exponent_at == std::string::npos ? number.size() : exponent_at;
  const double decimals = point == std::string::npos ? 0.0 : double(digits_end - point - 1);
  double exponent = 0;
  if (exponent_at != std::string::npos) exponent = atof(number.c_str() + exponent_at + 1);
  const double half = 0.5001 * std::pow(10, exponent - decimals);
  return {value - half, value + half};
}

bool is_quotient(Printed result, double factor, Printed dividend, Printed divisor) {
  const double low = factor * dividend.low / divisor.high;
  const double high = divisor.low > 0 ? factor * dividend.high / divisor.low : INFINITY;
  return low <= result.high && high >= result.low;  // false for NaN
}

void check_rate(const std::string& text, const std::string& rate, double amount,
                const std::string& time) {
  INFO(text);
  CHECK_MESSAGE(
      is_quotient(printed_after(text, rate), 1, {amount, amount}, printed_after(text, time)),
      "'" << rate << "' against " << amount << " / '" << time << "'");
}

}  // namespace course
