// Verdict: everything: order between streams
// REGION 1
