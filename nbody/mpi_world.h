// The ranks of an MPI program: how they start, what they share, and how they end with one line.
#pragma once

#define OMPI_SKIP_MPICXX  // the C interface alone
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/program/options.h"

namespace nbody {

// Whether mpirun (or Slurm, or another launcher with PMI) has started this process as one of
// several.
inline bool started_as_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (getenv(name) != nullptr) return true;
  return false;
}

// The call of mpirun for `ranks` ranks of this program on this machine. The environment has the
// rest, because Open MPI 4, 5 and other MPIs read different variables. Quiet: otherwise Open MPI
// adds ten lines to the one that a program ends with. Not bound to cores: ranks on the CPU device
// divide the cores themselves. Without the network, which is not needed and may be missing, and for
// which the part named ofi sleeps for a second at the end. As root if the user is root, as in a
// container.
inline std::vector<std::string> mpirun_command(int ranks, char** argv) {
  char self[PATH_MAX] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    course::bad_usage(std::string("cannot find its own file: ") + strerror(errno));
  const char* settings[][2] = {{"OMPI_MCA_orte_execute_quiet", "1"},
                               {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                               {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                               {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                               {"PRTE_MCA_hwloc_default_binding_policy", "none"},
                               {"OMPI_MCA_btl", "^tcp,ofi"},
                               {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                               {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  for (const auto& [name, value] : settings) setenv(name, value, 0);
  std::vector<std::string> command = {"mpirun", "-n", std::to_string(ranks), self};
  for (char** word = argv + 1; *word != nullptr; word++) command.push_back(*word);
  return command;
}

// Passes on what mpirun prints, except for repetitions that a rank has ended early. The rank itself
// has said why. Open MPI 5 adds blocks between two lines of dashes even if it should be quiet.
inline void pass_on(FILE* said, FILE* to) {
  const auto is_told_already = [](const std::string& block) {
    return block.find("MPI_ABORT was invoked") != std::string::npos ||
           block.find(" exited with non-zero status") != std::string::npos ||
           block.find(" has exited due to process rank") != std::string::npos ||
           block.find(" noticed that process rank") != std::string::npos;
  };
  std::string block;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, said) >= 0) {
    const bool is_edge = strspn(line, "-") >= 60;
    if (!is_edge && block.empty()) {
      if (strstr(line, "PMIX ERROR: PMIX_ERR_UNREACH") == nullptr) fputs(line, to);
      continue;
    }
    const bool ends = is_edge && !block.empty();
    block += line;
    if (!ends) continue;
    if (!is_told_already(block)) fputs(block.c_str(), to);
    block.clear();
  }
  fputs(block.c_str(), to);
  free(line);
}

// Runs a command, passes on its stderr, and returns its status as waitpid() reports it. Ctrl-C
// reaches both processes, and the command decides. It does not outlive this process.
inline int wait_for_command(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  fflush(nullptr);
  const pid_t parent = getpid();
  int errors[2];
  const pid_t child = pipe2(errors, O_CLOEXEC) == 0 ? fork() : -1;
  if (child < 0) course::bad_usage("the operating system gives no further process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    dup2(errors[1], STDERR_FILENO);
    if (getppid() == parent) execvp(words[0], words.data());
    printf("skipped: cannot run %s: %s; apt-get install openmpi-bin\n", words[0], strerror(errno));
    fflush(stdout);
    _exit(course::kExitSkipped);
  }
  close(errors[1]);
  signal(SIGINT, SIG_IGN);
  if (FILE* said = fdopen(errors[0], "r")) {
    pass_on(said, stderr);
    fclose(said);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGINT, SIG_DFL);
  return status;
}

// The signal that ended a rank, if that is how mpirun ended; otherwise 0.
inline int deadly_signal(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
}

// Waits between two tests whether something has happened. If there are more ranks than cores, a
// rank that only tests takes time from those that compute. In the first millisecond it does not
// sleep.
class Patience {
 public:
  void wait() {
    if (++looks_ > 1000) usleep(50);
  }

 private:
  int looks_ = 0;
};

inline void wait_for(MPI_Request request) {
  Patience patience;
  for (int done = 0; !done;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) patience.wait();
  }
}

// Waits for all ranks, like MPI_Barrier(), but sleeps while it waits.
inline void wait_for_all(MPI_Comm ranks) {
  MPI_Request request;
  MPI_Ibarrier(ranks, &request);
  wait_for(request);
}

// This process among the others. One object, made before the first CUDA call.
class World {
 public:
  World(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_rank_);
    MPI_Comm_size(machine, &local_size_);
    share_cores(machine);
    MPI_Comm_free(&machine);
    const int first_here = local_rank_ == 0;
    MPI_Allreduce(&first_here, &machines_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    on_exit(leave_with_the_others, nullptr);
  }
  ~World() { MPI_Finalize(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int machines() const { return machines_; }
  int local_rank() const { return local_rank_; }  // among the ranks on this machine
  int local_size() const { return local_size_; }
  int cores() const { return cores_; }  // that they may use together

  // Runs work() on rank 0 alone. If that ends the program, as bad_usage() does, all ranks end with
  // the same exit code, and rank 0 has printed why.
  template <typename Work>
  void on_rank_0(const Work& work) const {
    int code = kGoOn;
    if (rank_ == 0) {
      alone() = true;
      work();
      alone() = false;
    }
    tell_all(&code);
    if (code == kGoOn) return;
    MPI_Finalize();
    exit(code);
  }

  // Called by all ranks: they end with this exit code, and rank 0 prints why.
  [[noreturn]] void end(int code, const std::string& line) const {
    if (rank_ == 0) {
      fflush(stdout);
      if (code == course::kExitSkipped) {
        printf("skipped: %s\n", line.c_str());
        fflush(stdout);
      } else {
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, line.c_str());
      }
    }
    MPI_Finalize();
    exit(code);
  }

  // Whether a condition holds for all ranks; the smallest and the largest value of all ranks.
  bool all(bool mine) const { return least(mine ? 1.0 : 0.0) == 1.0; }
  double least(double mine) const { return combined(mine, MPI_MIN); }
  double most(double mine) const { return combined(mine, MPI_MAX); }

 private:
  static constexpr int kGoOn = -1;

  static bool& alone() {
    static bool rank_0_works_alone = false;
    return rank_0_works_alone;
  }

  // From rank 0 to the ranks that wait for it.
  static void tell_all(int* number) {
    MPI_Request request;
    MPI_Ibcast(number, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
  }

  static void leave_with_the_others(int status, void*) {
    if (!alone()) return;
    alone() = false;
    tell_all(&status);
    MPI_Finalize();
  }

  // The CPU device has a worker for each core. The ranks of a machine divide the cores: otherwise 8
  // ranks on 2 cores would have 16 workers. Call it before the first CUDA call. GPUs ignore it.
  void share_cores(MPI_Comm machine) {
    cpu_set_t mine, all;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allreduce(&mine, &all, sizeof mine, MPI_UNSIGNED_CHAR, MPI_BOR, machine);
    cores_ = std::max(1, CPU_COUNT(&all));
    const int share = std::min(CPU_COUNT(&mine), cores_ / local_size_);
    setenv("CPU_DEVICE_THREADS", std::to_string(std::max(1, share)).c_str(), 0);
  }

  static double combined(double mine, MPI_Op how) {
    double result = 0;
    MPI_Allreduce(&mine, &result, 1, MPI_DOUBLE, how, MPI_COMM_WORLD);
    return result;
  }

  int rank_ = 0, size_ = 1, machines_ = 1, local_rank_ = 0, local_size_ = 1, cores_ = 1;
};

// How the bodies are divided: as evenly as possible, in order. With fewer bodies than ranks, some
// ranks have none.
struct Shares {
  int n, ranks;
  int first(int rank) const { return static_cast<int>(1LL * n * rank / ranks); }
  int count(int rank) const { return first(rank + 1) - first(rank); }
  int largest() const { return n / ranks + (n % ranks != 0); }
  std::vector<int> firsts() const { return all(&Shares::first); }
  std::vector<int> counts() const { return all(&Shares::count); }

 private:
  std::vector<int> all(int (Shares::*what)(int) const) const {
    std::vector<int> result;
    for (int rank = 0; rank < ranks; rank++) result.push_back((this->*what)(rank));
    return result;
  }
};

// MPI counts elements with an int, so that these are whole structs and not bytes.
template <typename T>
class DataType {
 public:
  DataType() {
    MPI_Type_contiguous(sizeof(T), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~DataType() { MPI_Type_free(&type_); }
  DataType(const DataType&) = delete;
  DataType& operator=(const DataType&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

// Distributes rank 0's elements to the ranks of `ranks`, and returns this rank's share.
template <typename T>
std::vector<T> hand_out(MPI_Comm ranks, const Shares& shares, const std::vector<T>& all) {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  const DataType<T> type;
  std::vector<T> mine(shares.count(rank));
  MPI_Scatterv(all.data(), shares.counts().data(), shares.firsts().data(), type, mine.data(),
               static_cast<int>(mine.size()), type, 0, ranks);
  return mine;
}

// The reverse: all elements on rank 0, none elsewhere.
template <typename T>
std::vector<T> gather(MPI_Comm ranks, const Shares& shares, const std::vector<T>& mine) {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  const DataType<T> type;
  std::vector<T> all(rank == 0 ? shares.n : 0);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), type, all.data(), shares.counts().data(),
              shares.firsts().data(), type, 0, ranks);
  return all;
}

}  // namespace nbody
