// NVRTC: kernels compiled while the program runs. Here the CPU device's own nvcc does it, so it and
// a C++ compiler must be on the machine; what NVRTC calls PTX is a module for cuModuleLoadData().
#pragma once

#include <stddef.h>

#define __NVRTC_H__

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);

// `headers`: the texts of files that the source includes as `include_names`.
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int header_count, const char* const* headers,
                               const char* const* include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
// An expression such as `&scale<4>`, before compiling; cuModuleGetFunction() takes its lowered
// name.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);
// This header says where nvcc is.
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options,
                                const char* header = __FILE__);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);
// Sizes count the zero at the end.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* text);
