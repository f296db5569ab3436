// WRONG ON PURPOSE: counts without atomics, and loses most of the counts.
//
// The book's section 9.3. x++ looks like one step, but the GPU executes three: read x, add 1, write
// x. If two threads read the same old value, both write the same new one, and one increment is
// lost. What to look at: first, two threads one after the other and at the same time. Then a
// whole grid. On a GPU, the plain x++ loses counts. The version with a pause loses them everywhere.
// atomicAdd performs the three steps as one and loses none.
//
//   ./course run lost_update --blocks 1000   (./course check lost_update --blocks 20 explains it)

#include "../common/program/broken_on_purpose.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"

// What a thread held in its registers after each of its steps.
struct Steps {
  int read, added;
};

// Thread 0 (A) and thread 1 (B) each add 1 to x. If `interleaved`, both complete each step before
// either begins the next. Otherwise A goes first, then B.
__global__ void two_threads(volatile int* x, Steps* steps, bool interleaved) {
  const int me = threadIdx.x;
  Steps mine = {};
  for (int turn = 0; turn < (interleaved ? 1 : 2); turn++) {
    const bool my_turn = interleaved || turn == me;
    if (my_turn) mine.read = *x;
    __syncthreads();
    if (my_turn) mine.added = mine.read + 1;
    __syncthreads();
    if (my_turn) *x = mine.added;
    __syncthreads();
  }
  steps[me] = mine;
}

// The obvious version. It is wrong.
__global__ void count_plainly(int* x) { (*x)++; }

// The same three steps, with a pause during which other threads run.
__global__ void count_with_pause(volatile int* x) {
  const int read = *x;
  __nanosleep(100);
  *x = read + 1;
}

// The fix: the hardware performs the three steps as one indivisible step.
__global__ void count_atomically(int* x) { atomicAdd(x, 1); }

// Prints the book's table: two threads each add 1 to 7. Returns the final x.
int show_two_threads(bool interleaved) {
  int x = 7;
  Steps steps[2];
  int* dev_x;
  Steps* dev_steps;
  HANDLE_ERROR(cudaMalloc(&dev_x, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_steps, sizeof steps));
  HANDLE_ERROR(cudaMemcpy(dev_x, &x, sizeof(int), cudaMemcpyHostToDevice));
  two_threads<<<1, 2>>>(dev_x, dev_steps, interleaved);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&x, dev_x, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(steps, dev_steps, sizeof steps, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  HANDLE_ERROR(cudaFree(dev_steps));

  const char* const names[] = {"A", "B"};
  const auto print = [&](int thread, int step) {
    if (step == 0) printf("  %s reads x             %d\n", names[thread], steps[thread].read);
    if (step == 1) printf("  %s adds 1              %d\n", names[thread], steps[thread].added);
    if (step == 2) printf("  %s writes it into x    %d\n", names[thread], steps[thread].added);
  };
  printf("two threads, x = 7, %s:\n", interleaved ? "step by step in turn" : "one after the other");
  for (int i = 0; i < 6; i++) print(interleaved ? i % 2 : i / 3, interleaved ? i / 2 : i % 3);
  printf("  x is now              %d\n", x);
  return x;
}

enum class Method { kPlain, kPause, kAtomic };

// Every thread of the grid adds 1 to a counter that starts at 0; returns the counter.
int count_threads(Method method, int blocks, int threads) {
  int x = 0;
  int* dev_x;
  HANDLE_ERROR(cudaMalloc(&dev_x, sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_x, &x, sizeof(int), cudaMemcpyHostToDevice));
  if (method == Method::kPlain) count_plainly<<<blocks, threads>>>(dev_x);
  if (method == Method::kPause) count_with_pause<<<blocks, threads>>>(dev_x);
  if (method == Method::kAtomic) count_atomically<<<blocks, threads>>>(dev_x);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&x, dev_x, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_x));
  return x;
}

int main(int argc, char** argv) {
  int blocks = 1000, threads = 256;
  course::Options options("Wrong on purpose: x++ by many threads loses counts.");
  options.number("blocks", &blocks, 1, 1000000, "blocks");
  options.number("threads", &threads, 2, 1024, "threads per block");
  options.parse(argc, argv);

  const int in_turn = show_two_threads(false);
  const int at_once = show_two_threads(true);

  const int expected = blocks * threads;
  const int plain = count_threads(Method::kPlain, blocks, threads);
  const int paused = count_threads(Method::kPause, blocks, threads);
  const int atomic = count_threads(Method::kAtomic, blocks, threads);
  printf("%s of %s, each adds 1:\n", course::count_of(blocks, "block").c_str(),
         course::count_of(threads, "thread").c_str());
  printf("  x++                   %10d, %d lost\n", plain, expected - plain);
  printf("  x++ with a pause      %10d, %d lost\n", paused, expected - paused);
  printf("  atomicAdd(&x, 1)      %10d, %d lost\n", atomic, expected - atomic);
  if (in_turn != 9 || at_once != 8 || atomic != expected) {
    fprintf(stderr,
            "two threads in turn, two at once, atomicAdd: got %d, %d, %d; expected 9, 8, %d\n",
            in_turn, at_once, atomic, expected);
    return course::kExitWrong;
  }
  return course::broken_as_intended(paused < expected,
                                    course::count_of(expected - paused, "count") + " lost",
                                    "the threads happened to run one after another");
}
