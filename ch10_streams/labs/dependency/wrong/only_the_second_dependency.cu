// Verdict: checked: order between streams
// REGION 1
