// In the manner of programs that correct a kernel's options until it compiles: each result and each log of a program that is
// compiled again, with NVRTC, are those of a new one, whatever came before.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const char *const kSource = R"(
extern "C" __global__ void k(int *x) {
#ifdef WRONG
  undeclared = 1;
#endif
#ifdef WARNED
#warning "look here"
#endif
  *x = VALUE;
}
)";

struct Outcome {
  int compiled, log_state, code_state;
  std::string log;
  bool has_code;
};

static Outcome outcome(nvrtcProgram program, const std::vector<const char *> &options) {
  Outcome it;
  it.compiled = nvrtcCompileProgram(program, (int)options.size(), options.data());
  size_t bytes = 0;
  it.log_state = nvrtcGetProgramLogSize(program, &bytes);
  it.log.assign(bytes, '\0');
  if (bytes > 0) it.log_state |= nvrtcGetProgramLog(program, &it.log[0]);
  bytes = 0;
  it.code_state = nvrtcGetPTXSize(program, &bytes);
  it.has_code = it.code_state == 0 && bytes > 1;
  return it;
}

static nvrtcProgram created() {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, kSource, "again.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) exit(2);
  return program;
}

int main() {
  const std::vector<std::vector<const char *>> attempts = {
      {"-DVALUE=1"}, {"-DVALUE=1", "-DWRONG"}, {"-DVALUE=1", "--no-such-option"}, {}, {"-DVALUE=1", "-DWARNED"}};
  std::vector<Outcome> alone;
  int wrong = 0;
  for (const auto &options : attempts) {
    nvrtcProgram program = created();
    alone.push_back(outcome(program, options));
    nvrtcDestroyProgram(&program);
  }
  wrong += alone[0].compiled != NVRTC_SUCCESS || alone[1].compiled != NVRTC_ERROR_COMPILATION ||
           alone[2].compiled != NVRTC_ERROR_INVALID_OPTION || alone[3].compiled != NVRTC_ERROR_COMPILATION;
  wrong += alone[1].log.find("undeclared") == std::string::npos || alone[2].log.find("no-such-option") == std::string::npos;
  if (wrong) fprintf(stderr, "a first attempt: %d %d %d %d\n", alone[0].compiled, alone[1].compiled, alone[2].compiled, alone[3].compiled);
  nvrtcProgram program = created();
  for (const size_t now : {0, 1, 0, 2, 1, 2, 0, 3, 4, 3}) {  // after success and after each failure
    const Outcome it = outcome(program, attempts[now]), &other = alone[now];
    if (it.compiled == other.compiled && it.log_state == other.log_state && it.log == other.log &&
        it.code_state == other.code_state && it.has_code == other.has_code)
      continue;
    wrong++;
    fprintf(stderr, "attempt %zu after others: %d instead of %d, its log is\n%s\ninstead of\n%s\n", now, it.compiled, other.compiled,
            it.log.c_str(), other.log.c_str());
  }
  nvrtcDestroyProgram(&program);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
