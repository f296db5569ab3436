// A checkpoint: the bodies of all ranks in one file, from which any number of ranks can continue.
//
// A header of 64 bytes, then 28 bytes for each body, in order, so that a rank finds its share
// without reading the others': x, y, z, mass, vx, vy, vz as floats, in the machine's own byte
// order.
//
// The file is always complete. All ranks write it under another name, FILE.part. When each rank's
// part is on the disk, rank 0 renames the file. That replaces the previous checkpoint in one step.
// A checksum detects damage.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "../common/program/write_file.h"
#include "bodies.h"
#include "mpi_world.h"

namespace nbody {

struct CheckpointHeader {
  char magic[8] = {'n', 'b', 'o', 'd', 'y', 'm', 'p', '1'};
  int32_t byte_order = 0x01020304;
  int32_t n = 0;
  int64_t steps = 0;  // since the beginning
  float dt = 0, softening = 0;
  uint64_t checksum = 0;
  char unused[24] = {};
};
static_assert(sizeof(CheckpointHeader) == 64, "the file's layout");

constexpr size_t kBytesOfBody = sizeof(float4) + sizeof(float3);

inline off_t checkpoint_bytes(int n) {
  return static_cast<off_t>(sizeof(CheckpointHeader) + kBytesOfBody * static_cast<size_t>(n));
}

inline std::string part_of(const std::string& path) { return path + ".part"; }

// FNV-1a, of 64 bits.
inline uint64_t hash_of(uint64_t number, const void* data, size_t bytes) {
  uint64_t hash = 14695981039346656037ull ^ number;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ull;
  return hash ^ (hash >> 32);
}

// The checksum of a header and all ranks' bodies. It is a sum, so it does not depend on which rank
// has which bodies. It includes the bodies' numbers, so it detects two bodies in exchanged places.
inline uint64_t checksum(CheckpointHeader header, int first, const std::vector<char>& bytes) {
  header.checksum = 0;
  uint64_t mine = 0, sum = 0;
  for (size_t i = 0; i < bytes.size() / kBytesOfBody; i++)
    mine += hash_of(first + i, &bytes[i * kBytesOfBody], kBytesOfBody);
  MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum + hash_of(0, &header, sizeof header);
}

inline std::vector<char> to_bytes(const Bodies& bodies) {
  std::vector<char> bytes(kBytesOfBody * static_cast<size_t>(bodies.count()));
  for (int i = 0; i < bodies.count(); i++) {
    char* const place = &bytes[kBytesOfBody * static_cast<size_t>(i)];
    memcpy(place, &bodies.positions[i], sizeof(float4));
    memcpy(place + sizeof(float4), &bodies.velocities[i], sizeof(float3));
  }
  return bytes;
}

inline Bodies from_bytes(const std::vector<char>& bytes) {
  Bodies bodies;
  const size_t count = bytes.size() / kBytesOfBody;
  bodies.positions.resize(count);
  bodies.velocities.resize(count);
  for (size_t i = 0; i < count; i++) {
    memcpy(&bodies.positions[i], &bytes[kBytesOfBody * i], sizeof(float4));
    memcpy(&bodies.velocities[i], &bytes[kBytesOfBody * i + sizeof(float4)], sizeof(float3));
  }
  return bodies;
}

// Both return 0, or what went wrong, as errno has it.
inline int write_at(int file, const void* data, size_t bytes, off_t offset) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t part = pwrite(file, static_cast<const char*>(data) + done, bytes - done,
                                offset + static_cast<off_t>(done));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return part < 0 ? errno : EIO;
    done += static_cast<size_t>(part);
  }
  return 0;
}
inline int read_at(int file, void* data, size_t bytes, off_t offset) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t part = pread(file, static_cast<char*>(data) + done, bytes - done,
                               offset + static_cast<off_t>(done));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return part < 0 ? errno : EIO;
    done += static_cast<size_t>(part);
  }
  return 0;
}

// Writes to an existing file, and waits until the data are on the disk.
inline int write_part(const std::string& path, const void* data, size_t bytes, off_t offset) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int problem = write_at(file, data, bytes, offset);
  if (problem == 0 && fsync(file) != 0) problem = errno;
  if (close(file) != 0 && problem == 0) problem = errno;
  return problem;
}

// Makes an empty file, and replaces an existing one.
inline int make_empty(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file >= 0 && close(file) == 0 ? 0 : errno;
}

// Renames a file, and waits until the new name is on the disk.
inline int rename_for_good(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return errno;
  const size_t slash = to.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return 0;  // a folder that may not be read: the file is renamed all the same
  fsync(file);
  close(file);
  return 0;
}

// Called by all ranks of the world, each with its share. Ends the program with exit code 2 and one
// line if it cannot be written. The previous checkpoint is then unchanged.
inline void write_checkpoint(const World& world, const std::string& path, const Shares& shares,
                             CheckpointHeader header, const Bodies& mine) {
  const std::string part = part_of(path);
  const std::vector<char> bytes = to_bytes(mine);
  const int first = shares.first(world.rank());
  header.n = shares.n;
  header.checksum = checksum(header, first, bytes);
  const course::SignalsHeldBack held_back;  // Ctrl-C leaves no FILE.part
  int problem = 0;
  if (world.rank() == 0) problem = make_empty(part);
  const bool made = problem == 0;
  problem = static_cast<int>(world.most(problem));
  if (problem == 0 && world.rank() == 0) problem = write_part(part, &header, sizeof header, 0);
  if (problem == 0) problem = write_part(part, bytes.data(), bytes.size(), checkpoint_bytes(first));
  problem = static_cast<int>(world.most(problem));
  if (problem == 0 && world.rank() == 0) problem = rename_for_good(part, path);
  problem = static_cast<int>(world.most(problem));
  if (problem == 0) return;
  if (world.rank() == 0 && made) unlink(part.c_str());
  world.end(course::kExitUsage,
            "cannot write '" + path + "': " + strerror(problem) +
                (world.machines() > 1 ? " (all machines must see the same folder)" : ""));
}

// The header of a checkpoint of the right size. Otherwise `why` says what is wrong, in words that
// follow the file's name.
inline bool read_checkpoint_header(const std::string& path, CheckpointHeader* header,
                                   std::string* why) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  CheckpointHeader expected;
  if (file < 0 || fstat(file, &status) != 0) {
    *why = strerror(errno);
  } else if (S_ISDIR(status.st_mode)) {
    *why = strerror(EISDIR);
  } else if (read_at(file, header, sizeof *header, 0) != 0 ||
             memcmp(header->magic, expected.magic, sizeof header->magic) != 0) {
    *why = "this is not a checkpoint of nbody_mpi";
  } else if (header->byte_order != expected.byte_order) {
    *why = "it was written by a machine with another byte order";
  } else if (header->n < 0 || status.st_size != checkpoint_bytes(header->n)) {
    *why = "it has " + std::to_string(status.st_size) + " bytes, and " +
           bodies_in_words(header->n) + " need " + std::to_string(checkpoint_bytes(header->n));
  }
  if (file >= 0) close(file);
  return why->empty();
}

// Called by all ranks of the world: this rank's share of the bodies of a checkpoint with this
// header. Ends the program with exit code 2 and one line if they are not what was written.
inline Bodies read_checkpoint(const World& world, const std::string& path, const Shares& shares,
                              const CheckpointHeader& header) {
  const int first = shares.first(world.rank());
  std::vector<char> bytes(kBytesOfBody * static_cast<size_t>(shares.count(world.rank())));
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int problem =
      file < 0 ? errno : read_at(file, bytes.data(), bytes.size(), checkpoint_bytes(first));
  if (file >= 0) close(file);
  problem = static_cast<int>(world.most(problem));
  if (problem != 0)
    world.end(course::kExitUsage, "cannot read '" + path + "': " + strerror(problem));
  if (checksum(header, first, bytes) != header.checksum)
    world.end(course::kExitUsage,
              "'" + path + "' is damaged: its checksum is wrong; take another checkpoint");
  return from_bytes(bytes);
}

}  // namespace nbody
