// Verdict: everything: 
// REGION 1
