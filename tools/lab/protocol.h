// How data go between a judge and an answer: blocks of a head and the elements, over a pipe.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lab {

struct BlockHead {
  char mark[8];
  std::uint64_t element_bytes, count;
  std::uint64_t foreign, first_foreign;  // of results: elements that a kernel should have written and has not
};

constexpr char kBlockMark[8] = "LABDATA", kEndMark[8] = "LAB END";
constexpr std::uint64_t kMostElements = 1 << 26;

inline bool write_bytes(int file, const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(file, at, bytes);
    if (written <= 0) return false;
    at += written;
    bytes -= static_cast<size_t>(written);
  }
  return true;
}

// How many of `bytes` came.
inline size_t read_bytes(int file, void* data, size_t bytes) {
  size_t all = 0;
  while (all < bytes) {
    const ssize_t got = read(file, static_cast<char*>(data) + all, bytes - all);
    if (got <= 0) break;
    all += static_cast<size_t>(got);
  }
  return all;
}

template <typename T>
BlockHead head_of(const std::vector<T>& data) {
  BlockHead head = {{}, sizeof(T), data.size(), 0, 0};
  std::memcpy(head.mark, kBlockMark, sizeof head.mark);
  return head;
}

template <typename T>
bool write_block(int file, const std::vector<T>& data) {
  const BlockHead head = head_of(data);
  return write_bytes(file, &head, sizeof head) &&
         write_bytes(file, data.data(), data.size() * sizeof(T));
}

// Any number of elements if count is -1.
template <typename T>
bool read_block(int file, std::vector<T>* data, std::uint64_t count, std::string* problem,
                BlockHead* head_read = nullptr) {
  BlockHead head;
  const size_t got = read_bytes(file, &head, sizeof head);
  if (got == 0) {
    *problem = "no result came";
  } else if (got < sizeof head || std::memcmp(head.mark, kBlockMark, sizeof head.mark) != 0) {
    *problem = "what came is no result";
  } else if (head.element_bytes != sizeof(T)) {
    *problem = "elements of " + std::to_string(head.element_bytes) + " bytes came, not of " +
               std::to_string(sizeof(T));
  } else if ((count != std::uint64_t(-1) && head.count != count) || head.count > kMostElements) {
    *problem = std::to_string(head.count) + " elements came, not " + std::to_string(count);
  } else {
    if (head_read != nullptr) *head_read = head;
    data->resize(head.count);
    if (read_bytes(file, data->data(), head.count * sizeof(T)) == head.count * sizeof(T))
      return true;
    *problem = "the result ends in its middle";
  }
  return false;
}

inline bool write_end(int file) { return write_bytes(file, kEndMark, sizeof kEndMark); }

inline bool read_end(int file) {
  char mark[sizeof kEndMark + 1];
  return read_bytes(file, mark, sizeof mark) == sizeof kEndMark &&
         std::memcmp(mark, kEndMark, sizeof kEndMark) == 0;
}

}  // namespace lab
