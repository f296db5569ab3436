// Verdict: everything: out
// REGION 2
  HANDLE_ERROR(cudaEventRecord(computed, copies));
  HANDLE_ERROR(cudaStreamWaitEvent(copies, computed, 0));
