// rewriter [--check] [DEVICE_TEXT]: reads preprocessed CUDA C++ on standard input, writes plain C++
// to standard output. Errors go to standard error, and then the exit code is 1. With --check: for a
// checked run. DEVICE_TEXT: the same file, preprocessed with __CUDA_ARCH__; exits with 3, having
// done nothing, if that is needed and absent.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "architecture.h"
#include "rewriter.h"

namespace {

bool read_all(std::FILE* file, std::string& text) {
  size_t used = 0;
  for (;;) {
    if (text.size() - used < 1 << 16) text.resize(text.size() * 2 + (4 << 20));
    const size_t count = std::fread(&text[used], 1, text.size() - used, file);
    used += count;
    if (count == 0) break;
  }
  text.resize(used);
  return std::ferror(file) == 0;
}

int merge_device_text(const char* path, std::string& text) {
  std::FILE* file = std::fopen(path, "rb");
  std::string device_text;
  if (file == nullptr || !read_all(file, device_text)) {
    std::fprintf(stderr, "rewriter: cannot read %s: %s\n", path, std::strerror(errno));
    return 1;
  }
  std::fclose(file);
  std::vector<std::string> warnings;
  text = cpu_device::merge_architectures(text, device_text, warnings);
  for (const std::string& warning : warnings) std::fprintf(stderr, "%s\n", warning.c_str());
  return 0;
}

int run(bool check, const char* device_text) {
  constexpr int kNeedsDeviceText = 3;
  std::string input;
  if (!read_all(stdin, input)) {
    std::fprintf(stderr, "rewriter: cannot read the input: %s\n", std::strerror(errno));
    return 1;
  }
  if (device_text == nullptr) {
    if (cpu_device::asks_for_architecture(input)) return kNeedsDeviceText;
  } else if (merge_device_text(device_text, input) != 0) {
    return 1;
  }
  std::vector<std::string> errors;
  const std::string output = cpu_device::rewrite(input, errors, "<stdin>", check);
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  if (!errors.empty()) return 1;
  if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size() ||
      std::fflush(stdout) != 0) {
    std::fprintf(stderr, "rewriter: cannot write the output: %s\n", std::strerror(errno));
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const int next = check ? 2 : 1;
    return run(check, argc > next ? argv[next] : nullptr);
  } catch (const std::exception& error) {  // Out of memory.
    std::fprintf(stderr, "rewriter: %s\n", error.what());
    return 1;
  }
}
