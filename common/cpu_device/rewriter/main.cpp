// rewriter: reads preprocessed CUDA C++ on standard input, writes plain C++ to standard output.
// Errors go to standard error, and then the exit code is 1.
//   --check              for a checked run
//   --module             the kernels can be found by name
//   --loops              kernels get a second form, in which the threads of a block are loops (block_loops.h)
//   --no-flatten         of a compiler whose lambdas have no attributes
//   --device-text FILE   the same file, preprocessed with __CUDA_ARCH__; without it the exit code is 3,
//                        and nothing is done, if it is needed
//   --headers FILE SALT  writes to FILE, for what may be compiled ahead (headers.h), lines of: offsets
//                        of its first byte in the output and of the first after it, and a name
//   --after BEGINNING LINE HEADERS  the input is what follows a known beginning, which ends before that line
//                        of the source (beginnings.h); its headers are HEADERS, compiled ahead
//   --included           that beginning is what the command line includes, known from another source
// Or, of text that it has written before:
//   --split DECLARATIONS DEFINITIONS  writes both (split.h); exit code 1: there is nothing to change
// Or, of the beginning of a source (beginnings.h):
//   --find SOURCE SALT FOLDERS REST COMMAND_LINE  writes five lines to standard output, empty where nothing is known: its
//                        name, the number of its last line + 1, the one of FOLDERS/*/ that has it (then also what follows
//                        to REST); of what the command line includes, if COMMAND_LINE (a salt) is not empty, its name and folder
//   --learn SOURCE SALT FOLDER REWRITTEN END FOLDER...  reads what `g++ -E -dD SOURCE` has written; its headers were
//                        compiled ahead up to byte END of REWRITTEN. Other folders: of headers. Without a SOURCE,
//                        the beginning is what the command line includes.
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <glob.h>
#include <unistd.h>

#include "architecture.h"
#include "beginnings.h"
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
  const char* beginning = nullptr;
  unsigned following_line = 0;
  bool included = false;
  const char* precompiled = nullptr;
};

bool read_all(std::FILE* file, std::string& text) {
  size_t used = 0;
  for (;;) {
    if (text.size() - used < 1 << 14) text.resize(text.size() * 2 + (1 << 16));
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

bool read_file(const std::string& path, std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const bool done = read_all(file, text);
  std::fclose(file);
  return done;
}

// The folder below `folders` that has the beginning of this name, unchanged; empty if there is none.
std::string folder_with(const std::string& folders, const std::string& name) {
  std::string folder, files;
  glob_t found;
  if (glob((folders + "/*/" + name + ".files").c_str(), 0, nullptr, &found) != 0) return folder;
  for (size_t i = 0; i < found.gl_pathc && folder.empty(); ++i) {
    const std::string path = found.gl_pathv[i];
    files.clear();
    if (read_file(path, files) && cpu_device::is_unchanged(files)) folder = path.substr(0, path.rfind('/'));
  }
  globfree(&found);
  return folder;
}

int find_beginning(char** arguments) {
  std::string source;
  if (!read_file(arguments[0], source)) return 1;
  const cpu_device::Beginning beginning = cpu_device::beginning_of(source);
  std::string name, folder, included, included_at;
  if (beginning.line != 0) {
    name = cpu_device::name_of_beginning(std::string_view(source).substr(0, beginning.end), arguments[1]);
    folder = folder_with(arguments[2], name);
  }
  if (!folder.empty()) {
    const std::string rest = "# " + std::to_string(beginning.line) + " \"" + arguments[0] + "\"\n" + source.substr(beginning.end);
    if (!write_all(arguments[3], rest)) folder.clear();
  }
  if (arguments[4][0] != '\0') {
    included = cpu_device::name_of_beginning("", arguments[4]);
    included_at = folder_with(arguments[2], included);
  }
  std::printf("%s\n%u\n%s\n%s\n%s\n", name.c_str(), beginning.line, folder.c_str(), included.c_str(), included_at.c_str());
  return 0;
}

int learn_beginning(char** arguments, int count) {
  std::string source, rewritten, text;
  cpu_device::Beginning beginning{0, 1};
  if (!read_file(arguments[3], rewritten) || !read_all(stdin, text)) return 1;
  const bool is_command_line = arguments[0][0] == '\0';
  if (!is_command_line) {
    if (!read_file(arguments[0], source)) return 1;
    beginning = cpu_device::beginning_of(source);
  }
  const size_t end = std::strtoul(arguments[4], nullptr, 10);
  if (beginning.line == 0 || end >= rewritten.size()) return 1;
  const cpu_device::KnownBeginning known =
      cpu_device::learn_beginning(text, beginning, cpu_device::line_of_marker(std::string_view(rewritten).substr(end)),
                                  std::vector<std::string>(arguments + 5, arguments + count));
  if (known.own.empty()) return 1;
  const std::string path = std::string(arguments[2]) + "/" +
                           cpu_device::name_of_beginning(std::string_view(source).substr(0, beginning.end), arguments[1]);
  // Its list of files comes last and at once: others may be looking for it.
  const std::string list = path + ".files", part = list + std::to_string(getpid());
  const bool written = write_all((path + ".macros").c_str(), known.macros) && write_all((path + ".own").c_str(), known.own) &&
                       (!is_command_line || write_all((path + ".depend").c_str(), known.depend)) &&
                       write_all(part.c_str(), known.files) && std::rename(part.c_str(), list.c_str()) == 0;
  return written ? 0 : 1;
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
  if (options.beginning) {
    std::string own;
    if (!read_file(options.beginning, own)) return 1;
    input = options.included ? cpu_device::join_command_line(own, input)
                             : cpu_device::join_beginning(own, input, options.following_line);
    if (input.empty()) return 1;
  }
  if (options.device_text == nullptr) {
    if (cpu_device::asks_for_architecture(input)) return kNeedsDeviceText;
  } else if (merge_device_text(options.device_text, input) != 0) {
    return 1;
  }
  std::vector<std::string> errors;
  std::string output = cpu_device::rewrite(input, errors, "<stdin>", options.check, options.flatten,
                                                 options.module, options.loops, /*marks_text=*/true);
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  if (!errors.empty()) return 1;
  if (options.beginning) {
    output = cpu_device::replace_beginning(output, options.following_line, options.precompiled);
    if (output.empty()) return 1;
  }
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
    if (std::strcmp(argv[i], "--after") == 0 && i + 3 < argc) {
      options.beginning = argv[++i];
      options.following_line = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
      options.precompiled = argv[++i];
    }
    if (std::strcmp(argv[i], "--included") == 0) options.included = true;
    if (std::strcmp(argv[i], "--split") == 0 && i + 2 < argc) {
      options.declarations = argv[++i];
      options.definitions = argv[++i];
    }
  }
  try {
    if (argc == 7 && std::strcmp(argv[1], "--find") == 0) return find_beginning(argv + 2);
    if (argc > 6 && std::strcmp(argv[1], "--learn") == 0) return learn_beginning(argv + 2, argc - 2);
    return run(options);
  } catch (const std::exception& error) {  // Out of memory.
    std::fprintf(stderr, "rewriter: %s\n", error.what());
    return 1;
  }
}
