// diagnosis: only-the-blocks
// title: Each block of 256 elements begins at 0 again.
// why: The sums of the blocks before are missing.
// ask: Which pass knows the sum of the blocks before?
// A scan scans.
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

const SIZE = 256u;
var<workgroup> part: array<u32, SIZE>;

// The sum of the elements of part up to this one.
fn scanned(local: u32, value: u32) -> u32 {
  part[local] = value;
  workgroupBarrier();
  for (var by = 1u; by < SIZE; by *= 2u) {
    var sum = part[local];
    if (local >= by) {
      sum += part[local - by];
    }
    workgroupBarrier();
    part[local] = sum;
    workgroupBarrier();
  }
  return part[local];
}

@compute @workgroup_size(256)
fn scan_blocks(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) block: vec3<u32>) {
  var value = 0u;
  if (id.x < arrayLength(&x)) {
    value = x[id.x];
  }
  let sum = scanned(local, value);
  if (id.x < arrayLength(&out)) {
    out[id.x] = sum;
  }
  if (local == SIZE - 1u) {
    sums[block.x] = sum;
  }
}

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) local: u32) {
  var value = 0u;
  if (local < arrayLength(&sums)) {
    value = sums[local];
  }
  let sum = scanned(local, value);
  if (local < arrayLength(&sums)) {
    sums[local] = sum;
  }
}

@compute @workgroup_size(64)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
}
