// Verdict: given hidden fresh checked counts: total[
// REGION 1
  float sum = 0;
  for (int k = 0; k < count; k++)
    sum += batch[k].strength / (1 + fabsf(places[i] - batch[k].place));
  total[i] = sum;
