// Verdict: given hidden fresh checked counts: total[
// REGION 2
  HANDLE_ERROR(cudaMemset(dev_total, 0, n * sizeof(float)));
  const int some = std::min(kBatch, count);
  HANDLE_ERROR(cudaMemcpyToSymbol(batch, sources, some * sizeof(Source)));
  add_batch<<<(n + 127) / 128, 128>>>(dev_places, dev_total, n, some);
  HANDLE_ERROR(cudaGetLastError());
