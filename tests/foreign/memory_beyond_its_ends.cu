// One byte before and behind allocations of each kind and size, written by a kernel and by the host: a CPU device says so
// once, with the number of bytes. And large memory, which is filled piece by piece: the last piece ends where the memory
// ends, and nothing is left of memory that was freed.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

int wrong = 0;
void failed(int line, const std::string &what) {
  if (wrong++ < 20) printf("line %d: %s\n", line, what.c_str());
}
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

// What is written to stderr while it exists.
class Messages {
 public:
  Messages() : file_(tmpfile()), before_(dup(2)) { fflush(stderr), dup2(fileno(file_), 2); }
  ~Messages() {
    dup2(before_, 2), close(before_);
    fclose(file_);
  }
  std::string take() {
    fflush(stderr);
    rewind(file_);
    std::string text;
    for (int c; (c = fgetc(file_)) != EOF;) text += static_cast<char>(c);
    EXPECT(ftruncate(fileno(file_), 0) == 0);
    lseek(fileno(file_), 0, SEEK_SET);
    return text;
  }

 private:
  FILE *const file_;
  const int before_;
};
int times(const std::string &text, const std::string &word) {
  int n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) n++;
  return n;
}

__global__ void poke(unsigned char *p, long at) { p[at] = 0x55; }
__global__ void nothing() {}

enum Kind { device, managed, pinned };
const char *const kNames[] = {"device", "managed", "pinned"};
unsigned char *make(Kind kind, size_t bytes) {
  unsigned char *p = nullptr;
  GOOD(kind == device ? cudaMalloc(&p, bytes) : kind == managed ? cudaMallocManaged(&p, bytes) : cudaMallocHost(&p, bytes));
  return p;
}
void release(Kind kind, void *p) { GOOD(kind == pinned ? cudaFreeHost(p) : cudaFree(p)); }

#ifdef __CPU_DEVICE__
void around() {
  Messages messages;
  for (const Kind kind : {device, managed, pinned})
    for (const size_t bytes : {1, 3, 4, 100, 253, 255, 256, 257, 1000, 3840}) {
      const long behind = static_cast<long>((bytes + 255) / 256 * 256 - bytes);  // bytes that are watched
      std::vector<long> places = {-1, -2, -100, -256};
      for (const long at : {0L, 1L, behind / 2, behind - 2, behind - 1})
        if (at >= 0 && at < behind) places.push_back(static_cast<long>(bytes) + at);
      for (const long at : places) {
        const std::string what = std::to_string(bytes) + " bytes of " + kNames[kind] + " memory, byte " + std::to_string(at);
        const std::string wanted = at < 0 ? "wrote up to " + std::to_string(-at) + " bytes before the memory allocated at"
                                          : "wrote up to " + std::to_string(at - static_cast<long>(bytes) + 1) +
                                                " bytes beyond the end of the memory allocated at";
        unsigned char *p = make(kind, bytes), *beside = make(kind, bytes);
        messages.take();
        poke<<<1, 1>>>(p, at);
        EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
        const std::string text = messages.take();
        if (times(text, "this kernel " + wanted) != 1 || times(text, "wrote up to") != 1) failed(__LINE__, what + ": " + text);
        GOOD(cudaDeviceReset());
        nothing<<<1, 1>>>();
        GOOD(cudaDeviceSynchronize());  // told once, and the zones of what was freed are gone
        p = make(kind, bytes);
        memset(beside = make(pinned, bytes), 1, bytes);
        nothing<<<1, 1>>>();
        GOOD(cudaDeviceSynchronize());
        if (kind != device) {  // the host did it
          p[at] = 0x55;
          GOOD(cudaDeviceSynchronize());
          const std::string of_host = messages.take();
          if (times(of_host, "host code " + wanted) != 1) failed(__LINE__, what + ", by the host: " + of_host);
          nothing<<<1, 1>>>();
          GOOD(cudaDeviceSynchronize());
          EXPECT(messages.take().empty());
        }
        release(kind, p);
        release(pinned, beside);
        nothing<<<1, 1>>>();
        GOOD(cudaDeviceSynchronize());
        EXPECT(messages.take().empty());
      }
    }
}

// Two places at once: what is reported reaches to the farthest.
void several() {
  Messages messages;
  std::mt19937 engine(5);
  for (int round = 0; round < 40; round++) {
    unsigned char *p = make(managed, 100);
    long farthest = -1;
    for (int i = 0; i < 3; i++) {
      const long at = static_cast<long>(engine() % 156);
      farthest = std::max(farthest, at);
      p[100 + at] = 0x55;
    }
    GOOD(cudaDeviceSynchronize());
    EXPECT(times(messages.take(), "host code wrote up to " + std::to_string(farthest + 1) + " bytes beyond the end") == 1);
    release(managed, p);
  }
}

__global__ void look(const int *words, size_t bytes, int *unlike) {
  const size_t words_in_all = bytes / 4;
  for (size_t i = 0; i < words_in_all; i += 4096) *unlike += words[i] != 0x7ffb7ffb;
  *unlike += words[words_in_all - 1] != 0x7ffb7ffb;
}
__global__ void read_one(const int *words, size_t at, int *to) { *to = words[at]; }

void large() {
  Messages messages;
  for (const size_t bytes : {(size_t(32) << 20) + 4, (size_t(33) << 20) - 8, (size_t(33) << 20) + 40000, size_t(37) << 20}) {
    int *words, *unlike;
    GOOD(cudaMalloc(&words, bytes));
    GOOD(cudaMallocManaged(&unlike, sizeof(int)));
    *unlike = 0;
    look<<<1, 1>>>(words, bytes, unlike);
    GOOD(cudaDeviceSynchronize());
    EXPECT(*unlike == 0);
    GOOD(cudaMemset(words, 1, bytes));
    for (const size_t beyond : {size_t(8192), size_t(100000), size_t(900000)}) {
      read_one<<<1, 1>>>(words, (bytes + beyond) / 4, unlike);
      EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
      EXPECT(times(messages.take(), "bytes beyond the end") == 1);
      GOOD(cudaDeviceReset());
      GOOD(cudaMalloc(&words, bytes));
      GOOD(cudaMallocManaged(&unlike, sizeof(int)));
      if (beyond == 100000) GOOD(cudaMemset(words, 1, bytes));
    }
    int *const freed = words;  // of which not all was filled
    GOOD(cudaFree(words));
    read_one<<<1, 1>>>(freed, bytes / 8, unlike);
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(times(messages.take(), "was freed at") == 1);
    GOOD(cudaDeviceReset());
  }
}
#endif

// Anywhere: what is inside may be written, to the last byte.
void inside() {
  for (const Kind kind : {device, managed, pinned})
    for (const size_t bytes : {1, 3, 4, 100, 255, 256, 257, 1000, 3840, 4096, 5000}) {
      unsigned char *p = make(kind, bytes);
      poke<<<1, 1>>>(p, 0);
      poke<<<1, 1>>>(p, static_cast<long>(bytes) - 1);
      GOOD(cudaDeviceSynchronize());
      release(kind, p);
    }
}

int main() {
  inside();
#ifdef __CPU_DEVICE__
  around();
  several();
  large();
#endif
  inside();
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
