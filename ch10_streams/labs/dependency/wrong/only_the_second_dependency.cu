// Verdict: everything: out
// REGION 1
