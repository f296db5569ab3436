// Checking, not the lesson: what the program itself prints, to be counted.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <string>

#include "../common/handle_error.h"

// Catches standard output, of the host and of kernels, from its creation until text(). A static
// object also prints what it caught if the program ends before that.
class PrintedText {
 public:
  PrintedText() : file_(tmpfile()), stdout_copy_(dup(STDOUT_FILENO)) {
    HANDLE_NULL(file_);
    fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;
  ~PrintedText() {
    if (stdout_copy_ >= 0) text();
    fclose(file_);
  }

  // Prints what was caught, and returns it. After that, standard output is what it was before.
  std::string text() {
    fflush(stdout);
    dup2(stdout_copy_, STDOUT_FILENO);
    close(stdout_copy_);
    stdout_copy_ = -1;
    std::string text;
    rewind(file_);
    for (int c = fgetc(file_); c != EOF; c = fgetc(file_)) text += static_cast<char>(c);
    fwrite(text.data(), 1, text.size(), stdout);
    fflush(stdout);
    return text;
  }

 private:
  FILE* file_;
  int stdout_copy_;
};

// How often `word` occurs in `text`.
inline int count_of(const std::string& word, const std::string& text) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) count++;
  return count;
}
