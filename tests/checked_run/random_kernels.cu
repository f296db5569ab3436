// Random kernels against the checked run: programs generated from a seed (random_kernels.h) run on the
// CPU device, and what `nvcc --check` finds in them is compared with the oracle's verdict.
//
//   common/cpu_device/nvcc --check tests/checked_run/random_kernels.cu -o random_kernels
//   ./random_kernels --seeds 10000
//   ./random_kernels --show 17          the program of seed 17 as text, with its races
//   ./random_kernels --run FILE         the same for a program in a file, such as an edited --show
//   ./random_kernels --self-test        programs with known verdicts: the oracle against those
//
// Two verdicts are compared: whether there is a race at all, and that each pair of lines of a finding
// is that of two accesses that do race. One third of the programs has races as they come; in the
// others, accesses are taken out until there is none, or only one pair: there both verdicts are exact.
//
// Compiled without --check, the programs run and nothing is compared (exit code 77).
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "../../common/program/options.h"
#include "random_kernels.h"
#include "random_kernels_examples.h"

#ifdef CPU_DEVICE_CHECK
#include <cpu_device/check.h>
constexpr bool kChecked = true;
#else
namespace cpu_device {
static std::string take_findings() { return ""; }
}  // namespace cpu_device
constexpr bool kChecked = false;
#endif

using namespace random_kernels;

// ---------------------------------------------------------------------------------------- kernel

// A statement as the kernel reads it, in memory that nobody writes meanwhile.
struct Operation {
  int code, array, offset;
  unsigned mask;
  unsigned long long value;
  int result, padding;  // where what was observed goes, nobody else's
};

struct Work {
  unsigned char* arrays[kShared];
  const Operation* operations;
  const int* starts;            // of each thread's operations; one more than threads
  unsigned long long* results;  // of operations
  unsigned long long* sinks;    // of threads
};

// The access in each line is that of one kind of statement: findings name the line. Their order is
// that of Code, and nothing else may stand between the lines.
#define CASE(NAME, ...)                                              \
  case Code::NAME:                                                   \
    static_assert(__LINE__ == line_of(Code::NAME), "lines as Code"); \
    __VA_ARGS__;                                                     \
    break;
constexpr int line_of(Code code) { return 102 + static_cast<int>(code); }

template <typename T>
__device__ T* at(unsigned char* address) {
  return reinterpret_cast<T*>(address);
}

__device__ unsigned long long sum_of(int4 four) {
  return static_cast<unsigned long long>(four.x ^ four.y) + static_cast<unsigned>(four.z ^ four.w);
}

__global__ void interpret(Work work) {
  using Long = unsigned long long;
  alignas(16) __shared__ unsigned char shared_chars[kArrayFacts[sc].bytes];
  alignas(16) __shared__ int shared_ints[kArrayFacts[si].bytes / sizeof(int)];
  alignas(16) __shared__ long long shared_longs[kArrayFacts[sl].bytes / sizeof(long long)];
  __shared__ int4 shared_quads[kArrayFacts[sq].bytes / sizeof(int4)];
  __shared__ int shared_words[kArrayFacts[shared_flags].bytes / sizeof(int)];
  const int me = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int i = me; i < kArrayFacts[sc].bytes; i += threads) shared_chars[i] = 0;
  for (int i = me; i < kArrayFacts[si].bytes / 4; i += threads) shared_ints[i] = 0;
  for (int i = me; i < kArrayFacts[sl].bytes / 8; i += threads) shared_longs[i] = 0;
  for (int i = me; i < kArrayFacts[sq].bytes / 16; i += threads)
    shared_quads[i] = make_int4(0, 0, 0, 0);
  for (int i = me; i < kArrayFacts[shared_flags].bytes / 4; i += threads) shared_words[i] = 0;
  __syncthreads();

  const int thread = static_cast<int>(blockIdx.x) * threads + me;
  Long sink = 0;
  for (int i = work.starts[thread]; i < work.starts[thread + 1]; i++) {
    const Operation op = work.operations[i];
    unsigned char* p = nullptr;
    if (op.array < kShared) p = work.arrays[op.array] + op.offset;
    if (op.array == sc) p = shared_chars + op.offset;
    if (op.array == si) p = reinterpret_cast<unsigned char*>(shared_ints) + op.offset;
    if (op.array == sl) p = reinterpret_cast<unsigned char*>(shared_longs) + op.offset;
    if (op.array == sq) p = reinterpret_cast<unsigned char*>(shared_quads) + op.offset;
    if (op.array == shared_flags) p = reinterpret_cast<unsigned char*>(shared_words) + op.offset;
    const auto value = static_cast<unsigned>(op.value);
    const int value4 = static_cast<int>(value);
    Long seen = 0, expected = 0;
    switch (static_cast<Code>(op.code)) {
      CASE(read1, sink += *at<unsigned char>(p))
      CASE(read2, sink += *at<unsigned short>(p))
      CASE(read4, sink += *at<unsigned>(p))
      CASE(read8, sink += *at<Long>(p))
      CASE(read16, sink += sum_of(*at<int4>(p)))
      CASE(write1, *at<unsigned char>(p) = static_cast<unsigned char>(value))
      CASE(write2, *at<unsigned short>(p) = static_cast<unsigned short>(value))
      CASE(write4, *at<unsigned>(p) = value)
      CASE(write8, *at<Long>(p) = op.value)
      CASE(write16, *at<int4>(p) = make_int4(value4, value4, value4, value4))
      CASE(other_read1, sink += 2 * *at<unsigned char>(p))
      CASE(other_read4, sink += 2 * *at<unsigned>(p))
      CASE(other_write1, *at<unsigned char>(p) = static_cast<unsigned char>(value))
      CASE(other_write4, *at<unsigned>(p) = value)
      CASE(volatile_read1, seen = *at<volatile unsigned char>(p))
      CASE(volatile_read2, seen = *at<volatile unsigned short>(p))
      CASE(volatile_read4, seen = *at<volatile unsigned>(p))
      CASE(volatile_read8, seen = *at<volatile Long>(p))
      CASE(volatile_write1, *at<volatile unsigned char>(p) = static_cast<unsigned char>(value))
      CASE(volatile_write2, *at<volatile unsigned short>(p) = static_cast<unsigned short>(value))
      CASE(volatile_write4, *at<volatile unsigned>(p) = value)
      CASE(volatile_write8, *at<volatile Long>(p) = op.value)
      CASE(add4, seen = atomicAdd(at<unsigned>(p), value))
      CASE(add4_block, seen = atomicAdd_block(at<unsigned>(p), value))
      CASE(add4_system, seen = atomicAdd_system(at<unsigned>(p), value))
      CASE(add8, seen = atomicAdd(at<Long>(p), op.value))
      CASE(exch4, seen = atomicExch(at<unsigned>(p), value))
      CASE(exch4_block, seen = atomicExch_block(at<unsigned>(p), value))
      CASE(exch4_system, seen = atomicExch_system(at<unsigned>(p), value))
      CASE(exch8, seen = atomicExch(at<Long>(p), op.value))
      CASE(exch8_block, seen = atomicExch_block(at<Long>(p), op.value))
      CASE(cas4, seen = atomicCAS(at<unsigned>(p), 0u, value))
      CASE(cas4_block, seen = atomicCAS_block(at<unsigned>(p), 0u, value))
      CASE(cas4_system, seen = atomicCAS_system(at<unsigned>(p), 0u, value))
      CASE(cas8, seen = atomicCAS(at<Long>(p), Long{0}, op.value))
      CASE(poll_volatile, while ((seen = *at<volatile unsigned>(p)) == 0) __nanosleep(20))
      CASE(poll_add, while ((seen = atomicAdd(at<unsigned>(p), 0u)) == 0) continue)
      CASE(poll_add_block, while ((seen = atomicAdd_block(at<unsigned>(p), 0u)) == 0) continue)
      CASE(poll_cas, while ((seen = atomicCAS(at<unsigned>(p), 0u, 0u)) == 0) __nanosleep(20))
      CASE(poll_cas_block, while ((seen = atomicCAS_block(at<unsigned>(p), 0u, 0u)) == 0) __nanosleep(20))
      CASE(poll_cas_system, while ((seen = atomicCAS_system(at<unsigned>(p), 0u, 0u)) == 0) __nanosleep(20))
      CASE(lock, while ((seen = atomicCAS(at<unsigned>(p), unsigned(expected), value)) != expected) expected = seen & ~Long{1})
      CASE(lock_block, while ((seen = atomicCAS_block(at<unsigned>(p), unsigned(expected), value)) != expected) expected = seen & ~Long{1})
      CASE(unlock, seen = atomicExch(at<unsigned>(p), value))
      CASE(unlock_block, seen = atomicExch_block(at<unsigned>(p), value))
      CASE(unlock_plain, *at<unsigned>(p) = value)
      CASE(fence_block, __threadfence_block())
      CASE(fence, __threadfence())
      CASE(fence_system, __threadfence_system())
      CASE(barrier, __syncthreads())
      CASE(syncwarp, __syncwarp(op.mask))
      CASE(shuffle, sink += __shfl_sync(op.mask, value, __ffs(static_cast<int>(op.mask)) - 1))
      CASE(vote, sink += __any_sync(op.mask, value & 2))
      default: break;
    }
    if (seen != 0) work.results[op.result] = seen;
  }
  work.sinks[thread] = sink;
}

// --------------------------------------------------------------------------------- running a program

// Ends the test: without a device that works, no verdict is worth anything.
static void check_cuda(cudaError_t error, const Program& program) {
  if (error == cudaSuccess) return;
  std::printf("CUDA error: %s; the program:\n%s", cudaGetErrorString(error),
              text_of(program).c_str());
  std::exit(course::kExitWrong);
}

// Memory, streams and events for all programs, one after the other.
class Runner {
 public:
  Runner() {
    for (int i = 0; i < kShared; i++) allocate(&arrays_[i], kArrayFacts[i].bytes);
    for (int i = 1; i < kStreams; i++)
      check_cuda(cudaStreamCreateWithFlags(
                     &streams_[i], i < kFirstNonBlocking ? cudaStreamDefault : cudaStreamNonBlocking),
                 {});
    for (cudaEvent_t& event : events_)
      check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), {});
  }
  ~Runner() {
    for (unsigned char* array : arrays_) cudaFree(array);
    cudaFree(operations_);
    cudaFree(starts_);
    cudaFree(results_);
    for (int i = 1; i < kStreams; i++) cudaStreamDestroy(streams_[i]);
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  Runner(const Runner&) = delete;

  // Runs the program; returns what each statement has observed.
  std::vector<uint64_t> run(const Program& program) {
    prepare(program);
    size_t launch = 0;
    for (const Statement& s : program) check_cuda(enqueue(s, &launch), program);
    check_cuda(cudaDeviceSynchronize(), program);
    std::vector<unsigned long long> results(program.size());
    check_cuda(cudaMemcpy(results.data(), results_, results.size() * sizeof results[0],
                          cudaMemcpyDeviceToHost),
               program);
    return {results.begin(), results.end()};
  }

  static int line_of_host(Code code) { return kHostLine + static_cast<int>(code) - kFirstHost; }

 private:
  static constexpr int kFirstHost = static_cast<int>(Code::launch);

  template <typename T>
  static void allocate(T** memory, size_t count) {
    check_cuda(cudaMalloc(reinterpret_cast<void**>(memory), count * sizeof(T)), {});
  }

  // Memory for more and larger programs, if it is needed.
  template <typename T>
  static void grow(T** memory, size_t* count, size_t needed) {
    if (needed <= *count) return;
    cudaFree(*memory);
    *count = 2 * needed;
    allocate(memory, *count);
  }

  // Brings the lists of operations to the device and clears the arrays; waits for both.
  void prepare(const Program& program) {
    const std::vector<uint64_t> values = values_of(program);
    std::vector<Operation> operations;
    std::vector<int> starts;
    works_.clear();
    std::vector<size_t> first_starts;
    for (size_t i = 0; i < program.size(); i++) {
      if (program[i].code != Code::launch) continue;
      first_starts.push_back(starts.size());
      add_threads(program, i, values, &operations, &starts);
    }
    const size_t sinks = starts.size();
    grow(&operations_, &operations_room_, operations.size());
    grow(&starts_, &starts_room_, starts.size());
    grow(&results_, &results_room_, program.size() + sinks);
    if (!operations.empty())
      check_cuda(cudaMemcpy(operations_, operations.data(), operations.size() * sizeof operations[0],
                            cudaMemcpyHostToDevice),
                 program);
    if (!starts.empty())
      check_cuda(cudaMemcpy(starts_, starts.data(), starts.size() * sizeof(int),
                            cudaMemcpyHostToDevice),
                 program);
    check_cuda(cudaMemset(results_, 0, (program.size() + sinks) * sizeof *results_), program);
    for (int i = 0; i < kShared; i++)
      check_cuda(cudaMemset(arrays_[i], 0, kArrayFacts[i].bytes), program);
    check_cuda(cudaDeviceSynchronize(), program);
    for (const size_t first : first_starts) {
      Work work{};
      std::copy(arrays_, arrays_ + kShared, work.arrays);
      work.operations = operations_;
      work.starts = starts_ + first;
      work.results = results_;
      work.sinks = results_ + program.size() + first;
      works_.push_back(work);
    }
  }

  // The operations of each thread of the kernel that statement number `at` launches.
  static void add_threads(const Program& program, size_t at, const std::vector<uint64_t>& values,
                          std::vector<Operation>* operations, std::vector<int>* starts) {
    const Statement& launch = program[at];
    std::vector<std::vector<Operation>> threads(launch.grid * launch.block_size);
    for (size_t i = at + 1; i < program.size() && !is_host(program[i].code); i++) {
      const Statement& s = program[i];
      for (int thread = 0; thread < launch.block_size; thread++) {
        const bool takes_part = s.code == Code::barrier ||
                                (is_warp(s.code) && thread / 32 == s.thread / 32 &&
                                 (s.mask >> thread % 32 & 1) != 0) ||
                                (!is_group(s.code) && thread == s.thread);
        if (!takes_part || s.code == Code::nothing) continue;
        threads[s.block * launch.block_size + thread].push_back(
            {static_cast<int>(s.code), s.place.array, s.place.offset, s.mask, values[i],
             static_cast<int>(i), 0});
      }
    }
    for (const auto& thread : threads) {
      starts->push_back(static_cast<int>(operations->size()));
      operations->insert(operations->end(), thread.begin(), thread.end());
    }
    starts->push_back(static_cast<int>(operations->size()));
  }

  // One line each, in the order of Code, as in the kernel.
  static constexpr int kHostLine = 302;
  cudaError_t enqueue(const Statement& s, size_t* launch) {
    unsigned char *to = nullptr, *from = nullptr, host[64];
    if (s.place.array < kShared) to = arrays_[s.place.array] + s.place.offset;
    if (s.source.array < kShared) from = arrays_[s.source.array] + s.source.offset;
    const cudaStream_t stream = streams_[s.stream];
#define HOST_CASE(NAME, ...)                                                                   \
  case Code::NAME:                                                                             \
    static_assert(__LINE__ == kHostLine + int(Code::NAME) - kFirstHost, "lines as Code");      \
    __VA_ARGS__;
    switch (s.code) {
      HOST_CASE(launch, interpret<<<s.grid, s.block_size, 0, stream>>>(works_[(*launch)++]); return cudaGetLastError())
      HOST_CASE(memset, return cudaMemsetAsync(to, 0, s.bytes, stream))
      HOST_CASE(copy, return cudaMemcpyAsync(to, from, s.bytes, cudaMemcpyDeviceToDevice, stream))
      HOST_CASE(fetch, return cudaMemcpy(host, to, s.bytes, cudaMemcpyDeviceToHost))
      HOST_CASE(record, return cudaEventRecord(events_[s.event], stream))
      HOST_CASE(wait, return cudaStreamWaitEvent(stream, events_[s.event], 0))
      HOST_CASE(sync_stream, return cudaStreamSynchronize(stream))
      HOST_CASE(sync, return cudaDeviceSynchronize())
      default: return cudaSuccess;
    }
  }

  unsigned char* arrays_[kShared] = {};
  Operation* operations_ = nullptr;
  int* starts_ = nullptr;
  unsigned long long* results_ = nullptr;
  size_t operations_room_ = 0, starts_room_ = 0, results_room_ = 0;
  cudaStream_t streams_[kStreams] = {};
  cudaEvent_t events_[kEvents] = {};
  std::vector<Work> works_;
};

// -------------------------------------------------------------------------------------- comparing

using Lines = std::pair<int, int>;  // the smaller one first

// g++ merges the code of these two lines where both begin by reading 8 bytes.
static int merged(int line) {
  return line == line_of(Code::read16) ? line_of(Code::read8) : line;
}
static Lines pair_of(int a, int b) {
  return {std::min(merged(a), merged(b)), std::max(merged(a), merged(b))};
}

// The lines by which a finding may name a statement: that of the access, and of a kernel that races
// with other work of the host also that of its launch.
static std::vector<int> lines_of_statement(const Program& program, int i, bool of_kernels) {
  const Code code = program[i].code;
  if (is_host(code)) return {Runner::line_of_host(code)};
  if (!of_kernels) return {line_of(code)};
  return {line_of(code), Runner::line_of_host(Code::launch)};
}

static bool between_kernels(const Program& program, const Race& race) {
  for (int i = std::min(race.first, race.second) + 1; i <= std::max(race.first, race.second); i++)
    if (is_host(program[i].code)) return true;
  return is_host(program[race.first].code) || is_host(program[race.second].code);
}

static std::set<Lines> lines_of_races(const Program& program, const std::vector<Race>& races) {
  std::set<Lines> lines;
  for (const Race& race : races) {
    const bool of_kernels = between_kernels(program, race);
    for (const int a : lines_of_statement(program, race.first, of_kernels))
      for (const int b : lines_of_statement(program, race.second, of_kernels))
        lines.insert(pair_of(a, b));
  }
  return lines;
}

// The line of a place such as tests/checked_run/random_kernels.cu:123; 0 if it is in another file.
static int line_of_place(const std::string& place) {
  const size_t colon = place.rfind(':');
  const std::string name = "random_kernels.cu";
  if (colon == std::string::npos || colon < name.size() ||
      place.compare(colon - name.size(), name.size(), name) != 0)
    return 0;
  return std::atoi(place.c_str() + colon + 1);
}

// What is wrong with the findings, as text; "" if nothing is.
std::string difference(const Program& program, const std::vector<Race>& races,
                       const std::string& findings) {
  std::string text;
  const std::set<Lines> allowed = lines_of_races(program, races);
  for (const std::string& finding : lines_of(findings)) {
    std::istringstream words(finding);
    std::string kind, first, second;
    words >> kind >> first >> second;
    const int a = line_of_place(first), b = second.empty() ? a : line_of_place(second);
    if (kind.compare(0, 5, "race-") != 0 && kind != "warp-sync")
      text += "  no such mistake: " + finding + "\n";
    else if (allowed.count(pair_of(a, b)) == 0)
      text += "  no race of these two lines: " + finding + "\n";
  }
  const auto certain = [](const Race& race) { return race.certain; };
  if (lines_of(findings).empty() && std::any_of(races.begin(), races.end(), certain))
    text += "  there is a race, and no finding\n";
  return text;
}

// The races as pairs of statements with their lines, one of each pair of lines.
static std::string text_of_races(const Program& program, const std::vector<Race>& races) {
  std::string text;
  std::map<Lines, int> seen;
  for (const Race& race : races) {
    const int a = lines_of_statement(program, race.first, false)[0];
    const int b = lines_of_statement(program, race.second, false)[0];
    if (seen[pair_of(a, b)]++ >= 3) continue;  // more of the same
    text += std::string("  ") + (race.certain ? "race: " : "perhaps a race: ") +
            text_of(program[race.first]) + "  |  " + text_of(program[race.second]) + "   (lines " +
            std::to_string(a) + ", " + std::to_string(b) + ")\n";
  }
  return text.empty() ? "  no race\n" : text;
}

struct Result {
  std::string findings, wrong, races;
};

static Result examine(Runner* runner, const Program& program) {
  cpu_device::take_findings();
  const std::vector<uint64_t> observed = runner->run(program);
  Result result;
  result.findings = cpu_device::take_findings();
  const Oracle oracle(program, observed);
  result.races = text_of_races(program, oracle.races());
  if (!oracle.possible())
    result.wrong = "  what the threads saw contradicts itself: the oracle or the device is wrong\n";
  else if (kChecked)
    result.wrong = difference(program, oracle.races(), result.findings);
  return result;
}

// Takes out statements as long as something is still wrong.
static Program shrink(Runner* runner, Program program) {
  int runs = 0;
  for (size_t length = program.size() / 2; length > 0; length /= 2) {
    for (size_t at = 0; at < program.size() && runs < 1000;) {
      Program fewer = program;
      const size_t end = std::min(at + length, fewer.size());
      fewer.erase(fewer.begin() + at, fewer.begin() + end);
      if (!fewer.empty() && why_invalid(fewer).empty() && runs++ >= 0 &&
          !examine(runner, fewer).wrong.empty())
        program = fewer;
      else
        at += length;
    }
  }
  return program;
}

static void print(const Program& program, const Result& result) {
  std::printf("%sby the rules:\n%s", text_of(program).c_str(), result.races.c_str());
  if (kChecked)
    std::printf("found:\n%s%s", result.findings.empty() ? "  nothing\n" : "",
                result.findings.c_str());
  if (!result.wrong.empty()) std::printf("wrong:\n%s", result.wrong.c_str());
}

// ------------------------------------------------------------------------------------------ main

static int finish(long long passed, long long failed) {
  if (!kChecked)
    std::printf("the programs ran, but nothing was compared: compile with nvcc --check\n");
  std::printf("%lld passed, %lld failed\n", passed, failed);
  if (failed > 0) return course::kExitWrong;
  return kChecked ? 0 : course::kExitSkipped;
}

static int run_seeds(long long first, long long count, bool verbose) {
  Runner runner;
  long long failed = 0;
  for (long long seed = first; seed < first + count; seed++) {
    const Generator generator(static_cast<uint32_t>(seed));
    const Program& program = generator.program();
    const Result result = examine(&runner, program);
    if (verbose) std::printf("seed %lld: %zu statements\n", seed, program.size());
    if (verbose) std::fflush(stdout);
    if (result.wrong.empty() || ++failed > 5) continue;
    const Program small = shrink(&runner, program);
    std::printf("seed %lld, %zu of its %zu statements are enough:\n", seed, small.size(),
                program.size());
    print(small, examine(&runner, small));
    std::printf("\n");
  }
  return finish(count - failed, failed);
}

static int show(const Program& program) {
  Runner runner;
  const Result result = examine(&runner, program);
  print(program, result);
  return result.wrong.empty() ? 0 : course::kExitWrong;
}

// The oracle against known verdicts, both with what a run one after the other would observe and with
// what was observed; then the findings against the oracle.
static int self_test() {
  Runner runner;
  long long passed = 0, failed = 0;
  for (const Example& example : examples()) {
    const Program program = program_of(example);
    std::string wrong = why_invalid(program);
    if (wrong.empty()) wrong = wrong_verdict(example, expected_observations(program));
    if (wrong.empty()) wrong = wrong_verdict(example, runner.run(program));
    if (wrong.empty()) wrong = examine(&runner, program).wrong;
    wrong.empty() ? passed++ : failed++;
    if (!wrong.empty())
      std::printf("%s:\n%s%s\n", example.name, text_of(program).c_str(), wrong.c_str());
  }
  std::printf("%lld passed, %lld failed\n", passed, failed);
  return failed > 0 ? course::kExitWrong : 0;
}

static Program read_program(const char* file) {
  std::ifstream stream(file);
  if (!stream) course::bad_usage(std::string("cannot read ") + file);
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    // What --show prints behind the program is no part of it.
    const Program program = parse_program(text.str().substr(0, text.str().find("by the rules:")));
    const std::string wrong = program.empty() ? "no statements" : why_invalid(program);
    if (!wrong.empty()) course::bad_usage(std::string(file) + ": " + wrong);
    return program;
  } catch (const std::runtime_error& error) {
    course::bad_usage(std::string(file) + ": " + error.what());
  }
}

int main(int argc, char** argv) {
  long long seeds = 1000, first = 0, shown = -1;
  std::string file;
  bool verbose = false, test_itself = false;
  course::Options options("Runs random kernels and compares what the checked run finds in them.");
  options.number("seeds", &seeds, 0, 1000000000, "programs")
      .number("first", &first, 0, 1000000000, "seed of the first")
      .number("show", &shown, -1, 1000000000, "print and run the program of this seed only")
      .text("run", "FILE", &file, "run the program in a file, such as the output of --show")
      .flag("self-test", &test_itself, "compare the oracle with known verdicts")
      .flag("verbose", &verbose, "one line for each seed");
  options.parse(argc, argv);
  if (test_itself) return self_test();
  if (!file.empty()) return show(read_program(file.c_str()));
  if (shown >= 0) return show(Generator(static_cast<uint32_t>(shown)).program());
  return run_seeds(first, seeds, verbose);
}
