@group(0) @binding(0) var<storage, read_write> out: array<u32>;
fn f(n: u32) -> u32 {
  var i = 0u;
  var sum = 0u;
  while i < n { // want `never ends`
    sum += i;
  }
  while true { // want `never ends`
    switch sum { default: { break; } }
  }
  for (var j = 0u; j < n; i++) { // want `never ends`
    sum += j;
  }
  while i < arrayLength(&out) { // want `never ends`
    out[i] = sum;
  }
  return sum;
}
