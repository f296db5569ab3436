// Verdict: everything: total[
// REGION 2
  HANDLE_ERROR(cudaMemset(dev_total, 0, n * sizeof(float)));
  for (int first = 0; first + kBatch <= count; first += kBatch) {
    HANDLE_ERROR(cudaMemcpyToSymbol(batch, sources + first, sizeof batch));
    add_batch<<<(n + 127) / 128, 128>>>(dev_places, dev_total, n, kBatch);
    HANDLE_ERROR(cudaGetLastError());
  }
