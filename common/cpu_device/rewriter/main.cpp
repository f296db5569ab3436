// rewriter: reads preprocessed CUDA C++ on standard input, writes plain C++ to standard output.
// Errors go to standard error, and then the exit code is 1.
//   --check              for a checked run
//   --headers FILE SALT  writes to FILE, for what may be compiled ahead (headers.h), lines of:
//   offsets
//                        of its first byte in the output and of the first behind it, and a name
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "headers.h"
#include "rewriter.h"

namespace {

struct Options {
  bool check = false;
  const char* headers_file = nullptr;
  const char* salt = "";
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

// What cannot be written is not compiled ahead.
void write_headers(const Options& options, const std::string& output) {
  std::FILE* file = std::fopen(options.headers_file, "w");
  if (!file) return;
  for (const cpu_device::Headers& one : cpu_device::leading_headers(output, options.salt)) {
    std::fprintf(file, "%zu %zu %016" PRIx64 "\n", one.begin, one.end, one.hash);
  }
  std::fclose(file);
}

int run(const Options& options) {
  std::string input;
  if (!read_all(stdin, input)) {
    std::fprintf(stderr, "rewriter: cannot read the input: %s\n", std::strerror(errno));
    return 1;
  }
  std::vector<std::string> errors;
  const std::string output = cpu_device::rewrite(input, errors, "<stdin>", options.check);
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
    if (std::strcmp(argv[i], "--headers") == 0 && i + 2 < argc) {
      options.headers_file = argv[++i];
      options.salt = argv[++i];
    }
  }
  try {
    return run(options);
  } catch (const std::exception& error) {  // Out of memory.
    std::fprintf(stderr, "rewriter: %s\n", error.what());
    return 1;
  }
}
