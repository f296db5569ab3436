// Verdict: everything: out
// REGION 2
