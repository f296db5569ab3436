// Host threads under the book's names, for its chapter on several devices.
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Host threads, as the book's chapter on several GPUs uses them: a routine takes and returns void*.
typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

// Starts routine(data) in a new host thread; ends the program with one line if there is none.
inline CUTThread start_thread(CUT_THREADROUTINE routine, void* data) {
  CUTThread thread;
  if (pthread_create(&thread, nullptr, routine, data) != 0) {
    fprintf(stderr, "start_thread: the operating system gives no further thread\n");
    exit(EXIT_FAILURE);
  }
  return thread;
}

// Waits until the thread has ended.
inline void end_thread(CUTThread thread) { pthread_join(thread, nullptr); }

// Ends the thread without waiting for its work.
inline void destroy_thread(CUTThread thread) {
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
}

// Waits for `count` threads.
inline void wait_for_threads(const CUTThread* threads, int count) {
  for (int i = 0; i < count; i++) end_thread(threads[i]);
}
