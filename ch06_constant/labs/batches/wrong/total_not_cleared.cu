// Verdict: everything: total[0] is nan
// REGION 2
  for (int first = 0; first == 0 || first < count; first += kBatch) {
    const int some = std::min(kBatch, count - first);
    HANDLE_ERROR(cudaMemcpyToSymbol(batch, sources + first, some * sizeof(Source)));
    add_batch<<<(n + 127) / 128, 128>>>(dev_places, dev_total, n, some);
    HANDLE_ERROR(cudaGetLastError());
  }
