const debug = 0;
fn f(i: u32, j: i32, x: f32) -> bool {
  if i > 0 || j >= 0 || x != x || debug == 0 { return true; }
  return i <= 0;
}
