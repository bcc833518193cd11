fn f(i: u32, x: f32) -> bool {
  if i >= 0 { return true; } // want `always true`
  if 0u > i { return true; } // want `always false`
  return i == i; // want `with itself`
}
