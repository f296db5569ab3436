// NVTX by all its usual names, without a tool that listens: what each call returns then. In C++ ranges, their
// categories, colors and payloads, in a domain of the program's own.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <cstdint>
#include <cstdio>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <type_traits>
#include <utility>

int wrong = 0, calls = 0;
template <typename T>
void returns(int line, T got, T expected) {
  calls++;
  if (got != expected) wrong++, printf("line %d: another value\n", line);
}
#define RETURNS(CALL, EXPECTED) returns<decltype(CALL)>(__LINE__, CALL, EXPECTED)
#define RUNS(CALL) (calls++, CALL)

void in_c() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  event.payload.iValue = 7;
  event.category = 3;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "an event";
  const int none = NVTX_NO_PUSH_POP_TRACKING;
  RUNS(nvtxInitialize(nullptr));
  RUNS(nvtxMark("a")), RUNS(nvtxMarkA("a")), RUNS(nvtxMarkW(L"a")), RUNS(nvtxMarkEx(&event));
  RETURNS(nvtxRangePush("a"), none), RETURNS(nvtxRangePushA("a"), none), RETURNS(nvtxRangePushW(L"a"), none);
  RETURNS(nvtxRangePushEx(&event), none), RETURNS(nvtxRangePop(), none);
  RETURNS(nvtxRangeStart("a"), 0), RETURNS(nvtxRangeStartA("a"), 0), RETURNS(nvtxRangeStartW(L"a"), 0);
  RETURNS(nvtxRangeStartEx(&event), 0), RUNS(nvtxRangeEnd(0));
  RUNS(nvtxNameCategory(3, "a")), RUNS(nvtxNameCategoryA(3, "a")), RUNS(nvtxNameCategoryW(3, L"a"));
  RUNS(nvtxNameOsThread(1, "a")), RUNS(nvtxNameOsThreadA(1, "a")), RUNS(nvtxNameOsThreadW(1, L"a"));
  RETURNS(nvtxDomainCreate("d"), nullptr), RETURNS(nvtxDomainCreateA("d"), nullptr),
      RETURNS(nvtxDomainCreateW(L"d"), nullptr);
  const nvtxDomainHandle_t domain = nullptr;
  RUNS(nvtxDomainMarkEx(domain, &event)), RETURNS(nvtxDomainRangePushEx(domain, &event), none);
  RETURNS(nvtxDomainRangePop(domain), none), RETURNS(nvtxDomainRangeStartEx(domain, &event), 0),
      RUNS(nvtxDomainRangeEnd(domain, 0));
  RUNS(nvtxDomainNameCategory(domain, 3, "a")), RUNS(nvtxDomainNameCategoryA(domain, 3, "a")),
      RUNS(nvtxDomainNameCategoryW(domain, 3, L"a"));
  RETURNS(nvtxDomainRegisterString(domain, "a"), nullptr), RETURNS(nvtxDomainRegisterStringA(domain, "a"), nullptr);
  RETURNS(nvtxDomainRegisterStringW(domain, L"a"), nullptr), RUNS(nvtxDomainDestroy(domain));
  RUNS(nvtxNameCudaDevice(0, "a")), RUNS(nvtxNameCudaDeviceA(0, "a")), RUNS(nvtxNameCudaDeviceW(0, L"a"));
  RUNS(nvtxNameCudaStream(nullptr, "a")), RUNS(nvtxNameCudaStreamA(nullptr, "a")),
      RUNS(nvtxNameCudaStreamW(nullptr, L"a"));
  RUNS(nvtxNameCudaEvent(nullptr, "a")), RUNS(nvtxNameCudaEventA(nullptr, "a")),
      RUNS(nvtxNameCudaEventW(nullptr, L"a"));
  RUNS(nvtxNameCuDevice(0, "a")), RUNS(nvtxNameCuContext(nullptr, "a")), RUNS(nvtxNameCuStream(nullptr, "a")),
      RUNS(nvtxNameCuEvent(nullptr, "a"));
  RUNS(nvtxNameCuDeviceW(0, L"a")), RUNS(nvtxNameCuContextW(nullptr, L"a")), RUNS(nvtxNameCuStreamW(nullptr, L"a"));
  RUNS(nvtxNameCuEventW(nullptr, L"a"));
}

struct solver {
  static constexpr char const *name{"solver"};
};
struct step_name {
  static constexpr char const *message{"a step"};
};
struct inner_loop {
  static constexpr char const *name{"inner loop"};
  static constexpr uint32_t id{5};
};
int of_a_function() {
  NVTX3_FUNC_RANGE();
  return 1;
}
int of_a_function_in_a_domain() {
  NVTX3_FUNC_RANGE_IN(solver);
  return 1;
}
void in_cpp() {
  using namespace nvtx3;
  const std::string text = "a string";
  RUNS(mark("a")), RUNS(mark(text)), RUNS(mark(event_attributes{"a", rgb{1, 2, 3}, payload{4.5}, category{6}}));
  RUNS(mark_in<solver>("a", color{0xff112233}, payload{int64_t(4)}));
  const event_attributes attributes{message{"a"}, argb{0, 1, 2, 3}, payload{1.0f}};
  {
    scoped_range range{attributes};
    scoped_range_in<solver> other{"a", category{4}};
    scoped_range_in<solver> named{registered_string_in<solver>::get<step_name>(),
                                  named_category_in<solver>::get<inner_loop>()};
  }
  unique_range first{"a"};
  unique_range second{std::move(first)};
  unique_range_in<solver> third{text, payload{uint32_t(3)}};
  const range_handle handle = start_range("a", rgb{255, 0, 0});
  RUNS(end_range(handle));
  const range_handle handle_in = start_range_in<solver>("a");
  RUNS(end_range_in<solver>(handle_in));
  static_assert(!std::is_copy_constructible<unique_range>::value && std::is_move_constructible<unique_range>::value,
                "");
  static_assert(!std::is_copy_constructible<scoped_range>::value, "");
  const registered_string_in<solver> registered{"a"};
  const named_category_in<solver> category_of_ours{7, "ours"};
  RUNS(mark_in<solver>(registered, category_of_ours));
  RETURNS(of_a_function() + of_a_function_in_a_domain(), 2);
}

int main() {
  in_c();
  in_cpp();
  printf("%d calls, %d wrong\n", calls, wrong);
  return wrong != 0;
}
