// rewriter: reads preprocessed CUDA C++ on standard input, writes plain C++ to standard output.
// Errors go to standard error, and then the exit code is 1.
//   --check              for a checked run
//   --module             the kernels can be found by name
//   --loops              kernels get a second form, in which the threads of a block are loops (block_loops.h)
//   --no-flatten         of a compiler whose lambdas have no attributes
//   --device-text FILE   the same file, preprocessed with __CUDA_ARCH__; without it the exit code is 3,
//                        and nothing is done, if it is needed
//   --headers FILE SALT  writes to FILE, for what may be compiled ahead (headers.h), lines of: offsets
//                        of its first byte in the output and of the first behind it, and a name
// Or, of text that it has written before:
//   --split DECLARATIONS DEFINITIONS  writes both (split.h); exit code 1: there is nothing to change
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "architecture.h"
#include "headers.h"
#include "rewriter.h"
#include "split.h"

namespace {

constexpr int kNeedsDeviceText = 3;

struct Options {
  bool check = false, flatten = true, module = false, loops = false;
  const char* device_text = nullptr;
  const char* headers_file = nullptr;
  const char* salt = "";
  const char* declarations = nullptr;
  const char* definitions = nullptr;
};

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

// What cannot be written is not compiled ahead.
void write_headers(const Options& options, const std::string& output) {
  std::FILE* file = std::fopen(options.headers_file, "w");
  if (!file) return;
  for (const cpu_device::Headers& one : cpu_device::leading_headers(output, options.salt)) {
    std::fprintf(file, "%zu %zu %016" PRIx64 "\n", one.begin, one.end, one.hash);
  }
  std::fclose(file);
}

bool write_all(const char* path, const std::string& text) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

int split(const Options& options, const std::string& input) {
  const cpu_device::SplitHeaders parts = cpu_device::split_host_functions(input);
  return !parts.declarations.empty() && write_all(options.declarations, parts.declarations) &&
                 write_all(options.definitions, parts.definitions)
             ? 0
             : 1;
}

int run(const Options& options) {
  std::string input;
  if (!read_all(stdin, input)) {
    std::fprintf(stderr, "rewriter: cannot read the input: %s\n", std::strerror(errno));
    return 1;
  }
  if (options.definitions) return split(options, input);
  if (options.device_text == nullptr) {
    if (cpu_device::asks_for_architecture(input)) return kNeedsDeviceText;
  } else if (merge_device_text(options.device_text, input) != 0) {
    return 1;
  }
  std::vector<std::string> errors;
  const std::string output = cpu_device::rewrite(input, errors, "<stdin>", options.check, options.flatten,
                                                 options.module, options.loops, /*marks_text=*/true);
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  if (!errors.empty()) return 1;
  if (std::fwrite(output.data(), 1, output.size(), stdout) != output.size() ||
      std::fflush(stdout) != 0) {
    std::fprintf(stderr, "rewriter: cannot write the output: %s\n", std::strerror(errno));
    return 1;
  }
  if (options.headers_file) write_headers(options, output);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check") == 0) options.check = true;
    if (std::strcmp(argv[i], "--module") == 0) options.module = true;
    if (std::strcmp(argv[i], "--loops") == 0) options.loops = true;
    if (std::strcmp(argv[i], "--no-flatten") == 0) options.flatten = false;
    if (std::strcmp(argv[i], "--device-text") == 0 && i + 1 < argc) options.device_text = argv[++i];
    if (std::strcmp(argv[i], "--headers") == 0 && i + 2 < argc) {
      options.headers_file = argv[++i];
      options.salt = argv[++i];
    }
    if (std::strcmp(argv[i], "--split") == 0 && i + 2 < argc) {
      options.declarations = argv[++i];
      options.definitions = argv[++i];
    }
  }
  try {
    return run(options);
  } catch (const std::exception& error) {  // Out of memory.
    std::fprintf(stderr, "rewriter: %s\n", error.what());
    return 1;
  }
}
