@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> go: atomic<u32>;
fn step(i: ptr<function, u32>) { *i += 1; }
fn f(n: u32) -> u32 {
  var i = 0u;
  while i < n { i++; }
  while i < n { step(&i); }
  while true { if i > 3 { break; } i++; }
  while false { }
  while i < out[0] { out[1] = i; }
  while atomicLoad(&go) == 0 { }
  let p = &i;
  while i < n { *p += 1; }
  for (var j = 0u; j < n; j++) { }
  return i;
}
