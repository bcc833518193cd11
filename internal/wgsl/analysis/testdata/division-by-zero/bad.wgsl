fn f(x: u32) -> u32 {
  var sum = 0u;
  for (var i = 0u; i < 4; i++) {
    sum += x / i; // want `0 in the first round`
  }
  return sum;
}
