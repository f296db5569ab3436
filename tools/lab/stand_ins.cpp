// What an answer gets in a grading in the place of files and of the environment: every file is /dev/null, and no
// variable is set. People leave a fopen("debug.txt", "w") or a getenv("DEBUG") behind, and should not lose all
// points for it. vetting.py says which function each of these stands in for.
#include <cstdio>
#include <fstream>

namespace {
constexpr char kNothing[] = "/dev/null";
}

extern "C" {

char* lab_getenv(const char*) { return nullptr; }

FILE* lab_fopen(const char*, const char* mode) { return std::fopen(kNothing, mode); }

// All streams of files open them with this member.
std::filebuf* lab_filebuf_open(std::filebuf* self, const char*, std::ios::openmode mode) { return self->open(kNothing, mode); }

}  // extern "C"
