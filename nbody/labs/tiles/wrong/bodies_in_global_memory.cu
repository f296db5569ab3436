// Verdict: counts: elements read from global memory
// REGION 1
  tile[threadIdx.x] = here;
  for (int k = 0; k < n; k++) pull(here, bodies[k], &sum);
