// Tiny programs with known verdicts, for the oracle of random_kernels.h and for a race detector. The
// letters behind # say which statements race: each with each that has the same letter.
#pragma once

#include "random_kernels.h"

namespace random_kernels {

struct Example {
  const char* name;
  const char* text;
};

inline const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      // ---- one kernel: accesses ----
      {"two lanes write one word", R"(
        launch 0 1 32
        0.0 write4 gi+0 #a
        0.1 other_write4 gi+0 #a)"},
      {"reads only", R"(
        launch 0 1 32
        0.0 read4 gi+0
        0.1 other_read4 gi+0)"},
      {"neighbors: char next to char", R"(
        launch 0 1 64
        0.0 write1 gc+4
        0.33 write1 gc+5)"},
      {"a byte within a word", R"(
        launch 0 1 64
        0.0 write1 gc+7 #a
        0.33 read8 gc+0 #a
        0.34 read8 gc+8)"},
      {"16 bytes over 4 bytes of another block", R"(
        launch 0 2 32
        0.0 write16 gq+16 #a
        1.0 read4 gq+28 #a
        1.1 read4 gq+32)"},
      {"shared memory is the block's own", R"(
        launch 0 2 32
        0.0 write4 si+0
        1.0 other_write4 si+0)"},
      {"one thread alone", R"(
        launch 0 1 32
        0.5 write4 si+0
        0.5 read4 si+0
        0.5 write8 si+0)"},
      // ---- barriers ----
      {"a barrier between", R"(
        launch 0 1 64
        0.0 write4 si+0
        0.* barrier
        0.40 read4 si+0)"},
      {"no barrier between, but before", R"(
        launch 0 1 64
        0.* barrier
        0.0 write4 si+0 #a
        0.40 read4 si+0 #a)"},
      {"a barrier orders no other block", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.* barrier
        1.* barrier
        1.0 read4 gi+0 #a)"},
      {"the barrier at the end of a loop is missing", R"(
        launch 0 1 64
        0.0 write4 si+0
        0.* barrier
        0.40 read4 si+0 #a
        0.0 other_write4 si+0 #a)"},
      // ---- warps ----
      {"__syncwarp() of both lanes", R"(
        launch 0 1 32
        0.0 write4 si+0
        0.0 syncwarp 00000003
        0.1 read4 si+0)"},
      {"__syncwarp() without one of them", R"(
        launch 0 1 32
        0.0 write4 si+0 #a
        0.0 syncwarp 00000003
        0.2 read4 si+0 #a)"},
      {"__syncwarp() of masks that meet in a lane", R"(
        launch 0 1 32
        0.0 write4 si+0
        0.0 syncwarp 00000003
        0.0 syncwarp 00000006
        0.2 read4 si+0)"},
      {"__syncwarp() of masks that meet in a lane, the wrong way round", R"(
        launch 0 1 32
        0.0 write4 si+0 #a
        0.0 syncwarp 00000006
        0.0 syncwarp 00000003
        0.2 read4 si+0 #a)"},
      {"__syncwarp() of another warp", R"(
        launch 0 1 64
        0.0 write4 si+0 #a
        0.0 syncwarp ffffffff
        0.32 syncwarp ffffffff
        0.33 read4 si+0 #a)"},
      {"a shuffle orders nothing", R"(
        launch 0 1 32
        0.0 write4 si+0 #a
        0.0 shuffle ffffffff
        0.1 read4 si+0 #a)"},
      {"a vote orders nothing", R"(
        launch 0 1 32
        0.0 write4 gi+0 #a
        0.0 vote ffffffff
        0.1 write4 gi+0 #a)"},
      // ---- atomics and volatile ----
      {"atomics of two blocks", R"(
        launch 0 2 32
        0.0 add4 gi+0
        1.0 exch4 gi+0
        1.5 cas4_system gi+0)"},
      {"an atomic of the block's scope and another block", R"(
        launch 0 2 64
        0.0 add4_block gi+0 #a
        0.40 add4_block gi+0 #b
        1.0 add4 gi+0 #ab)"},
      {"an atomic of the block's scope within the block", R"(
        launch 0 1 64
        0.0 add4_block gi+0
        0.40 add4 gi+0)"},
      {"an atomic and a plain read", R"(
        launch 0 1 64
        0.0 add4 gi+0 #a
        0.40 read4 gi+0 #a)"},
      {"atomics of two sizes", R"(
        launch 0 1 64
        0.0 add4 gl+0 #a
        0.40 add8 gl+0 #a
        0.41 add8 gl+8)"},
      {"volatile of two warps", R"(
        launch 0 1 64
        0.0 volatile_write4 si+0
        0.40 volatile_read4 si+0)"},
      {"volatile shared memory in a warp: the old style", R"(
        launch 0 1 64
        0.0 volatile_write4 si+0 #a
        0.1 volatile_read4 si+0 #a)"},
      {"volatile shared memory in a warp with __syncwarp()", R"(
        launch 0 1 64
        0.0 volatile_write4 si+0
        0.0 syncwarp ffffffff
        0.1 volatile_read4 si+0)"},
      {"volatile and plain", R"(
        launch 0 2 32
        0.0 volatile_write4 gi+0 #a
        1.0 read4 gi+0 #a)"},
      {"volatile of two sizes", R"(
        launch 0 2 32
        0.0 volatile_write4 gi+0 #a
        1.0 volatile_read1 gi+2 #a)"},
      // ---- flags ----
      {"a flag with both fences", R"(
        launch 0 2 32
        0.0 write4 gi+0
        0.0 fence
        0.0 exch4 flags+0
        1.3 poll_cas flags+0
        1.3 fence
        1.3 read4 gi+0)"},
      {"a volatile flag with both fences", R"(
        launch 0 2 32
        0.0 write4 gi+0
        0.0 fence
        0.0 volatile_write4 flags+0
        1.3 poll_volatile flags+0
        1.3 fence_system
        1.3 read4 gi+0)"},
      {"a plain flag", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 write4 flags+0 #b
        1.3 poll_volatile flags+0 #b
        1.3 fence
        1.3 read4 gi+0 #a)"},
      {"a flag without the writer's fence", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.0 exch4 flags+0
        1.3 poll_add flags+0
        1.3 fence
        1.3 read4 gi+0 #a)"},
      {"a flag without the reader's fence", R"(
        launch 0 1 64
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 exch4 flags+0
        0.33 poll_add flags+0
        0.33 read4 gi+0 #a)"},
      {"the fence before the data", R"(
        launch 0 1 64
        0.0 fence
        0.0 write4 gi+0 #a
        0.0 exch4 flags+0
        0.33 poll_add flags+0
        0.33 fence
        0.33 read4 gi+0 #a)"},
      {"the reader's fence after the data", R"(
        launch 0 1 64
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 exch4 flags+0
        0.33 poll_add flags+0
        0.33 read4 gi+0 #a
        0.33 fence)"},
      {"__threadfence_block() between two blocks, by the writer", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.0 fence_block
        0.0 exch4 flags+0
        1.3 poll_cas flags+0
        1.3 fence
        1.3 read4 gi+0 #a)"},
      {"__threadfence_block() between two blocks, by the reader", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 exch4 flags+0
        1.3 poll_cas flags+0
        1.3 fence_block
        1.3 read4 gi+0 #a)"},
      {"__threadfence_block() within a block", R"(
        launch 0 1 64
        0.0 write4 gi+0
        0.0 fence_block
        0.0 exch4_block shared_flags+0
        0.33 poll_cas_block shared_flags+0
        0.33 fence_block
        0.33 read4 gi+0)"},
      {"a wide fence behind a narrow one", R"(
        launch 0 2 32
        0.0 write4 gi+0
        0.0 fence
        0.0 write4 gi+4 #a
        0.0 fence_block
        0.0 exch4 flags+0
        1.3 poll_cas flags+0
        1.3 fence
        1.3 read4 gi+0
        1.3 read4 gi+4 #a)"},
      {"a flag of the block's scope between two blocks", R"(
        launch 0 2 32
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 exch4_block flags+0 #b
        1.3 poll_cas flags+0 #b
        1.3 fence
        1.3 read4 gi+0 #a)"},
      {"a barrier hands over what a flag promises", R"(
        launch 0 2 64
        0.40 write4 gi+0
        0.* barrier
        0.0 fence
        0.0 exch4 flags+0
        1.0 poll_cas flags+0
        1.0 fence
        1.* barrier
        1.50 read4 gi+0)"},
      {"a barrier is no fence for the grid", R"(
        launch 0 2 64
        0.40 write4 gi+0 #a
        0.* barrier
        0.0 exch4 flags+0
        1.0 poll_cas flags+0
        1.0 fence
        1.* barrier
        1.50 read4 gi+0 #a)"},
      {"two flags in a row", R"(
        launch 0 3 32
        0.0 write4 gi+0
        0.0 fence
        0.0 exch4 flags+0
        1.0 poll_cas flags+0
        1.0 fence
        1.0 exch4 flags+4
        2.0 poll_cas flags+4
        2.0 fence
        2.0 read4 gi+0)"},
      {"a read-modify-write hands the flag on", R"(
        launch 0 2 64
        0.0 write4 gi+0
        0.0 fence
        0.0 exch4 flags+0
        0.33 poll_volatile flags+0
        0.33 add4 flags+0
        0.33 exch4 flags+4
        1.0 poll_volatile flags+4
        1.0 add4 flags+0
        1.0 fence
        1.0 read4 gi+0)"},
      {"a second write of a flag does not hand it on", R"(
        launch 0 2 64
        0.0 write4 gi+0 #a
        0.0 fence
        0.0 exch4 flags+0
        0.33 poll_volatile flags+0
        0.33 volatile_write4 flags+0
        0.33 exch4 flags+4
        1.0 poll_volatile flags+4
        1.0 add4 flags+0
        1.0 fence
        1.0 read4 gi+0 #a)"},
      // ---- locks ----
      {"a lock with its fences", R"(
        launch 0 2 32
        0.0 lock flags+0
        0.0 fence
        0.0 write4 gi+0
        0.0 fence
        0.0 unlock flags+0
        1.0 lock flags+0
        1.0 fence
        1.0 write4 gi+0
        1.0 fence
        1.0 unlock flags+0
        1.1 lock flags+0
        1.1 fence
        1.1 write4 gi+0
        1.1 fence
        1.1 unlock flags+0)"},
      {"a lock without fences", R"(
        launch 0 2 32
        0.0 lock flags+0
        0.0 write4 gi+0 #a
        0.0 unlock flags+0
        1.0 lock flags+0
        1.0 write4 gi+0 #a
        1.0 unlock flags+0)"},
      {"a lock that a plain store releases", R"(
        launch 0 1 64
        0.0 lock flags+0 #a
        0.0 fence
        0.0 write4 gi+0 #d
        0.0 fence
        0.0 unlock_plain flags+0 #bc
        0.40 lock flags+0 #c
        0.40 fence
        0.40 write4 gi+0 #d
        0.40 fence
        0.40 unlock_plain flags+0 #ab)"},
      // ---- streams ----
      {"two kernels in one stream", R"(
        launch 1 1 32
        0.0 write4 gi+0
        launch 1 1 32
        0.1 read4 gi+0)"},
      {"two kernels in two streams", R"(
        launch 1 1 32
        0.0 write4 gi+0 #a
        launch 2 1 32
        0.1 read4 gi+0 #a)"},
      {"the default stream waits for a blocking one", R"(
        launch 1 1 32
        0.0 write4 gi+0
        launch 0 1 32
        0.1 read4 gi+0
        launch 2 1 32
        0.1 write4 gi+0)"},
      {"the default stream and a stream that does not block", R"(
        launch 3 1 32
        0.0 write4 gi+0 #a
        launch 0 1 32
        0.1 read4 gi+0 #a)"},
      {"an event between two streams", R"(
        launch 3 1 32
        0.0 write4 gi+0
        record 3 0
        wait 4 0
        launch 4 1 32
        0.1 read4 gi+0)"},
      {"an event recorded too early", R"(
        record 1 0
        launch 1 1 32
        0.0 write4 gi+0 #a
        wait 2 0
        launch 2 1 32
        0.1 read4 gi+0 #a)"},
      {"the host waits between", R"(
        launch 1 1 32
        0.0 write4 gi+0
        sync_stream 1
        launch 2 1 32
        0.1 read4 gi+0)"},
      {"the host waits for another stream", R"(
        launch 1 1 32
        0.0 write4 gi+0 #a
        sync_stream 2
        launch 2 1 32
        0.1 read4 gi+0 #a)"},
      {"the host waits for the default stream, and so for blocking streams", R"(
        launch 1 1 32
        0.0 write4 gi+0
        sync_stream 0
        launch 2 1 32
        0.1 read4 gi+0)"},
      {"the host waits for the default stream, and not for one that does not block", R"(
        launch 3 1 32
        0.0 write4 gi+0 #a
        sync_stream 0
        launch 2 1 32
        0.1 read4 gi+0 #a)"},
      {"a memset beside a kernel", R"(
        launch 1 1 32
        0.0 write4 gi+0 #a
        0.0 write4 gi+64
        memset 2 gi+0 64 #a
        sync
        launch 2 1 32
        0.1 read4 gi+0)"},
      {"a copy beside a kernel", R"(
        launch 3 1 32
        0.0 write4 gi+0 #a
        0.0 read4 gi+64 #b
        0.0 read4 gi+0
        copy 1 gi+64 gi+0 16 #ab)"},
      {"atomics of two kernels at once", R"(
        launch 1 1 32
        0.0 add4 gi+0
        0.0 add4_block gi+4 #a
        launch 2 1 32
        0.0 add4 gi+0
        0.0 add4_block gi+4 #a)"},
  };
  return all;
}

inline Program program_of(const Example& example) {
  std::string text = example.text;
  for (size_t at; (at = text.find('#')) != std::string::npos;)
    text.erase(at, std::min(text.find('\n', at), text.size()) - at);
  return parse_program(text);
}

// How the oracle's verdict differs from the known one; "" if it does not.
inline std::string wrong_verdict(const Example& example, const std::vector<uint64_t>& observed) {
  const std::vector<std::string> lines = lines_of(example.text);
  const Program program = program_of(example);
  std::set<std::pair<int, int>> known, found;
  for (size_t i = 0; i < lines.size(); i++)
    for (size_t j = 0; j < i; j++) {
      const std::string a = lines[i].substr(std::min(lines[i].find('#'), lines[i].size()));
      const std::string b = lines[j].substr(std::min(lines[j].find('#'), lines[j].size()));
      if (a.find_first_of("abcd") != std::string::npos &&
          b.find_first_of(a.substr(1)) != std::string::npos)
        known.insert({static_cast<int>(j), static_cast<int>(i)});
    }
  const Oracle oracle(program, observed);
  for (const Race& race : oracle.races())
    found.insert({std::min(race.first, race.second), std::max(race.first, race.second)});
  std::string text;
  const auto list = [&](const char* what, const std::pair<int, int>& pair) {
    text += std::string("  ") + what + text_of(program[pair.first]) + "  |  " +
            text_of(program[pair.second]) + "\n";
  };
  for (const auto& pair : known)
    if (found.count(pair) == 0) list("not a race for the oracle: ", pair);
  for (const auto& pair : found)
    if (known.count(pair) == 0) list("a race only for the oracle: ", pair);
  return text;
}

}  // namespace random_kernels
