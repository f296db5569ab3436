// What a queued host function points to is deleted before the function has run.
static int result;

static void finish(void* value) { result = *static_cast<int*>(value); }

int main() {
  cudaStream_t stream;
  int* value = new int(5);
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, finish, value);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  delete value;  // finds freed-in-use
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
