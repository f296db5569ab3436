#include "../../harness/watch_calls.h"

#define main program_main
#include "../../../nbody/nbody_mpi.cu"
#undef main

#include <dirent.h>

#include <filesystem>
#include <stdexcept>
#include <thread>

#include "../../harness/damaged_run.h"
#include "nbody_check.h"

using nbody::Bodies;
using nbody::Shares;
using nbody::Way;

// ------------------------------------------------------ an MPI that takes device memory, and NCCL
// Stand-ins that any machine has. They copy in a stream of their own that waits for nobody: what
// the program forgets to wait for, they see as it was before.

namespace {

// As main() does: for the processes that are started here without it.
[[maybe_unused]] const int no_display = setenv("HWLOC_COMPONENTS", "-gl", 0);

void copy_now(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  static cudaStream_t stream = [] {
    cudaStream_t created = nullptr;
    HANDLE_ERROR(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
    return created;
  }();
  HANDLE_ERROR(cudaMemcpyAsync(to, from, bytes, kind, stream));
  HANDLE_ERROR(cudaStreamSynchronize(stream));
}

bool is_device_memory(const void* pointer) {
  cudaPointerAttributes attributes;
  return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
         attributes.type == cudaMemoryTypeDevice;
}

struct OnItsWay {
  void* to;
  std::vector<char> bytes;
};
std::vector<OnItsWay>& on_their_way() {
  static std::vector<OnItsWay> messages;
  return messages;
}
int device_messages = 0;  // that were sent from device memory

int bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return count * size;
}

}  // namespace

// MPI has every function a second time, with a P, so that others may stand before it.
int MPI_Isend(const void* from, int count, MPI_Datatype type, int rank, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  if (!is_device_memory(from)) return PMPI_Isend(from, count, type, rank, tag, ranks, request);
  device_messages++;
  on_their_way().push_back({nullptr, std::vector<char>(bytes_of(count, type))});
  std::vector<char>& bytes = on_their_way().back().bytes;
  copy_now(bytes.data(), from, bytes.size(), cudaMemcpyDeviceToHost);
  return PMPI_Isend(bytes.data(), count, type, rank, tag, ranks, request);
}
int MPI_Irecv(void* to, int count, MPI_Datatype type, int rank, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  if (!is_device_memory(to)) return PMPI_Irecv(to, count, type, rank, tag, ranks, request);
  on_their_way().push_back({to, std::vector<char>(bytes_of(count, type))});
  return PMPI_Irecv(on_their_way().back().bytes.data(), count, type, rank, tag, ranks, request);
}
int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  const int result = PMPI_Testall(count, requests, done, statuses);
  if (!*done) return result;
  for (const OnItsWay& message : on_their_way())
    if (message.to != nullptr)
      copy_now(message.to, message.bytes.data(), message.bytes.size(), cudaMemcpyHostToDevice);
  on_their_way().clear();
  return result;
}

namespace {

// NCCL waits for the stream that it is given, and for no other.
nbody::Nccl stand_in_for_nccl() {
  static std::vector<MPI_Request> requests;
  nbody::Nccl nccl;
  nccl.get_id = [](nbody::Nccl::Id* id) {
    strcpy(id->bytes, "stand-in");
    return 0;
  };
  nccl.start = [](nbody::Nccl::Communicator*, int, nbody::Nccl::Id id, int) {
    return strcmp(id.bytes, "stand-in") == 0 ? 0 : 1;
  };
  nccl.stop = [](nbody::Nccl::Communicator) { return 0; };
  nccl.group_start = [] { return 0; };
  nccl.send = [](const void* from, size_t count, int type, int peer, nbody::Nccl::Communicator,
                 cudaStream_t stream) {
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    requests.emplace_back();
    MPI_Isend(from, static_cast<int>(4 * count), MPI_BYTE, peer, 1, MPI_COMM_WORLD,
              &requests.back());
    return type == 7 ? 0 : 1;
  };
  nccl.receive = [](void* to, size_t count, int type, int peer, nbody::Nccl::Communicator,
                    cudaStream_t stream) {
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    requests.emplace_back();
    MPI_Irecv(to, static_cast<int>(4 * count), MPI_BYTE, peer, 1, MPI_COMM_WORLD, &requests.back());
    return type == 7 ? 0 : 1;
  };
  nccl.group_end = [] {
    for (int done = 0; !done;)
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    requests.clear();
    return 0;
  };
  nccl.words = [](int) { return "the stand-in for NCCL fails"; };
  return nccl;
}

course::RunOptions in(const course::TemporaryFolder& folder) {
  course::RunOptions options;
  options.working_directory = folder.path();
  return options;
}

course::RunResult ok(const std::vector<std::string>& args, const course::TemporaryFolder& folder) {
  const course::RunResult result = course::run_program(args, in(folder));
  CHECK_MESSAGE(result.exit_code == 0, (result.err + result.out));
  CHECK(result.err == "");
  return result;
}

// Leapfrog in double precision, by the textbook's formula.
std::vector<double3> reference_positions(const Bodies& bodies, double dt, double softening,
                                         int steps) {
  const int n = bodies.count();
  std::vector<double3> x(n), v(n), a(n);
  for (int i = 0; i < n; i++) {
    x[i] = make_double3(bodies.positions[i].x, bodies.positions[i].y, bodies.positions[i].z);
    v[i] = make_double3(bodies.velocities[i].x, bodies.velocities[i].y, bodies.velocities[i].z);
  }
  const auto accelerate = [&] {
    for (int i = 0; i < n; i++) {
      a[i] = make_double3(0, 0, 0);
      for (int j = 0; j < n; j++) {
        const double dx = x[j].x - x[i].x, dy = x[j].y - x[i].y, dz = x[j].z - x[i].z;
        const double d = sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        const double pull = bodies.positions[j].w / (d * d * d);
        a[i] = make_double3(a[i].x + pull * dx, a[i].y + pull * dy, a[i].z + pull * dz);
      }
    }
  };
  const auto kick = [&] {
    for (int i = 0; i < n; i++)
      v[i] = make_double3(v[i].x + dt / 2 * a[i].x, v[i].y + dt / 2 * a[i].y,
                          v[i].z + dt / 2 * a[i].z);
  };
  accelerate();
  for (int step = 0; step < steps; step++) {
    kick();
    for (int i = 0; i < n; i++)
      x[i] = make_double3(x[i].x + dt * v[i].x, x[i].y + dt * v[i].y, x[i].z + dt * v[i].z);
    accelerate();
    kick();
  }
  return x;
}

// The largest distance between bodies and where they should be.
double farthest(const Bodies& bodies, const std::vector<double3>& expected) {
  if (bodies.positions.size() != expected.size()) return INFINITY;
  double most = 0;
  for (size_t i = 0; i < expected.size(); i++) {
    const float4 p = bodies.positions[i];
    const double dx = p.x - expected[i].x, dy = p.y - expected[i].y, dz = p.z - expected[i].z;
    const double distance = sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance <= most)) most = std::isnan(distance) ? INFINITY : distance;
  }
  return most;
}

// The processes of rank `rank` whose command line has `word` in it.
std::vector<pid_t> processes_of_rank(int rank, const std::string& word) {
  std::vector<pid_t> found;
  DIR* const folder = opendir("/proc");
  while (const dirent* const entry = readdir(folder)) {
    const std::string process = std::string("/proc/") + entry->d_name;
    if (atoi(entry->d_name) <= 0) continue;
    try {
      if (course::contains(course::read_file(process + "/cmdline"), word) &&
          course::contains(course::read_file(process + "/environ"),
                           "OMPI_COMM_WORLD_RANK=" + std::to_string(rank)))
        found.push_back(atoi(entry->d_name));
    } catch (const std::runtime_error&) {  // it has ended, or is somebody else's
    }
  }
  closedir(folder);
  return found;
}

}  // namespace

// --------------------------------------------------------------------------------- without ranks

TEST_CASE("bodies are shared out in order, as evenly as can be") {
  for (const int n : {0, 1, 2, 7, 8, 1000, 1000000000})
    for (const int ranks : {1, 2, 3, 8, 1000}) {
      const Shares shares{n, ranks};
      int next = 0, most = 0, least = n;
      for (int r = 0; r < ranks; r++) {
        REQUIRE(shares.first(r) == next);
        next += shares.count(r);
        most = std::max(most, shares.count(r));
        least = std::min(least, shares.count(r));
      }
      CHECK(next == n);
      CHECK(most - least <= 1);
      CHECK(shares.largest() == most);
    }
}

TEST_CASE("the model, by hand") {
  nbody::RingModel model;
  model.round_ms = 1;
  model.ms_per_interaction = 0.01;
  model.latency_ms = 2;
  model.ms_per_byte = 1.0 / 16;
  CHECK(model.part_ms(20) == doctest::Approx(1 + 4));
  CHECK(model.part_ms(20, 3) == doctest::Approx(15));
  CHECK(model.message_ms(20) == doctest::Approx(2 + 20));
  CHECK(model.step_ms(80, 4) ==
        doctest::Approx(3 * 22 + 5));  // the message is longer, but for once
  CHECK(model.step_ms(40, 1) == doctest::Approx(1 + 16));
  model.ms_per_byte = 1.0 / 1600;
  CHECK(model.step_ms(80, 4) == doctest::Approx(4 * 5));
  model.overlaps = false;
  CHECK(model.step_ms(80, 4) == doctest::Approx(4 * 5 + 3 * 2.2));
  const nbody::Line line = nbody::line_through(10, 7, 30, 17);
  CHECK(line.at_0 == doctest::Approx(2));
  CHECK(line.per_unit == doctest::Approx(0.5));
  CHECK(nbody::billions_per_second(1e-9, "GB/s") == "1000 GB/s");
  CHECK(nbody::line_through(10, 7, 30, 6).per_unit == 0);  // noise
}

TEST_CASE("timeline") {
  const std::vector<nbody::Stretch> stretches = {
      {false, 1, 0, 4}, {true, 0, 2, 6}, {false, 0, 6, 10}, {true, 12, 8, 10}};
  CHECK(nbody::timeline_row(stretches, false, 10, 10) == "1111..0000");
  CHECK(nbody::timeline_row(stretches, true, 10, 10) == "..0000..22");
  CHECK(nbody::overlap(stretches) == doctest::Approx(4.0 / 6));
  CHECK(nbody::overlap({}) == 0);
}

TEST_CASE("how mpirun is called, and how it ended") {
  char name[] = "nbody_mpi", option[] = "--size", value[] = "7";
  char* argv[] = {name, option, value, nullptr};
  const std::vector<std::string> command = nbody::mpirun_command(3, argv);
  REQUIRE(command.size() == 6);
  CHECK(command[0] == "mpirun");
  CHECK(command[1] == "-n");
  CHECK(command[2] == "3");
  CHECK(command[4] == "--size");
  CHECK(command[5] == "7");
  for (const char* setting : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT"})
    CHECK(getenv(setting) == std::string("1"));
  CHECK(nbody::deadly_signal(nbody::wait_for_command({"sh", "-c", "exit 3"})) == 0);
  CHECK(nbody::deadly_signal(nbody::wait_for_command({"sh", "-c", "exit 139"})) == SIGSEGV);
  CHECK(nbody::deadly_signal(nbody::wait_for_command({"sh", "-c", "kill -9 $$"})) == SIGKILL);
  CHECK(WEXITSTATUS(nbody::wait_for_command({"sh", "-c", "exit 3"})) == 3);
}

// What nbody_mpi shows of what mpirun said.
std::string passed_on(std::string said) {
  FILE* in = said.empty() ? fopen("/dev/null", "r") : fmemopen(&said[0], said.size(), "r");
  char* text = nullptr;
  size_t length = 0;
  FILE* out = open_memstream(&text, &length);
  nbody::pass_on(in, out);
  fclose(in);
  fclose(out);
  const std::string shown(text, length);
  free(text);
  return shown;
}

TEST_CASE("what mpirun says of a rank that has said why is left out, and nothing else") {
  const std::string dashes = std::string(74, '-') + "\n", why = "nbody_mpi: no such file\n";
  const std::string abort = dashes + "MPI_ABORT was invoked on rank 1\n\nNOTE\n" + dashes;
  const std::string ended = dashes + "prterun has exited due to process rank 1 with PID 0\n" + dashes;
  const std::string status =
      "[vm:11] PMIX ERROR: PMIX_ERR_UNREACH in file ../pmix_server.c at line 3184\n" + dashes +
      "prterun detected that one or more processes exited with non-zero status,\n" + dashes;
  const std::string slots = dashes + "There are not enough slots available\n" + dashes;
  CHECK(passed_on(why + abort + ended) == why);
  CHECK(passed_on(abort + why) == why);
  CHECK(passed_on(why + status) == why);
  CHECK(passed_on(slots + abort + why) == slots + why);
  CHECK(passed_on("-- short\n") == "-- short\n");
  CHECK(passed_on(dashes + "cut off") == dashes + "cut off");
  CHECK(passed_on("") == "");
}

TEST_CASE("numbers of ranks for the table") {
  CHECK(nbody::rank_counts(1, 1) == std::vector<int>{1});
  CHECK(nbody::rank_counts(1, 6) == std::vector<int>{1, 2, 4, 6});
  CHECK(nbody::rank_counts(16, 8).empty());
  CHECK(nbody::rank_counts(16, 64) == std::vector<int>{16, 32, 64});
}

// ------------------------------------------------------------------------------------- with ranks

TEST_CASE("any number of ranks: as one device, and as double precision") {
  const double dt = 0.01, softening = 0.05;
  const int steps = 4;
  struct Case {
    int ranks, n;
  };
  for (const Case& one : {Case{1, 257},
                          {2, 257},
                          {3, 257},
                          {4, 257},
                          {8, 257},
                          {8, 5},
                          {2, 1},
                          {3, 0},
                          {3, 2},
                          {1, 0}}) {
    CAPTURE(one.ranks);
    CAPTURE(one.n);
    course::TemporaryFolder folder;
    const Bodies start = nbody::plummer_sphere(one.n, 3);
    nbody::write_bodies(folder.file("start.txt"), start);
    const course::RunResult result =
        ok({"--ranks", std::to_string(one.ranks), "--file", "start.txt", "--steps",
            std::to_string(steps), "--save-state", "end.txt"},
           folder);
    CHECK(course::contains(result.out, nbody::bodies_in_words(one.n) + ", "));
    CHECK(course::contains(result.out, "accelerations right"));
    const Bodies end = nbody::read_bodies(folder.file("end.txt"));
    REQUIRE(end.count() == one.n);
    CHECK(farthest(end, reference_positions(start, dt, softening, steps)) < 1e-6);

    nbody::Settings settings;
    settings.dt = static_cast<float>(dt);
    nbody::Simulation simulation(start, nbody::kRegisters, settings);
    simulation.step(steps);
    const Bodies alone = simulation.bodies();
    std::vector<double3> expected;
    for (const float4 p : alone.positions) expected.push_back(make_double3(p.x, p.y, p.z));
    CHECK(farthest(end, expected) < 1e-6);
    // They have moved, by much more than that.
    if (one.n > 5) CHECK(farthest(end, reference_positions(start, dt, softening, 0)) > 1e-3);
  }
}

// Started by the next test, as one of several ranks.
TEST_CASE("(one rank of several)") {
  if (getenv("COURSE_RING_OF_RANKS") == nullptr) return;
  int argc = 0;
  char** argv = nullptr;
  const nbody::World world(&argc, &argv);
  const nbody::Nccl nccl = stand_in_for_nccl();
  nbody::Settings settings;
  settings.dt = 0.01f;
  for (const int n : {2, 301}) {
    const Bodies all = nbody::plummer_sphere(n, 5);
    const Shares shares{n, world.size()};
    const Bodies mine = {nbody::hand_out(MPI_COMM_WORLD, shares, all.positions),
                         nbody::hand_out(MPI_COMM_WORLD, shares, all.velocities)};
    nbody::Gathered first;
    for (const Way way : {Way::kStaged, Way::kCudaAware, Way::kNccl}) {
      device_messages = 0;
      nbody::RingSimulation simulation(MPI_COMM_WORLD, shares, mine, nbody::kRegisters, settings,
                                       way, nccl);
      simulation.step(4);
      const std::vector<nbody::Stretch> stretches = simulation.trace_step();
      const nbody::Gathered end = nbody::gather_all(simulation);
      const int received = static_cast<int>(
          std::count_if(stretches.begin(), stretches.end(),
                        [](const nbody::Stretch& stretch) { return stretch.receiving; }));
      if (received != world.size() - 1) printf("received %d times\n", received);
      if ((device_messages > 0) != (way != Way::kStaged)) printf("another way was asked for\n");
      if (world.rank() != 0) continue;
      const double error = farthest(end.bodies, reference_positions(all, 0.01, 0.05, 5));
      if (!(error < 1e-6)) printf("way %d: wrong by %g\n", static_cast<int>(way), error);
      // The order of additions is the same, whatever way the positions have come.
      if (way == Way::kStaged) first = end;
      if (!nbody::same_bits(first.accelerations, end.accelerations))
        printf("way %d: other bits\n", static_cast<int>(way));
    }
  }
  if (world.rank() == 0) printf("done\n");
}

TEST_CASE("three ways between devices: the same bits") {
  course::RunOptions options;
  options.environment["COURSE_RING_OF_RANKS"] = "1";
  for (const char* ranks : {"2", "3", "5"}) {
    char self[PATH_MAX] = {};
    REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    char* argv[] = {self, nullptr};
    std::vector<std::string> command = nbody::mpirun_command(atoi(ranks), argv);
    command.push_back("--test-case=(one rank of several)");
    command.push_back("--minimal=true");
    const course::RunResult result = course::run(command, options);
    INFO(result.err);
    INFO(result.out);
    CHECK(result.exit_code == 0);
    CHECK(course::contains(result.out, "done\n"));
    for (const char* wrong : {"wrong by", "other bits", "received", "another way"})
      CHECK_FALSE(course::contains(result.out, wrong));
  }
}

TEST_CASE("a checkpoint is continued by another number of ranks") {
  course::TemporaryFolder folder;
  ok({"--ranks", "3", "--size", "100", "--steps", "8", "--save-state", "whole.txt"}, folder);
  const course::RunResult half =
      ok({"--ranks", "3", "--size", "100", "--steps", "5", "--every", "2", "--checkpoint", "c"},
         folder);
  CHECK(course::contains(half.out, "saved c (step 5)"));
  CHECK(folder.names() == std::vector<std::string>{"c", "whole.txt"});
  const std::string checkpoint = course::read_file(folder.file("c"));
  CHECK(checkpoint.size() == 64 + 28 * 100);
  for (const char* ranks : {"1", "2", "3"}) {
    const course::RunResult rest = ok(
        {"--ranks", ranks, "--continue", "c", "--steps", "3", "--save-state", "end.txt"}, folder);
    CHECK(course::contains(rest.out, "100 bodies"));
    CHECK(course::contains(rest.out, "continued after step 5"));
    // Continued once more: steps are counted from the very beginning.
    const course::RunResult more =
        ok({"--ranks", ranks, "--continue", "c", "--steps", "2", "--checkpoint", "more"}, folder);
    CHECK_MESSAGE(course::contains(more.out, "saved more (step 7)"), more.out);
    const course::RunResult last = ok(
        {"--ranks", ranks, "--continue", "more", "--steps", "1", "--checkpoint", "more"}, folder);
    CHECK_MESSAGE(course::contains(last.out, "continued after step 7"), last.out);
    CHECK_MESSAGE(course::contains(last.out, "saved more (step 8)"), last.out);
    std::filesystem::remove(folder.file("more"));
    const Bodies whole = nbody::read_bodies(folder.file("whole.txt"));
    std::vector<double3> expected;
    for (const float4 p : whole.positions) expected.push_back(make_double3(p.x, p.y, p.z));
    CHECK(farthest(nbody::read_bodies(folder.file("end.txt")), expected) < 1e-6);
    // The same number of ranks gives the same bits as not having stopped.
    if (*ranks == '3')
      CHECK(course::read_file(folder.file("whole.txt")) ==
            course::read_file(folder.file("end.txt")));
  }

  const auto refused = [&](const std::string& reason, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"--continue", folder.file("c")};
    args.insert(args.end(), more.begin(), more.end());
    course::check_refused(args, reason);
  };
  refused("was made with --dt 0.01 --softening 0.05, not 0.02 and 0.05",
          {"--ranks", "2", "--dt", "0.02"});
  refused("was made with", {"--softening", "0.1"});
  std::string damaged = checkpoint;
  for (const size_t place : {size_t{20}, size_t{70}, checkpoint.size() - 1}) {
    damaged = checkpoint;
    damaged[place] ^= 1;
    course::write_text(folder.file("c"), damaged);
    refused("is damaged: its checksum is wrong");
  }
  damaged = checkpoint;  // two bodies that have changed places
  std::swap_ranges(damaged.begin() + 64, damaged.begin() + 92, damaged.begin() + 92);
  course::write_text(folder.file("c"), damaged);
  refused("is damaged");
  for (const size_t bytes : {size_t{64}, checkpoint.size() - 1, checkpoint.size() + 1, checkpoint.size() + 28, 2 * checkpoint.size()}) {
    damaged = checkpoint + checkpoint;
    damaged.resize(bytes);
    course::write_text(folder.file("c"), damaged);
    refused("it has " + std::to_string(bytes) + " bytes, and 100 bodies need 2864");
  }
  course::write_text(folder.file("c"), "1 0 0 0 0 0 0\n");
  refused("this is not a checkpoint of nbody_mpi");
  std::filesystem::remove(folder.file("c"));
  refused("No such file or directory");
}

TEST_CASE("kill -9 of one rank: one line, and a checkpoint that is whole" *
          doctest::test_suite("long")) {
  course::TemporaryFolder folder;
  const std::string path = folder.file("state.ckpt");
  course::RunResult result;
  std::thread running([&] {
    result = course::run_program({"--ranks", "3", "--size", "60", "--dt", "0.001", "--steps",
                                  "1000000", "--every", "3", "--checkpoint", path},
                                 in(folder));
  });
  std::vector<pid_t> victims;
  for (int wait = 0; wait < 3000 && victims.empty(); wait++) {
    usleep(10000);
    if (access(path.c_str(), R_OK) == 0) victims = processes_of_rank(1, path);
  }
  CHECK(victims.size() == 1);
  for (const pid_t victim : victims) kill(victim, SIGKILL);
  running.join();
  CHECK(result.exit_code == 1);
  CHECK_MESSAGE(course::count_lines(result.err) == 1, result.err);
  CHECK(course::contains(result.err, "signal 9 (Killed) ended a rank, and MPI ended the others"));
  CHECK(folder.names() == std::vector<std::string>{"state.ckpt"});
  for (const int rank : {0, 2}) {
    for (int wait = 0; wait < 1000 && !processes_of_rank(rank, path).empty(); wait++) usleep(10000);
    CHECK(processes_of_rank(rank, path).empty());
  }

  nbody::CheckpointHeader header;
  std::string why;
  REQUIRE(nbody::read_checkpoint_header(path, &header, &why));
  const int steps = static_cast<int>(header.steps);
  CHECK(steps > 0);
  CHECK(steps % 3 == 0);
  CHECK(course::contains(result.err,
                         "Continue after step " + std::to_string(steps) + " with --continue"));
  ok({"--ranks", "2", "--dt", "0.001", "--steps", "2", "--continue", path, "--save-state",
      "end.txt"},
     folder);
  nbody::Settings settings;
  settings.dt = 0.001f;
  nbody::Simulation simulation(nbody::plummer_sphere(60, 1), nbody::kRegisters, settings);
  simulation.step(steps + 2);
  std::vector<double3> expected;
  for (const float4 p : simulation.bodies().positions)
    expected.push_back(make_double3(p.x, p.y, p.z));
  CHECK(farthest(nbody::read_bodies(folder.file("end.txt")), expected) < 1e-3);
}

TEST_CASE("tables and timelines" * doctest::test_suite("long")) {
  course::TemporaryFolder folder;
  const course::RunResult strong =
      ok({"--ranks", "3", "--size", "300", "--steps", "2", "--scaling", "strong", "--up-to", "20"},
         folder);
  for (const char* row :
       {"\n      1       300 ", "\n      2       300 ", "\n      3       300 ",
        "\n      6       300            - ", "\n     12       300 ", "\n     20       300 "})
    CHECK_MESSAGE(course::contains(strong.out, row), strong.out);
  CHECK(course::contains(strong.out, "predicted from: "));
  const course::RunResult weak =
      ok({"--ranks", "4", "--size", "100", "--steps", "1", "--scaling", "weak"}, folder);
  for (const char* row : {"\n      1       100 ", "\n      2       141 ", "\n      4       200 "})
    CHECK_MESSAGE(course::contains(weak.out, row), weak.out);
  const course::RunResult timeline =
      ok({"--ranks", "2", "--size", "1000", "--steps", "1", "--timeline"}, folder);
  CHECK_MESSAGE(course::contains(timeline.out, "\nrank   0 computes "), timeline.out);
  CHECK_MESSAGE(course::contains(timeline.out, "\nrank   1 computes "), timeline.out);
  CHECK_MESSAGE(course::contains(timeline.out, "of it while computing"), timeline.out);
}

// "0321" of "computes .000.3321. ...", which stands somewhere behind `from`: owners in turn, without repetitions.
std::string owners_in_turn(const std::string& text, size_t from, const std::string& word) {
  const size_t at = text.find(word + " ", from);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  std::string owners;
  for (const char c : text.substr(at + word.size() + 1)) {
    if (c == ' ' || c == '\n') break;
    if (c != '.' && (owners.empty() || owners.back() != c)) owners += c;
  }
  return owners;
}

bool is_part_in_order(const std::string& part, const std::string& whole) {
  size_t at = 0;
  for (const char c : whole)
    if (at < part.size() && part[at] == c) at++;
  return at == part.size();
}

TEST_CASE("a timeline names the owners of the bodies: each rank's neighbors, one after the other around the ring") {
  course::TemporaryFolder folder;
  const course::RunResult result = ok({"--ranks", "5", "--size", "200", "--steps", "1", "--timeline"}, folder);
  for (int rank = 0; rank < 5; rank++) {
    std::string around;
    for (int step = 0; step < 5; step++) around += static_cast<char>('0' + (rank + 5 - step) % 5);
    const size_t line = result.out.find("\nrank   " + std::to_string(rank));
    const std::string computes = owners_in_turn(result.out, line, "computes");
    const std::string receives = owners_in_turn(result.out, line, "receives");
    CHECK_MESSAGE(is_part_in_order(computes, around), "rank " << rank << ": " << computes << "\n" << result.out);
    CHECK_MESSAGE(is_part_in_order(receives, around.substr(1)), "rank " << rank << ": " << receives << "\n" << result.out);
    CHECK_MESSAGE(!receives.empty(), result.out);
  }
}

TEST_CASE("bad input: one line" * doctest::test_suite("long")) {
  for (const char* ranks : {"1", "3"}) {
    const auto refused = [&](std::vector<std::string> args, const std::string& reason) {
      args.insert(args.end(), {"--ranks", ranks});
      course::check_refused(args, reason);
    };
    course::TemporaryFolder folder;
    course::write_text(folder.file("bodies.txt"), "1 0 0 0 0 0 0\n1 nan 0 0 0 0 0\n");
    refused({"--file", folder.file("bodies.txt")}, "line 2: x is nan");
    refused({"--file", "none.txt"}, "No such file or directory");
    refused({"--steps", "many"}, "--steps must be a whole number");
    refused({"--size", "1000000000"}, "this size needs");
  }
  course::check_number_option("ranks");
  course::check_refused({"--ranks", "2", "--threads", "0"}, "--threads must be a whole number");
  course::check_refused({"--way", "by-mail"}, "--way must be one of");
  course::check_refused({"--every", "3"}, "--every needs a file");
  course::check_refused({"--continue", "a", "--file", "b"}, "take one");
  course::check_refused({"--up-to", "9"}, "--up-to is for --scaling");
  course::check_refused({"--scaling", "weak", "--file", "b"}, "--scaling weak needs other numbers");
  course::check_refused({"--scaling", "strong", "--timeline"}, "--scaling makes a table");
  course::check_refused({"--ranks", "2", "--scaling", "strong", "--size", "1"},
                        "at least 2 bodies");
  course::check_refused({"--checkpoint", "no/such/folder/c"}, "No such file or directory");
  course::check_refused({"--checkpoint", "/dev/null"}, "must be an ordinary file");
  course::check_refused({"--checkpoint", std::string(5000, 'x')}, "File name too long");
  course::check_refused({"--continue", std::string(5000, 'x')}, "the name is too long");

  // Also where mpirun has started them: rank 0 speaks for all.
  course::TemporaryFolder folder;
  char self[] = "";
  char* argv[] = {self, nullptr};
  const auto under_mpirun = [&](const std::vector<std::string>& args) {
    std::vector<std::string> command = nbody::mpirun_command(3, argv);
    command.back() = course::program_path();
    command.insert(command.end(), args.begin(), args.end());
    return course::run(command, in(folder));
  };
  for (const auto& [args, reason] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--size", "abc"}, "--size must be a whole number"},
           {{"--ranks", "4"}, "--ranks 4, but mpirun started 3"},
           {{"--continue", "none"}, "No such file or directory"}}) {
    const course::RunResult result = under_mpirun(args);
    CHECK(result.exit_code == 2);
    CHECK(result.out == "");
    CHECK_MESSAGE(course::count_lines(passed_on(result.err)) == 1, result.err);
    CHECK_MESSAGE(course::contains(result.err, reason), result.err);
  }
  const course::RunResult help = under_mpirun({"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.out.find("usage") == help.out.rfind("usage"));
  CHECK(folder.names().empty());
}

TEST_CASE("what the machine lacks" * doctest::test_suite("long")) {
  course::RunOptions options;
  if (course::on_cpu_device()) {
    const course::RunResult nccl = course::run_program({"--ranks", "2", "--way", "nccl"});
    CHECK(nccl.exit_code == 77);
    CHECK_MESSAGE(nccl.out == "skipped: NCCL is for GPUs\n", nccl.out);
    options.environment["CPU_DEVICE_COUNT"] = "0";
    const course::RunResult none = course::run_program({"--ranks", "3"}, options);
    CHECK(none.exit_code == 77);
    CHECK_MESSAGE(course::count_lines(none.out + none.err) == 1, (none.out + none.err));
    options.environment.clear();
    options.environment["CPU_DEVICE_MEMORY"] = "100000";
    const course::RunResult small = course::run_program({"--ranks", "3"}, options);
    CHECK(small.exit_code == 2);
    CHECK(small.out == "");
    CHECK_MESSAGE(course::count_lines(small.err) == 1, small.err);
    CHECK(course::contains(small.err, "on the device"));
    options.environment.clear();
  }
  options.environment["PATH"] = "/nowhere";
  const course::RunResult no_mpirun = course::run_program({"--ranks", "2"}, options);
  CHECK(no_mpirun.exit_code == 77);
  CHECK_MESSAGE(course::contains(no_mpirun.out, "skipped: cannot run mpirun"), no_mpirun.out);
}

TEST_CASE("a wrong result is noticed") {
  course::check_damage_is_noticed({"--size", "100", "--steps", "2"});
}
