fn f(x: u32) -> u32 {
  var sum = 0u;
  for (var i = 1u; i < 4; i++) {
    sum += x / i;
  }
  for (var i = 0u; i < 4; i++) {
    if i > 0 { sum += x / i; }
    sum += x / (i + 1);
  }
  return sum;
}
