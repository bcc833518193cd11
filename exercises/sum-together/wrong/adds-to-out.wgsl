// diagnosis: race
// out collects the sums.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    out[group.x] = 0.0;
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    let sum = subgroupAdd(value);
    if (subgroupElect()) {
        out[group.x] += sum;
    }
}
