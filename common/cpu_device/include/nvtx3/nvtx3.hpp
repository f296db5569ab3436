// NVTX for C++: ranges that end with their scope. As in nvToolsExt.h, nobody looks at them here.
#pragma once

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
  template <typename Domain = global>
  static const domain& get() {
    static const domain one;
    return one;
  }
  operator nvtxDomainHandle_t() const { return nullptr; }
};
struct rgb {
  template <typename T>
  constexpr rgb(T, T, T) {}
};
struct argb {
  template <typename T>
  constexpr argb(T, T, T, T) {}
};
struct color {
  template <typename T>
  constexpr explicit color(const T&) {}
};
struct category {
  constexpr explicit category(uint32_t) {}
};
template <typename Domain = domain::global>
struct named_category_in : category {
  named_category_in(uint32_t id, const char*) : category(id) {}
  named_category_in(uint32_t id, const wchar_t*) : category(id) {}
  template <typename Category>
  static const named_category_in& get() {
    static const named_category_in one(Category::id, Category::name);
    return one;
  }
};
using named_category = named_category_in<>;
struct payload {
  template <typename T>
  constexpr explicit payload(const T&) {}
};
struct message {
  template <typename T>
  constexpr message(const T&) {}
};
template <typename Domain = domain::global>
struct registered_string_in {
  template <typename T>
  explicit registered_string_in(const T&) {}
  template <typename Message>
  static const registered_string_in& get() {
    static const registered_string_in one(Message::message);
    return one;
  }
};
using registered_string = registered_string_in<>;
struct event_attributes {
  template <typename... T>
  constexpr explicit event_attributes(const T&...) {}
};
struct range_handle {};

template <typename Domain = domain::global>
struct scoped_range_in {
  template <typename... T>
  explicit scoped_range_in(const T&...) {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() {}  // so that a variable which is only there for its scope is not "unused"
};
using scoped_range = scoped_range_in<>;
template <typename Domain = domain::global>
struct unique_range_in {
  template <typename... T>
  explicit unique_range_in(const T&...) {}
  unique_range_in(unique_range_in&&) noexcept {}
  unique_range_in& operator=(unique_range_in&&) noexcept { return *this; }
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

template <typename Domain = domain::global, typename... T>
inline void mark_in(const T&...) {}
template <typename... T>
inline void mark(const T&...) {}
template <typename... T>
inline range_handle start_range(const T&...) {
  return {};
}
inline void end_range(range_handle) {}
template <typename Domain = domain::global, typename... T>
inline range_handle start_range_in(const T&...) {
  return {};
}
template <typename Domain = domain::global>
inline void end_range_in(range_handle) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() const ::nvtx3::scoped_range nvtx3_range_of_this_function
#define NVTX3_FUNC_RANGE_IN(DOMAIN) \
  const ::nvtx3::scoped_range_in<DOMAIN> nvtx3_range_of_this_function
#define NVTX3_V1_FUNC_RANGE NVTX3_FUNC_RANGE
