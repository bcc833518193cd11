// goals: coalesced
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

struct Where {
    @builtin(global_invocation_id) everywhere: vec3<u32>,
    @builtin(local_invocation_id) here: vec3<u32>,
}

@compute @workgroup_size(128)
fn main(at: Where) {
    switch (u32(at.everywhere.x < arrayLength(&out))) {
        case 1u: { out[at.everywhere.x] = at.everywhere.x; }
        default: {}
    }
}
