// goals: coalesced
// Größe: wie viele? 長さ. /* not closed here
/* a block comment /* inside another */ ends here */
alias Numbers = array<u32>;
@group(0) @binding(0) var<storage, read_write> out: Numbers;

fn sign(i: u32) {
    out[i] = i;
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let all = &out;
    let last = arrayLength(all) - 1u;
    if (!(id.x > last)) {
        sign(id.x);
    }
}
