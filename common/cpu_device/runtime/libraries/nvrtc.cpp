// NVRTC over nvcc: the source goes into a folder of its own, nvcc makes a module of it there, and
// what it says is the log.
#include "../../include/nvrtc.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "../faults/error_messages.h"

using namespace cpu_device;

struct NameExpression {
  std::string text;     // as the program has it
  std::string lowered;  // without blanks
};
struct _nvrtcProgram {
  std::string source, name, log, module;
  std::vector<std::pair<std::string, std::string>> headers;  // name, text
  std::vector<NameExpression> expressions;
  bool compiled = false;
};

namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

bool write_file(const fs::path& path, const std::string& text) {
  std::error_code none;
  fs::create_directories(path.parent_path(), none);
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(file << text);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The source, with a table of what the program will ask for by name expressions.
std::string whole_source(const _nvrtcProgram& program) {
  // The name in the compiler's messages.
  std::string text = "#line 1 \"" + program.name + "\"\n" + program.source + "\n";
  if (program.expressions.empty()) return text;
  text +=
      "extern \"C\" {\nextern const ::cpu_device::ModuleName cpu_device_module_names[];\n}\n"
      "const ::cpu_device::ModuleName cpu_device_module_names[] = {\n";
  for (const NameExpression& it : program.expressions)
    text += "::cpu_device::module_name(\"" + it.lowered + "\", " + it.text + "),\n";
  return text + "{nullptr, nullptr, 0}};\n";
}

// Options that say what is so here anyway.
bool is_understood(const std::string& option) {
  for (const char* known :
       {"default-device", "device-as-default-execution-space", "device-int128", "builtin-",
        "no-source-include", "minimal", "pch", "create-pch", "use-pch", "device-float128"})
    if (option.find(known) <= 2) return true;
  return false;
}

// Runs nvcc in the folder; its exit code.
int run_nvcc(const fs::path& nvcc, const fs::path& folder, const std::vector<std::string>& options,
             std::string* log) {
  std::string command = "cd " + quoted(folder) + " && exec " + quoted(nvcc) +
                        " -ptx -D__CUDACC_RTC__ -x cu -I. program.cu -o module";
  for (const std::string& option : options) command += " " + quoted(option);
  std::FILE* output = popen((command + " 2>&1").c_str(), "r");
  if (output == nullptr) return -1;
  char piece[4096];
  for (size_t count; (count = fread(piece, 1, sizeof piece, output)) > 0;)
    log->append(piece, count);
  const int status = pclose(output);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& options,
                    const fs::path& nvcc) {
  if (!fs::exists(nvcc)) {
    program.log = "NVRTC on the CPU device needs its nvcc, which does not exist at " + nvcc.string();
    return NVRTC_ERROR_COMPILATION;
  }
  std::error_code none;
  std::string folder = (fs::temp_directory_path(none) / "nvrtc.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
  bool written = write_file(fs::path(folder) / "program.cu", whole_source(program));
  for (const auto& [name, text] : program.headers)
    written = write_file(fs::path(folder) / name, text) && written;
  nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
  if (written) {
    const int code = run_nvcc(nvcc, folder, options, &program.log);
    program.module = code == 0 ? read_file(fs::path(folder) / "module") : "";
    result = code == 0                                                 ? NVRTC_SUCCESS
             : program.log.find("Unknown option") != std::string::npos ? NVRTC_ERROR_INVALID_OPTION
                                                                       : NVRTC_ERROR_COMPILATION;
  }
  fs::remove_all(folder, none);
  return result;
}

nvrtcResult give(const std::string& text, char* to) {
  memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define CPU_DEVICE_NAME(name) \
  case name:                  \
    return #name;
    CPU_DEVICE_NAME(NVRTC_SUCCESS)
    CPU_DEVICE_NAME(NVRTC_ERROR_OUT_OF_MEMORY)
    CPU_DEVICE_NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    CPU_DEVICE_NAME(NVRTC_ERROR_INVALID_INPUT)
    CPU_DEVICE_NAME(NVRTC_ERROR_INVALID_PROGRAM)
    CPU_DEVICE_NAME(NVRTC_ERROR_INVALID_OPTION)
    CPU_DEVICE_NAME(NVRTC_ERROR_COMPILATION)
    CPU_DEVICE_NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    CPU_DEVICE_NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    CPU_DEVICE_NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    CPU_DEVICE_NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    CPU_DEVICE_NAME(NVRTC_ERROR_INTERNAL_ERROR)
    CPU_DEVICE_NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
    CPU_DEVICE_NAME(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED)
    CPU_DEVICE_NAME(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED)
    CPU_DEVICE_NAME(NVRTC_ERROR_PCH_CREATE)
    CPU_DEVICE_NAME(NVRTC_ERROR_CANCELLED)
    CPU_DEVICE_NAME(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED)
#undef CPU_DEVICE_NAME
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}
// Those of CUDA 13.0. Code is the same for all of them.
static constexpr int kArchitectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(std::size(kArchitectures));
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(kArchitectures), std::end(kArchitectures), architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int header_count, const char* const* headers,
                               const char* const* include_names) {
  if (program == nullptr || source == nullptr || header_count < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (header_count > 0 && (headers == nullptr || include_names == nullptr))
    return NVRTC_ERROR_INVALID_INPUT;
  *program = new _nvrtcProgram;
  (*program)->source = source;
  (*program)->name = name == nullptr || *name == '\0' ? "default_program" : name;
  for (int i = 0; i < header_count; i++)
    (*program)->headers.emplace_back(include_names[i], headers[i]);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  std::string lowered;
  for (const char* c = expression; *c != '\0'; c++)
    if (*c != ' ' && *c != '\t') lowered += *c;
  program->expressions.push_back({expression, lowered});
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (const NameExpression& it : program->expressions) {
    if (it.text != expression) continue;
    *name = it.lowered.c_str();
    return NVRTC_SUCCESS;
  }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options,
                                const char* header) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  std::vector<std::string> taken;
  for (int i = 0; i < option_count; i++)
    if (!is_understood(options[i])) taken.push_back(options[i]);
  program->log.clear();
  const nvrtcResult result =
      compile(*program, taken, fs::path(header).parent_path().parent_path() / "nvcc");
  program->compiled = result == NVRTC_SUCCESS;
  return result;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  *bytes = program->log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return program == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : give(program->log, log);
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  if (program == nullptr || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  *bytes = program->module.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  if (program == nullptr || !program->compiled) return NVRTC_ERROR_INVALID_PROGRAM;
  return give(program->module, text);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  return nvrtcGetPTXSize(program, bytes);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* text) { return nvrtcGetPTX(program, text); }
